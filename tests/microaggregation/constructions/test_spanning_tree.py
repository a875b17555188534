from __future__ import annotations

from drawn import cases, scattered
from hypothesis import given
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions.spanning_tree import cut_tree, spanning_tree


@given(cases)
def test_spanning_tree(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    assert oracle.as_groups(cut_tree(*spanning_tree(points), k)) == oracle.frozen(oracle.tree_parts(points, k))
