"""Which method `auto` runs."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import scattered

from discreet.microaggregation.automatic import BLOCKS_FROM, pick


def test_one_varying_column_is_solved_to_optimality_however_many_stand_still() -> None:
    points = np.zeros((30, 3))
    assert pick(points, "default") == "univariate"
    points[:, 1] = np.arange(30)
    assert pick(points, "best") == "univariate"
    points[0, 2] = 1e-300
    assert pick(points, "best") == "pool"


def test_one_varying_column_goes_before_blocks() -> None:
    assert pick(np.arange(BLOCKS_FROM + 1.0)[:, None], "fast") == "univariate"


@pytest.mark.parametrize(("effort", "method"), [("default", "annealing"), ("best", "pool")])
def test_blocks_begin_above_their_limit(effort: str, method: str) -> None:
    points = scattered(BLOCKS_FROM + 1, 2, seed=0)
    assert pick(points[:-1], effort) == method
    assert pick(points, effort) == "blocks"
