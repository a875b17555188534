from __future__ import annotations

from drawn import cases, scattered
from hypothesis import given
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions.maximum_distance import maximum_distance


@given(cases)
def test_maximum_distance(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    assert oracle.as_groups(maximum_distance(points, k)) == oracle.frozen(oracle.maximum_distance(points, k))
