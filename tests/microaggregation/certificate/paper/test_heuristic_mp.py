"""MicroaggregationHeuristicMP against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import optimum

from discreet.microaggregation.certificate import column_generation


@pytest.mark.parametrize("seed", range(5))
def test_the_papers_method_against_brute_force(seed: int) -> None:
    points = np.random.default_rng(seed).standard_normal((11, 2))
    best = optimum(points, 3)
    found = column_generation(points, 3)
    assert found.detail["priced_out"] == 1
    assert found.detail["master"] <= best * (1 + 1e-7)
    assert found.sse >= best * (1 - 1e-9)
    if found.status == "optimal":
        assert found.sse == pytest.approx(best)
