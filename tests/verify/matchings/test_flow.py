"""Edges that lie in some perfect matching, against all of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import edges_in_matchings

from discreet.verify.matchings.flow import candidates, graph, k_flow, strong_components


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_candidates_are_the_edges_of_perfect_matchings(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    inside = rng.random((n, n)) < 0.5
    inside[np.arange(n), rng.permutation(n)] = True
    counts = inside.sum(axis=1).astype(np.int64)
    ones = np.ones(n, np.int64)
    g = graph(counts, np.nonzero(inside)[1].astype(np.int32), ones, ones)
    flow, short = k_flow(g, 1)
    assert short == 0
    found = candidates(g, flow, strong_components(g, flow))
    assert found.tolist() == edges_in_matchings(inside).sum(axis=0).tolist()
