"""The oracle for model (7) against brute force over all partitions."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import optimum
from oracles.compact_model import solve_compact

from discreet.microaggregation.problem import sse


@pytest.mark.parametrize("seed", range(3))
def test_the_compact_model_against_brute_force(seed: int) -> None:
    points = np.random.default_rng(seed).standard_normal((7, 2))
    assert sse(points, solve_compact(points, 2)) == pytest.approx(optimum(points, 2))
