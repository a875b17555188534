from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.classes import class_loss, holds, joint_domain, least_class_loss
from oracles.generalization_domains import random_domain

from discreet.errors import InputError
from discreet.generalization.baselines import mondrian
from discreet.generalization.boxes import gcp
from discreet.generalization.classes.partition import Classes, partition
from discreet.generalization.domain import Domain
from discreet.work import Deadline, Progress, Reporter


def _partition(domain: Domain, k: int, **options: object) -> Classes:
    return partition(domain, k, **{"deadline": Deadline(None), "report": Reporter(None), **options})


@settings(max_examples=25, deadline=None)
@given(n=st.integers(1, 60), k=st.integers(1, 6), seed=st.integers(0, 10**6), gaps=st.booleans())
def test_classes_of_k_to_2k_minus_1_and_their_loss(n: int, k: int, seed: int, gaps: bool) -> None:
    domain = joint_domain(n, seed, gaps=gaps)
    k = min(k, n)
    found = _partition(domain, k, seed=seed)
    sizes = np.bincount(found.labels)
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    assert found.detail["classes"] == sizes.size
    assert found.loss == pytest.approx(class_loss(domain, found.labels), abs=1e-9)
    assert found.loss <= found.detail["start_loss"] + 1e-12
    first = np.unique(found.labels, return_index=True)[1]
    assert (np.diff(first) > 0).all(), "classes are numbered by their first record"


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("gaps", [False, True])
def test_small_files_reach_the_optimum(k: int, gaps: bool) -> None:
    """Never below it, at it on nearly all."""
    reached = 0
    for seed in range(12):
        domain = joint_domain(8, seed, gaps=gaps)
        found, best = _partition(domain, k, seed=seed).loss, least_class_loss(domain, k)
        assert found >= best - 1e-9
        reached += found <= best + 1e-9
    assert reached >= 9


@pytest.mark.parametrize("l", [2, 3])
def test_small_files_with_l_values_reach_the_optimum(l: int) -> None:
    reached = 0
    for seed in range(12):
        domain = joint_domain(8, seed)
        values = np.random.default_rng(seed).permutation([-1, 0, 0, 0, 1, 1, 2, 3])
        found, best = _partition(domain, 2, seed=seed, values=values, l=l), least_class_loss(domain, 2, values, l)
        assert holds(found.labels, 2, values, l)
        assert found.loss >= best - 1e-9
        reached += found.loss <= best + 1e-9
    assert reached >= 8


@settings(max_examples=25, deadline=None)
@given(n=st.integers(6, 60), k=st.integers(1, 4), l=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_every_class_carries_l_known_values(n: int, k: int, l: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.choice([-1, 0, 0, 0, 0, 7, 9, 12], n)
    values[:4] = [0, 7, 9, 12]
    found = _partition(joint_domain(n, seed), k, seed=seed, values=values, l=l)
    assert holds(found.labels, k, values, l)


def test_it_is_far_better_than_mondrian() -> None:
    for seed in range(3):
        domain = random_domain(400, seed, missing=True)
        halved = gcp(domain.tables, domain.codes, mondrian.whole_groups(mondrian.groups(domain, 4)))
        assert _partition(domain, 4).loss < 0.85 * halved


def test_the_same_seed_gives_the_same_classes_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.generalization.classes.partition.default_rounds", lambda n, k: 5)
    domain = joint_domain(3000, 5, gaps=True)
    one = _partition(domain, 3, seed=4, deadline=Deadline(None))
    with ThreadPoolExecutor(1) as pool:
        assert (_partition(domain, 3, seed=4, executor=pool).labels == one.labels).all()
    with ThreadPoolExecutor(5) as pool:
        assert (_partition(domain, 3, seed=4, executor=pool).labels == one.labels).all()
    assert (_partition(domain, 3, seed=5).labels != one.labels).any()


def test_it_stops_at_the_deadline_with_classes_that_hold() -> None:
    domain = joint_domain(600, 1)
    values = np.random.default_rng(1).choice([0, 0, 0, 0, 1], 600)
    late = _partition(domain, 5, deadline=Deadline(0), values=values, l=2)
    assert late.status == "time limit"
    assert late.detail["rounds"] == 0
    assert holds(late.labels, 5, values, 2)
    assert _partition(domain, 200).status == "complete"


def test_it_says_how_far_it_is() -> None:
    told: list[Progress] = []
    _partition(joint_domain(200, 1), 4, report=Reporter(told.append, interval=0.0))
    assert {step.stage for step in told} == {"classes"}
    shares = [step.done for step in told if step.done is not None]
    assert len(shares) > 10
    assert shares == sorted(shares)


def test_what_cannot_be_is_refused() -> None:
    domain = joint_domain(6, 1)
    with pytest.raises(InputError, match="larger than the number of records"):
        _partition(domain, 7)
    with pytest.raises(InputError, match="there are 2 in all"):
        _partition(domain, 2, values=np.array([0, 1, -1, -1, 0, 0]), l=3)
    with pytest.raises(InputError, match="needs the values"):
        _partition(domain, 2, l=2)
