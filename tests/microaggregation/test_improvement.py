"""Moves, local search, annealing and pooling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle
from references import reference

from discreet.microaggregation import solve
from discreet.microaggregation.annealing import LOGARITHMS, Schedule, anneal, below, cool, seeded, survey
from discreet.microaggregation.local_search import improve
from discreet.microaggregation.mdav import mdav
from discreet.microaggregation.moves import (
    Groups,
    cost_to_add,
    create,
    dissolve,
    gain_to_remove,
    grouped,
    migrate,
    padded,
    squared,
    swap,
    total,
)
from discreet.microaggregation.pooling import Pool
from discreet.microaggregation.problem import check_partition, renumber, sse, standardize
from discreet.solvers.neighbours import _tree, nearest


def clouds(n: int, d: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.normal(size=(5, d))[random.integers(0, 5, n)] + 0.3 * random.normal(size=(n, d))


def consistent(state: Groups) -> None:
    """Members, places, sizes, labels, free groups and means tell the same story."""
    for p in range(state.size.size):
        members = state.members[p, : state.size[p]]
        assert (state.labels[members] == p).all()
        assert (state.place[members] == np.arange(len(members))).all()
        if len(members):
            np.testing.assert_allclose(state.means[p], state.points[members].mean(axis=0), atol=1e-9)
    assert state.size.sum() == len(state.labels)
    free = state.free[: state.height[0]]
    assert sorted(free) == np.flatnonzero(state.size == 0).tolist()


def value(state: Groups) -> float:
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
        consistent(state)


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
            consistent(state)
            check_partition(renumber(state.labels), 40, 3)


@pytest.mark.parametrize("best_swap", [False, True])
def test_hot_and_cold_annealing_keep_the_groups_sound(best_swap: bool) -> None:
    points = clouds(200, 3, 7)
    near, distance = nearest(points, 12)
    state = grouped(padded(points), mdav(points, 4), 4)
    start = total(state)
    accepted = cool(
        state, near, distance[:, 3].copy(), 4, seeded(1), LOGARITHMS, 0, 50_000, 50_000, 2.0, 0.001, 0.3, 0.1, best_swap
    )  # fmt: skip
    assert accepted > 100
    consistent(state)
    check_partition(renumber(state.labels), 200, 4)
    improve(state, near, 4, 1e-12, 100, True)
    consistent(state)
    assert total(state) == pytest.approx(value(state))
    assert total(state) < start


def test_local_search_leaves_no_improving_migration_or_swap() -> None:
    points = clouds(60, 2, 3)
    near, _ = nearest(points, 59)
    state = grouped(padded(points), mdav(points, 3), 3)
    improve(state, near, 3, 1e-12, 1000, True)
    best, labels = value(state), state.labels.copy()
    sizes = np.bincount(labels)
    for x in range(60):
        for z in range(60):
            p, q = labels[x], labels[z]
            if p == q:
                continue
            trial = labels.copy()
            trial[x], trial[z] = q, p
            assert oracle.sse_of_labels(points, trial) >= best - 1e-9
            if sizes[p] > 3 and sizes[q] < 5:
                trial[z] = q
                assert oracle.sse_of_labels(points, trial) >= best - 1e-9


@given(st.integers(2, 4), st.integers(6, 10), st.integers(0, 2**31))
def test_small_data_is_solved_to_optimality(k: int, n: int, seed: int) -> None:
    if n < 2 * k:
        return
    points = np.random.default_rng(seed).normal(size=(n, 2))
    land = survey(points, k)
    best = min(sse(points, renumber(anneal(land, mdav(points, k), Schedule(400, 1.0, 0.01), s)[0])) for s in range(6))
    assert best >= oracle.optimum(points, k) - 1e-9
    assert best == pytest.approx(oracle.optimum(points, k), rel=1e-9)


def test_draws_are_uniform() -> None:
    random = seeded(5)
    counts = np.bincount([below(random, 7) for _ in range(14_000)], minlength=7)
    assert (abs(counts - 2000) < 200).all()


def test_neighbours_equal_sorting_all_distances() -> None:
    points = np.random.default_rng(1).normal(size=(700, 3))
    all_pairs = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(all_pairs, np.inf)
    expected = np.argsort(all_pairs, axis=1)[:, :9]
    for index, distance in (nearest(points, 9), _tree(points, 9)):
        assert (index == expected).all()
        np.testing.assert_allclose(distance, np.take_along_axis(all_pairs, expected, 1))


def test_neighbours_of_equal_records_exclude_the_record() -> None:
    for index, _ in (nearest(np.zeros((40, 2)), 5), _tree(np.zeros((40, 2)), 5)):
        assert index.shape == (40, 5)
        assert (index != np.arange(40)[:, None]).all()


@given(st.integers(0, 2**31))
def test_pooling_finds_the_best_combination(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.normal(size=(12, 2))
    found = []
    for _ in range(6):
        order = random.permutation(12)
        labels = np.empty(12, np.int64)
        labels[order] = np.repeat([0, 1, 2, 3], 3) if random.random() < 0.5 else np.repeat([0, 1, 2], 4)
        found.append(labels)
    pool = Pool(points)
    for labels in found:
        pool.add(labels)
    groups = {g for labels in found for g in oracle.as_groups(labels)}
    assert len(pool) == len(groups)
    best = min(found, key=lambda labels: sse(points, labels))
    labels, _ = pool.combine(best)
    check_partition(renumber(labels), 12, 3)
    assert sse(points, labels) == pytest.approx(oracle.best_of_pool(points, sorted(groups, key=sorted)))


def test_columns_of_a_pool_can_be_read_back() -> None:
    points = clouds(30, 2, 2)
    pool = Pool(points)
    assert pool.add(mdav(points, 3)) == 10
    assert pool.add(mdav(points, 3)) == 0
    costs, members, ends = pool.columns()
    for cost, group in zip(costs, np.split(members, ends[:-1])):
        assert cost == pytest.approx(oracle.sse_of(points, group.tolist()))


def test_default_effort_beats_icsm_as_published() -> None:
    points = standardize(np.loadtxt(reference("tarragona.csv"), delimiter=",", skiprows=1))
    assert solve(points, 3).information_loss < 14.81
    assert solve(points, 3, effort="fast").information_loss < 16.93
