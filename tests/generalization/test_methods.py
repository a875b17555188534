from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import is_regular, least_loss, loss
from oracles.generalization_domains import joint_domain, random_domain

from discreet.errors import InputError
from discreet.generalization.methods import METHODS, REGISTRY, solve
from discreet.work import Progress

FAST = [name for name in METHODS if name != "mip"]


@pytest.mark.parametrize("method", FAST)
@settings(max_examples=12, deadline=None)
@given(n=st.integers(3, 40), k=st.integers(2, 6), seed=st.integers(0, 10**6), missing=st.booleans())
def test_every_method_gives_k_matches(method: str, n: int, k: int, seed: int, missing: bool) -> None:
    k = min(k, n)
    domain = random_domain(n, seed, missing=missing)
    options = {"rounds": 5} if method in ("auto", "reassign") else {}
    solution = solve(domain, k, method=method, random_state=seed, **options)
    assert is_regular(solution.matches, k)
    assert (solution.matches[:, 0] == np.arange(n)).all()
    assert solution.gcp == pytest.approx(loss(domain, solution.covered), abs=1e-12)
    assert all(set(m) <= set(c) for m, c in zip(solution.matches.tolist(), solution.covered.tolist()))


@pytest.mark.parametrize("method", [name for name in FAST if name != "k-concealment"])
@settings(max_examples=8, deadline=None)
@given(n=st.integers(3, 40), k=st.integers(2, 6), seed=st.integers(0, 10**6), missing=st.booleans())
def test_every_method_knows_means(method: str, n: int, k: int, seed: int, missing: bool) -> None:
    k = min(k, n)
    domain = joint_domain(n, seed, missing=missing, weights=True)
    options = {"rounds": 5} if method in ("auto", "reassign") else {}
    solution = solve(domain, k, method=method, random_state=seed, **options)
    assert is_regular(solution.matches, k)
    sets = [list(dict.fromkeys(row)) for row in solution.covered.tolist()]
    assert solution.gcp == pytest.approx(loss(domain, sets), abs=1e-11)


@pytest.mark.parametrize("method", ["mip", "k-concealment"])
def test_methods_of_boxes_alone_refuse_means(method: str) -> None:
    with pytest.raises(InputError, match="boxes only"):
        solve(joint_domain(8, 0), 2, method=method)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_with_means_are_optimal(seed: int) -> None:
    domain = joint_domain(7, seed, missing=seed > 2)
    assert solve(domain, 2).gcp == pytest.approx(least_loss(domain, 2), abs=1e-6)


def test_reassignment_with_means_never_loses_and_is_the_best_of_the_methods() -> None:
    domain = joint_domain(600, 1)
    losses = {method: solve(domain, 4, method=method).gcp for method in FAST if method != "k-concealment"}
    rounds = [solve(domain, 4, rounds=r).gcp for r in (0, 1, 5, 40)]
    assert rounds[0] == losses["hungarian"]
    assert rounds[0] >= rounds[1] >= rounds[2] >= rounds[3]
    assert min(losses, key=losses.__getitem__) in ("auto", "reassign")


@pytest.mark.parametrize("seed", range(6))
def test_the_integer_program_finds_the_optimum_and_nothing_beats_it(seed: int) -> None:
    n, k = 5 + seed % 3, 2 + seed % 2
    domain = random_domain(n, seed)
    best = solve(domain, k, method="mip")
    assert best.status == "optimal"
    assert best.gcp == pytest.approx(least_loss(domain, k), abs=1e-9)
    for method in FAST:
        assert solve(domain, k, method=method).gcp >= best.gcp - 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_pairs_are_optimal(seed: int) -> None:
    domain = random_domain(7, seed)
    assert solve(domain, 2).gcp == pytest.approx(least_loss(domain, 2), abs=1e-6)


def test_reassignment_never_loses_and_is_the_best_of_the_methods() -> None:
    domain = random_domain(700, 1)
    losses = {method: solve(domain, 4, method=method).gcp for method in FAST}
    start = solve(domain, 4, rounds=0).gcp
    assert start == losses["hungarian"]
    rounds = [solve(domain, 4, rounds=r).gcp for r in (1, 5, 40)]
    assert start >= rounds[0] >= rounds[1] >= rounds[2]
    assert min(losses, key=losses.__getitem__) in ("auto", "reassign")
    assert losses["hungarian"] < losses["greedy"] < losses["mondrian"]


@pytest.mark.parametrize("method", ["auto", "hungarian", "sort-greedy"])
def test_the_result_depends_on_the_seed_alone(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    domain = random_domain(900, 2)
    options = {"partition_size": 150} | ({"rounds": 6} if method == "auto" else {})
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("DISCREET_THREADS", threads)
        found.append(solve(domain, 3, method=method, random_state=5, **options).matches)
    assert (found[0] == found[1]).all()
    if method == "auto":
        other = solve(domain, 3, method=method, random_state=6, **options).matches
        assert (found[0] != other).any()


def test_time_limit_zero_still_gives_a_release() -> None:
    domain = random_domain(500, 3)
    for method in FAST:
        if not REGISTRY[method].time_limit:
            with pytest.raises(InputError, match="cannot stop early"):
                solve(domain, 5, method=method, time_limit=0)
            continue
        solution = solve(domain, 5, method=method, time_limit=0)
        assert is_regular(solution.matches, 5)
        assert solution.status == "time limit"


def test_k_up_to_the_number_of_records() -> None:
    domain = random_domain(9, 4)
    for k in (8, 9):
        for method in FAST:
            assert is_regular(solve(domain, k, method=method).matches, k)


def test_lexicographic_blocks_in_a_chosen_order() -> None:
    domain = random_domain(400, 5)
    order = ["leaf", "kind", "shade", "other", "number"]
    solution = solve(
        domain, 3, method="hungarian", partition="lexicographic", partition_size=100, attribute_order=order
    )
    assert is_regular(solution.matches, 3)
    assert solution.detail["blocks"] == 4


def test_progress_is_told() -> None:
    seen: list[Progress] = []
    solve(random_domain(300, 6), 3, rounds=3, progress=seen.append)
    assert {"matching", "reassign"} <= {step.stage for step in seen}


def test_all_faults_at_once() -> None:
    with pytest.raises(InputError) as caught:
        solve(random_domain(10, 0), 11, method="greedy", rounds=3, partition="round", partition_size=1)
    text = str(caught.value)
    for word in ("larger than the number", "no option 'rounds'", "partition", "partition_size"):
        assert word in text
    with pytest.raises(InputError, match="unknown method"):
        solve(random_domain(10, 0), 2, method="magic")
    with pytest.raises(InputError, match="2 or more"):
        solve(random_domain(10, 0), 1)
    with pytest.raises(InputError, match="at most"):
        solve(random_domain(40, 0), 2, method="mip")
    with pytest.raises(InputError, match="every quasi-identifier once"):
        solve(random_domain(10, 0), 2, method="greedy", partition="lexicographic", attribute_order=["number", "number"])
