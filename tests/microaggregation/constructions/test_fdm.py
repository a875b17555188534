from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle
from references import reference

from discreet.methods import Shared
from discreet.microaggregation import solve
from discreet.microaggregation.constructions import fdm
from discreet.microaggregation.methods import Call, Problem
from discreet.microaggregation.problem import check_partition, renumber, sse, standardize
from discreet.solvers.neighbours import nearest

cases = st.tuples(st.integers(4, 30), st.integers(1, 3), st.integers(0, 2**31))


@given(cases, st.integers(1, 40))
def test_the_greedy_tour(case: tuple[int, int, int], near: int) -> None:
    n, d, seed = case
    points = np.random.default_rng(seed).normal(size=(n, d))
    tour = fdm.greedy_tour(points, nearest(points, near)[0]).tolist()
    assert sorted(tour) == list(range(n))
    assert {frozenset(pair) for pair in itertools.pairwise(tour)} == oracle.greedy_edges(points)


@given(cases, st.booleans())
def test_no_exchange_makes_the_tour_shorter(case: tuple[int, int, int], ties: bool) -> None:
    n, d, seed = case
    random = np.random.default_rng(seed)
    points = random.integers(0, 3, (n, d)).astype(float) if ties else random.normal(size=(n, d))
    tour = fdm.two_optimal(points, nearest(points, n)[0], random.permutation(n)).tolist()
    assert sorted(tour) == list(range(n))
    assert not oracle.shorter_by_exchange(points, tour)


@given(st.integers(1, 13), st.integers(1, 3), st.integers(0, 2**31))
def test_every_k_gets_the_best_cut(n: int, d: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(n, d))
    tour, shared = fdm.short_tour(points).tolist(), Shared()
    for k in range(1, n + 1):
        labels = fdm.run(Call(problem=Problem(points, k), shared=shared)).answer
        check_partition(renumber(labels), n, k)
        assert sse(points, labels) == pytest.approx(oracle.best_tour_cut(points, tour, k))


def test_one_tour_for_all_k(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(4).normal(size=(300, 4))
    separate = {k: solve(points, k, method="fdm").labels for k in (3, 4, 5, 10)}
    made, shared = [], Shared()
    short_tour = fdm.short_tour
    monkeypatch.setattr(fdm, "short_tour", lambda points: made.append(1) or short_tour(points))
    for k, labels in separate.items():
        together = fdm.run(Call(problem=Problem(points, k), shared=shared)).answer
        assert (renumber(together) == labels).all()
    assert len(made) == 1


def test_between_nearest_point_next_and_the_best_on_census() -> None:
    """A regression figure of ours: the paper's own tables were not at hand."""
    points = standardize(np.loadtxt(reference("census.csv"), delimiter=",", skiprows=1))
    found = solve(points, 3, method="fdm").information_loss
    assert 4.667 < found < solve(points, 3, method="npn-mhm").information_loss
