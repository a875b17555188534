from __future__ import annotations

import numpy as np
from drawn import cases
from hypothesis import given
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.constructions.orderings import nearest_point_next, through_groups
from discreet.microaggregation.path_cut import cut_path
from discreet.microaggregation.problem import sse


@given(cases)
def test_paths(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = np.random.default_rng(seed).normal(size=(n, d))
    labels = mdav(points, k)
    assert through_groups(points, labels).tolist() == oracle.path_through(points, labels)
    assert nearest_point_next(points).tolist() == oracle.path_through(points, np.arange(n))
    assert sse(points, cut_path(points, through_groups(points, labels), k)) <= sse(points, labels) * (1 + 1e-12)
