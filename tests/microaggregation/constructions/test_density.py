from __future__ import annotations

import numpy as np
import pytest
from drawn import cases
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle
from references import reference

from discreet.microaggregation import solve
from discreet.microaggregation.constructions.density import TRIED, densest_first, last_formed_first
from discreet.microaggregation.constructions.neighborhoods import neighborhoods
from discreet.microaggregation.problem import sse, standardize

# What the literature prints for DBA-1 and DBA-2: all digits together leave one reading of the method.
PRINTED = {
    ("tarragona", 3): (20.69948803, 16.15265063),
    ("tarragona", 4): (23.82761456, 22.67107728),
    ("tarragona", 5): (26.00129826, 25.45039236),
    ("tarragona", 10): (35.39295837, 34.80675148),
    ("census", 3): (6.144855154, 5.581605762),
    ("census", 4): (9.127883805, 7.591307664),
    ("census", 5): (10.84218735, 9.046162117),
    ("census", 10): (15.78549732, 13.52140518),
    ("eia", 3): (1.090194828, 0.421048322),
    ("eia", 4): (0.84346907, 0.559755523),
    ("eia", 5): (1.895536919, 0.81849828),
    ("eia", 10): (4.265801303, 2.080980825),
}


@given(cases, st.integers(0, 6))
def test_both_phases(case: tuple[int, int, int, int], p: int) -> None:
    k, n, d, seed = case
    points = np.random.default_rng(seed).normal(size=(n, d))
    labels = densest_first(points, p, neighborhoods(points, k))
    groups = oracle.densest_first(points, k, p)
    assert oracle.as_groups(labels) == {frozenset(g) for g in groups}
    after, dissolved = last_formed_first(points, labels)
    expected = oracle.dissolve(points, groups, list(range(len(groups)))[::-1])
    assert oracle.as_groups(after) == {frozenset(g) for g in expected}
    assert dissolved == len(groups) - len(expected)


@pytest.mark.parametrize(("name", "k"), PRINTED)
def test_the_printed_figures(name: str, k: int) -> None:
    points = standardize(np.loadtxt(reference(f"{name}.csv"), delimiter=",", skiprows=1))
    for phases, printed in zip((1, 2), PRINTED[name, k]):
        found = solve(points, k, method="dba", phases=phases).information_loss
        assert found == pytest.approx(printed, abs=1e-8)


def test_p_is_searched_or_given() -> None:
    points = standardize(np.loadtxt(reference("census.csv"), delimiter=",", skiprows=1))
    searched = solve(points, 5, method="dba-2p")
    given = {p: solve(points, 5, method="dba-2p", p=p).sse for p in TRIED}
    assert searched.sse == min(given.values()) == given[searched.detail["p"]]
    assert searched.sse < given[0] == solve(points, 5, method="dba").sse


def test_dense_groups_come_first_and_outliers_with_p() -> None:
    points = np.concatenate([np.linspace(0, 1, 9), [100.0, 200.0, 400.0]])[:, None]
    start = neighborhoods(points, 3)
    assert densest_first(points, 0, start)[9:].tolist() == [3, 3, 3]
    outliers = densest_first(points, 1, start)
    assert outliers[9:].tolist() == [0, 0, 0]
    assert sse(points, outliers) == pytest.approx(oracle.sse_of_labels(points, outliers))
