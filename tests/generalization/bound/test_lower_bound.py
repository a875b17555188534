from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import least_loss, least_loss_of_classes, lost_variance
from oracles.generalization_domains import joint_domain, random_domain

from discreet.generalization.bound.distinct import distinct
from discreet.generalization.bound.lower_bound import Search, box_bound, lower_bound, neighborhoods
from discreet.generalization.domain import Domain
from discreet.generalization.methods import solve
from discreet.scale import workers
from discreet.work import Deadline


def _evaluate(domain: Domain, k: int, prices: np.ndarray, node_limit: int = 20_000, gcp: float = 0.05) -> np.ndarray:
    records = distinct(domain, k)
    with workers(None) as pool:
        tuples = neighborhoods(records, k, gcp, pool, Deadline(None))
        assert tuples is not None
        search = Search(records.boxes.tables, tuples, k, node_limit)
        return search.evaluate(prices, pool, Deadline(None))[0][records.which]


@settings(max_examples=300, deadline=None)
@given(n=st.integers(4, 6), k=st.integers(2, 3), seed=st.integers(0, 10**6), slack=st.floats(0.0, 1.0))
def test_the_bound_is_never_above_the_optimum(n: int, k: int, seed: int, slack: float) -> None:
    domain = random_domain(n, seed, missing=seed % 2 == 0)
    optimum = least_loss(domain, k)
    # The loss handed in only sets the length of steps: with a wrong, larger one the bound must hold all the same.
    bound, _ = lower_bound(domain, k, (1 + slack) * optimum + 0.01 * slack, time_limit=0.05)
    assert bound <= optimum + 1e-9


@settings(max_examples=150, deadline=None)
@given(
    n=st.integers(4, 6),
    k=st.integers(2, 3),
    seed=st.integers(0, 10**6),
    missing=st.booleans(),
    keys=st.sampled_from([0, 1, 5]),
)
def test_with_numbers_no_sets_and_no_classes_are_below(n: int, k: int, seed: int, missing: bool, keys: int) -> None:
    domain = joint_domain(n, seed, missing=missing, weights=seed % 3 == 0, keys=keys)
    optimum, classes = least_loss(domain, k), least_loss_of_classes(domain, k)
    assert optimum <= classes + 1e-9  # a partition is never better than the best sets
    for loss_found in (1.2 * optimum + 0.01, optimum):
        assert lower_bound(domain, k, loss_found, time_limit=0.05)[0] <= optimum + 1e-9


def test_numbers_alone_have_a_bound_worth_having() -> None:
    domain = joint_domain(400, 2, keys=0)
    solution = solve(domain, 3)
    bound, _ = lower_bound(domain, 3, solution.gcp, time_limit=3.0)
    x = np.stack([a.position[a.codes] for a in domain.attributes], axis=1)  # type: ignore[index]
    away = np.sort(((x[:, None] - x) ** 2).sum(axis=2), axis=1)[:, 1:3].sum() / 6 / domain.codes.size
    assert 0 < away - 1e-7 <= bound <= solution.gcp
    assert solution.gcp == pytest.approx(np.mean([[lost_variance(c) for c in x[row].T] for row in solution.matches]))


def test_the_bound_closes_on_small_problems() -> None:
    closed = 0
    for seed in range(6):
        domain = random_domain(6, seed)
        optimum = least_loss(domain, 3)
        closed += lower_bound(domain, 3, optimum, time_limit=2.0)[0] >= 0.99 * optimum
    assert closed >= 4


def test_no_time_no_bound() -> None:
    assert lower_bound(random_domain(300, 1), 3, 0.1, time_limit=0.0)[0] == 0.0


@pytest.mark.parametrize("most", [5, 10**6])
def test_many_records_have_a_bound_too(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Leaves of few records make a tree of many leaves; the bound by itself is that of prices 0."""
    monkeypatch.setattr("discreet.generalization.bound.lower_bound.MOST_TUPLES", most)
    monkeypatch.setattr("discreet.generalization.bound.nearest_records.LEAF", 8)
    domain = random_domain(300, 3)
    loss = solve(domain, 3, rounds=5).gcp
    with workers(None) as pool:
        records = distinct(domain, 3)
        alone = _evaluate(domain, 3, np.zeros(records.copies.size)).sum() / domain.codes.size
        assert box_bound(records, 3, pool, Deadline(None), search=True)[0] == pytest.approx(alone, abs=1e-7)
        late, kind = box_bound(records, 3, pool, Deadline(0.0), search=True)
    assert (late, kind) == (0.0, "neighbor distances for 0 % of the records")
    bound, kind = lower_bound(domain, 3, loss, time_limit=5)
    assert kind == ("cheapest boxes" if most == 5 else "Lagrangian")
    assert 0 < alone - 1e-7 <= bound <= loss
