from __future__ import annotations

import numpy as np
import pytest
from drawn import clouds
from entries import entry
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle

from discreet.microaggregation import solve
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import check_partition, renumber
from discreet.microaggregation.search import moves
from discreet.microaggregation.search.moves import Assignment, grouped, padded
from discreet.solvers.neighbours import nearest

cost_to_add, gain_to_remove = entry(moves.cost_to_add), entry(moves.gain_to_remove)
create, dissolve = entry(moves.create), entry(moves.dissolve)
migrate, squared, swap = entry(moves.migrate), entry(moves.squared), entry(moves.swap)


def value(state: Assignment) -> float:
    return oracle.sse_of_labels(state.points, state.labels)


@given(st.integers(0, 2**31))
def test_costs_are_the_change_in_loss(seed: int) -> None:
    points = clouds(30, 5, seed)
    state = grouped(padded(points), mdav(points, 4), 4)
    random = np.random.default_rng(seed)
    for _ in range(5):
        x, z = random.integers(0, 30, 2)
        p, q = state.labels[x], state.labels[z]
        if p == q or state.size[p] == 1:
            continue
        before = value(state)
        f = 1 / state.size[p] + 1 / state.size[q]
        change = squared(state.points, x, state.means, q) + squared(state.points, z, state.means, p)
        change -= squared(state.points, x, state.means, p) + squared(state.points, z, state.means, q)
        change -= squared(state.points, x, state.points, z) * f
        swap(state, x, z)
        assert value(state) - before == pytest.approx(change, abs=1e-9)
        if state.size[state.labels[x]] < 7:
            before = value(state)
            change = cost_to_add(state, z, state.labels[x]) - gain_to_remove(state, z)
            migrate(state, z, state.labels[x])
            assert value(state) - before == pytest.approx(change, abs=1e-9)
        oracle.consistent(state)


@given(st.integers(0, 2**31), st.floats(-2, 2))
def test_founding_and_dissolving_keep_their_promise(seed: int, threshold: float) -> None:
    points = clouds(40, 3, seed)
    near, _ = nearest(points, 16)
    state = grouped(padded(points), solve(points, 3, method="v-mdav", gamma=1.1).labels, 3)
    random = np.random.default_rng(seed)
    for _ in range(4):
        for change in (
            lambda: create(state, near, 3, int(random.integers(40)), threshold),
            lambda: dissolve(state, near, 3, int(state.labels[random.integers(40)]), threshold),
        ):
            labels, before = state.labels.copy(), value(state)
            if change():
                assert value(state) - before < threshold + 1e-9
            else:
                assert (state.labels == labels).all()
            oracle.consistent(state)
            check_partition(renumber(state.labels), 40, 3)
