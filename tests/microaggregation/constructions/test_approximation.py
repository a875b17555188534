from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle
from references import reference

from discreet.microaggregation import solve
from discreet.microaggregation.constructions.approximation import decompose, forest
from discreet.microaggregation.problem import standardize
from discreet.solvers.neighbours import nearest

cases = st.tuples(st.integers(2, 7), st.integers(4, 60), st.integers(1, 3), st.integers(0, 2**31)).filter(
    lambda t: t[1] >= 2 * t[0]
)


def edges_of(up: np.ndarray) -> dict[int, int]:
    return {x: int(y) for x, y in enumerate(up) if y >= 0}


@given(cases)
def test_forest(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = np.random.default_rng(seed).normal(size=(n, d))
    assert edges_of(forest(nearest(points, k - 1)[0], k)) == oracle.small_trees_joined(points, k)


@given(cases, st.floats(0.01, 30))
def test_any_tree_is_cut(case: tuple[int, int, int, int], bushy: float) -> None:
    """Trees of every shape from a star to a path: each record hangs below an earlier one."""
    k, n, _, seed = case
    random = np.random.default_rng(seed)
    names = random.permutation(n)
    up = np.full(n, -1)
    for x in range(1, n):
        up[names[x]] = names[min(x - 1, int(x * random.beta(1, bushy)))]
    if seed % 2:
        up = np.concatenate([up, np.where(up >= 0, up + n, -1)])
    labels = decompose(up, k)
    groups = oracle.tree_groups(len(up), edges_of(up), k)
    assert oracle.as_groups(labels) == {frozenset(g) for g in groups}
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    assert sizes.max() <= max(2 * k - 1, 3 * k - 3)


def test_a_path_and_a_star() -> None:
    path = np.arange(-1, 11)
    assert oracle.as_groups(decompose(path, 3)) == {frozenset(range(x, x + 3)) for x in (0, 3, 6, 9)}
    star = np.concatenate([[-1], np.zeros(11, np.int64)])
    assert np.bincount(decompose(star, 4)).tolist() == [4, 4, 4]


def test_census() -> None:
    """Printed for it elsewhere: 6.25."""
    points = standardize(np.loadtxt(reference("census.csv"), delimiter=",", skiprows=1))
    assert solve(points, 3, method="mu-approx").information_loss == pytest.approx(6.25, abs=0.005)
