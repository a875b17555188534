"""What every method promises: sizes, errors that name the way out, time limits, reproducibility."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.microaggregation import EFFORTS, METHODS, solve
from discreet.microaggregation.methods import REGISTRY
from discreet.microaggregation.problem import check_partition
from discreet.work import Progress

# The other two have tests of their own: one wants a single column, one enumerates.
EVERY = sorted(set(METHODS) - {"univariate", "column-generation"})
TIMED = [name for name in EVERY if REGISTRY[name].time_limit]


@settings(max_examples=6)
@given(st.integers(1, 8), st.integers(1, 60), st.integers(0, 2**31), st.booleans())
@pytest.mark.parametrize("method", EVERY)
def test_sizes(method: str, k: int, n: int, seed: int, ties: bool) -> None:
    random = np.random.default_rng(seed)
    points = random.integers(0, 3, (n, 2)).astype(float) if ties else random.lognormal(size=(n, 2))
    if n < k:
        with pytest.raises(InputError, match=f"more than the {n} records"):
            solve(points, k, method=method)
        return
    options = {"iterations": 5} if method == "ils" else {}
    partition = solve(points, k, method=method, **options)
    check_partition(partition.labels, n, k)
    assert partition.labels[0] == 0
    assert 0 <= partition.information_loss <= 100 + 1e-9


@pytest.mark.parametrize("method", TIMED)
@pytest.mark.parametrize("effort", [None, "fast", "best"])
def test_no_time_at_all(method: str, effort: str | None) -> None:
    if effort and not REGISTRY[method].effort:
        pytest.skip("has no effort levels")
    points = np.random.default_rng(1).normal(size=(300, 3))
    partition = solve(points, 4, method=method, effort=effort, time_limit=0)
    check_partition(partition.labels, 300, 4)
    assert partition.status == "time limit"


def test_no_time_for_large_data() -> None:
    points = np.random.default_rng(1).normal(size=(20_001, 2))
    partition = solve(points, 3, time_limit=0)
    check_partition(partition.labels, 20_001, 3)
    assert partition.status == "time limit"


def test_a_short_time_is_kept_and_is_better_than_none() -> None:
    points = np.random.default_rng(1).normal(size=(300, 3))
    partition = solve(points, 4, effort="best", time_limit=0.5)
    assert partition.status == "time limit"
    assert partition.sse < solve(points, 4, method="mdav").sse


def test_all_faults_at_once() -> None:
    with pytest.raises(InputError) as caught:
        solve(np.array([[1.0], [np.nan]]), 0, method="mdva", effort="most", time_limit=-1, random_state=-5)
    assert len(caught.value.faults) == 6
    message = str(caught.value)
    for name in (*METHODS, *EFFORTS):
        assert name in message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"method": "mdav", "effort": "best"}, "no effort levels"),
        ({"method": "mdav", "time_limit": 5}, "cannot stop early"),
        ({"method": "gsms", "executor": ThreadPoolExecutor(1)}, "no work for an executor"),
        ({"method": "mdav", "gamma": 0.2}, "no option 'gamma': it has none"),
        ({"method": "v-mdav", "gama": 0.2}, "it knows gamma"),
        ({"method": "v-mdav", "gamma": -1}, "'gamma' of method 'v-mdav' is out of range"),
        ({"method": "icsm", "restarts": 1.5}, "'restarts'"),
        ({"method": "tfrp", "phases": 3}, "'phases'"),
        ({"executor": object()}, "concurrent.futures"),
    ],
)
def test_what_cannot_be_honored_is_an_error(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        solve(np.random.default_rng(1).normal(size=(30, 2)), 3, **arguments)


def test_the_trivial_cases() -> None:
    points = np.random.default_rng(1).normal(size=(5, 2))
    assert solve(points, 1).labels.tolist() == [0, 1, 2, 3, 4]
    assert solve(points, 3).labels.tolist() == [0] * 5
    assert solve(points, 5, method="mdav").information_loss == pytest.approx(100)
    assert solve(points[:1], 1).information_loss == 0.0


def test_seeds_count_and_none_is_zero() -> None:
    points = np.random.default_rng(1).normal(size=(150, 4))
    first = solve(points, 5, random_state=0)
    assert (first.labels == solve(points, 5).labels).all()
    assert (first.labels != solve(points, 5, random_state=1).labels).any()


def test_columns_may_come_in_any_order() -> None:
    points = np.random.default_rng(1).normal(size=(200, 3))
    a, b = solve(points, 3, method="mdav"), solve(points[:, ::-1], 3, method="mdav")
    assert (a.labels == b.labels).all()


def test_progress_is_told() -> None:
    told: list[Progress] = []
    solve(np.random.default_rng(1).normal(size=(300, 3)), 3, progress=told.append)
    assert "annealing" in {step.stage for step in told}
