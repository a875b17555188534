from __future__ import annotations

import numpy as np
from drawn import cases, scattered
from hypothesis import given
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions.maximum_distance import by_falling, maximum_distance


@given(cases)
def test_maximum_distance(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    assert oracle.as_groups(maximum_distance(points, k)) == oracle.frozen(oracle.maximum_distance(points, k))


def test_sorting_is_stable() -> None:
    values = np.random.default_rng(0).integers(0, 5, 100).astype(float)
    assert (by_falling(values) == np.argsort(-values, kind="stable")).all()
