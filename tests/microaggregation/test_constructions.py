"""Every named construction against its twin, on data without ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle
from references import reference

from discreet.microaggregation import solve
from discreet.microaggregation.endings import split_large
from discreet.microaggregation.gsms import group_selection
from discreet.microaggregation.maximum_distance import by_falling, maximum_distance
from discreet.microaggregation.problem import check_partition, renumber, standardize
from discreet.microaggregation.spanning_tree import cut_tree, spanning_tree
from discreet.microaggregation.tfrp import second_phase, two_reference_points
from discreet.microaggregation.vmdav import vmdav

sizes = st.tuples(st.integers(2, 5), st.integers(4, 26), st.integers(1, 3), st.integers(0, 2**31)).filter(
    lambda t: t[1] >= 2 * t[0]
)


def draw(n: int, d: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d))


def frozen(groups: list[list[int]]) -> set[frozenset[int]]:
    return {frozenset(g) for g in groups}


@given(sizes)
def test_maximum_distance(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = draw(n, d, seed)
    assert oracle.as_groups(maximum_distance(points, k)) == frozen(oracle.maximum_distance(points, k))


@given(sizes, st.sampled_from([0.0, 0.2, 1.1, 3.0]))
def test_vmdav(case: tuple[int, int, int, int], gamma: float) -> None:
    k, n, d, seed = case
    points = draw(n, d, seed)
    labels = vmdav(points, k, gamma)
    assert oracle.as_groups(labels) == frozen(oracle.vmdav(points, k, gamma))
    check_partition(renumber(split_large(points, labels, k)), n, k)


@given(sizes)
def test_tfrp(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = draw(n, d, seed)
    labels = two_reference_points(points, k)
    groups = oracle.two_reference_points(points, k)
    assert oracle.as_groups(labels) == frozen(groups)
    after, dissolved = second_phase(points, labels)
    expected = oracle.second_phase(points, groups)
    assert oracle.as_groups(after) == frozen(expected)
    assert dissolved == len(groups) - len(expected)


@given(sizes)
def test_gsms(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = draw(n, d, seed)
    assert oracle.as_groups(group_selection(points, k)) == frozen(oracle.group_selection(points, k))


@given(sizes)
def test_spanning_tree(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = draw(n, d, seed)
    assert oracle.as_groups(cut_tree(*spanning_tree(points), k)) == frozen(oracle.tree_parts(points, k))


def test_second_phase_helps_gsms_on_tarragona() -> None:
    """A regression figure of ours: the paper's own tables were not at hand to compare with."""
    points = standardize(np.loadtxt(reference("tarragona.csv"), delimiter=",", skiprows=1))
    plain = solve(points, 3, method="gsms").information_loss
    assert plain == pytest.approx(16.61, abs=0.005)
    assert solve(points, 3, method="gsms-t2").information_loss < plain


def test_sorting_is_stable() -> None:
    values = np.random.default_rng(0).integers(0, 5, 100).astype(float)
    assert (by_falling(values) == np.argsort(-values, kind="stable")).all()


def test_large_groups_are_split_without_loss() -> None:
    points = draw(40, 2, 1)
    labels = np.repeat([0, 1], [25, 15])
    split = split_large(points, labels, 4)
    check_partition(renumber(split), 40, 4)
    assert oracle.sse_of_labels(points, split) < oracle.sse_of_labels(points, labels)
