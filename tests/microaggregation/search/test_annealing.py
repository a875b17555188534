from __future__ import annotations

import numpy as np
import pytest
from drawn import clouds
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle

from discreet.kernels.xorshift import seeded
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import check_partition, renumber, sse
from discreet.microaggregation.search.annealing import LOGARITHMS, Schedule, anneal, cool, survey
from discreet.microaggregation.search.local_search import improve
from discreet.microaggregation.search.moves import grouped, padded, total
from discreet.solvers.neighbours import nearest


@pytest.mark.parametrize("best_swap", [False, True])
def test_hot_and_cold_annealing_keep_the_groups_sound(best_swap: bool) -> None:
    points = clouds(200, 3, 7)
    near, distance = nearest(points, 12)
    state = grouped(padded(points), mdav(points, 4), 4)
    start = total(state)
    course = Schedule(250, 2.0, 0.001, chains=0.3, regroups=0.1, best_swap=best_swap).course(200)
    accepted = cool(state, near, distance[:, 3].copy(), 4, seeded(1), LOGARITHMS, course, 0, 50_000)
    assert accepted > 100
    oracle.consistent(state)
    check_partition(renumber(state.labels), 200, 4)
    improve(state, near, 4, 1e-12, 100, True)
    oracle.consistent(state)
    assert total(state) == pytest.approx(oracle.sse_of_labels(state.points, state.labels))
    assert total(state) < start


@given(st.integers(2, 4), st.integers(6, 10), st.integers(0, 2**31))
def test_small_data_is_solved_to_optimality(k: int, n: int, seed: int) -> None:
    if n < 2 * k:
        return
    points = np.random.default_rng(seed).normal(size=(n, 2))
    land = survey(points, k)
    best = min(sse(points, renumber(anneal(land, mdav(points, k), Schedule(400, 1.0, 0.01), s)[0])) for s in range(6))
    assert best >= oracle.optimum(points, k) - 1e-9
    assert best == pytest.approx(oracle.optimum(points, k), rel=1e-9)
