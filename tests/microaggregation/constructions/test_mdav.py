from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import microaggregation as oracle
from references import reference

from discreet.microaggregation import solve
from discreet.microaggregation.constructions import mdav as module
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import check_partition, renumber, standardize


@pytest.mark.parametrize(
    ("name", "losses"),
    [("tarragona", (16.93, 22.46, 33.19)), ("census", (5.69, 9.09, 14.16)), ("eia", (0.48, 1.67, 3.84))],
)
def test_published_figures(name: str, losses: tuple[float, ...]) -> None:
    points = standardize(np.loadtxt(reference(f"{name}.csv"), delimiter=",", skiprows=1))
    for k, loss in zip((3, 5, 10), losses):
        assert round(solve(points, k, method="mdav").information_loss, 2) == loss


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(2, 45), st.integers(1, 4), st.integers(0, 2**31))
def test_equals_the_obvious_version(k: int, n: int, d: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(n, d))
    if n < k:
        return
    assert oracle.as_groups(mdav(points, k)) == {frozenset(g) for g in oracle.mdav(points, k)}


@pytest.mark.parametrize("k", [1, 2, 7, 50, 100])
def test_equal_records(k: int) -> None:
    labels = renumber(mdav(np.zeros((100, 3)), k))
    check_partition(labels, 100, k)


def test_ties_go_to_the_first_record() -> None:
    # All records coincide: r is record 0 with 1 and 2, s is record 3 with 4 and 5, and so on.
    assert mdav(np.ones((9, 2)), 3).tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_many_equal_records() -> None:
    partition = solve(np.full((100_000, 2), 3.0), 20_000, method="mdav")
    assert partition.sse == 0.0


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_change_a_bit(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORTH_A_THREAD", 2_000)
    random = np.random.default_rng(3)
    for points in (random.normal(size=(3000, 3)), random.integers(0, 3, (3000, 3)).astype(float)):
        assert (mdav(points, 4, threads=threads) == mdav(points, 4, threads=1)).all()


def test_a_far_origin_leaves_no_drift() -> None:
    points = np.random.default_rng(4).integers(0, 1000, (400, 2)).astype(float)
    assert (mdav(points, 3) == mdav(points + 2.0**40, 3)).all()
