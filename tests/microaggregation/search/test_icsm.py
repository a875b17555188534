from __future__ import annotations

import numpy as np
import pytest
from entries import entry
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle
from references import reference

from discreet.microaggregation import solve
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import check_partition, renumber, sse, standardize
from discreet.microaggregation.search import icsm as module
from discreet.microaggregation.search.icsm import simple
from discreet.microaggregation.search.moves import padded

_centroids, _edge = entry(module._centroids), entry(module._edge)
cyclic_shift, scores = entry(module.cyclic_shift), entry(module.scores)


@pytest.mark.parametrize(
    ("name", "k", "published"),
    [
        ("tarragona", 3, 14.81),
        ("tarragona", 10, 30.70),
        ("census", 3, 4.85),
        ("census", 5, 7.78),
        ("census", 10, 11.93),
    ],
)
def test_at_or_below_table_2(name: str, k: int, published: float) -> None:
    points = standardize(np.loadtxt(reference(f"{name}.csv"), delimiter=",", skiprows=1))
    assert solve(points, k, method="icsm").information_loss <= published + 0.01


def test_example_1() -> None:
    points = padded(np.array([[2.0], [3.0], [4.0], [5.0], [6.0], [7.0]]))
    labels = np.array([0, 0, 0, 1, 1, 1])
    means, size, own = _centroids(points, labels)
    assert _edge(points, means, own, labels, size, 3, 1, 4) == pytest.approx(6.0)


def replacement(points: np.ndarray, group: list[int], x: int, z: int) -> float:
    return oracle.sse_of(points, [x if y == z else y for y in group]) - oracle.sse_of(points, group)


@given(st.integers(0, 2**31))
def test_scores_are_equation_7(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(14, 2))
    labels = renumber(mdav(points, 3))
    groups = [np.flatnonzero(labels == p).tolist() for p in range(labels.max() + 1)]
    expected = np.zeros(len(groups))
    for p, own in enumerate(groups):
        for q, others in enumerate(groups):
            if p != q:
                expected[p] += sum(replacement(points, others, x, z) for x in own for z in others)
                expected[p] -= sum(replacement(points, own, z, x) for x in own for z in others)
    np.testing.assert_allclose(scores(padded(points), labels), expected, atol=1e-9)


@given(st.integers(0, 2**31), st.integers(2, 4))
def test_heuristics_lower_the_loss_and_keep_sizes(seed: int, k: int) -> None:
    random = np.random.default_rng(seed)
    points = random.normal(size=(24, 2))
    labels = renumber(
        random.permutation(np.repeat(np.arange(24 // (k + 1)), k + 1)[:24]) if 24 % (k + 1) == 0 else mdav(points, k)
    )
    wide = padded(points)
    for s in range(3):
        before, old = sse(points, labels), labels.copy()
        if cyclic_shift(wide, labels, k, s, 1e-9):
            assert sse(points, labels) < before
        else:
            assert (labels == old).all()
        check_partition(renumber(labels), 24, k)
    while True:
        before = sse(points, labels)
        if simple(wide, np.ascontiguousarray(points.T), labels, k, 100, 1e-9) == 0:
            break
        assert sse(points, labels) < before
        check_partition(renumber(labels), 24, k)


def test_options_count() -> None:
    points = np.random.default_rng(5).normal(size=(200, 3))
    one = solve(points, 3, method="icsm")
    none = solve(points, 3, method="icsm", max_iterations=0)
    more = solve(points, 3, method="icsm", restarts=3, random_state=1)
    assert none.sse == solve(points, 3, method="mdav").sse
    assert more.sse <= one.sse < none.sse
    assert more.detail["runs"] == 4
