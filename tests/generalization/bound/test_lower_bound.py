from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import least_loss, least_loss_of_classes, loss, lost_variance, ncp
from oracles.generalization_domains import joint_domain, random_domain

from discreet.generalization.bound.distinct import distinct, distinct_records
from discreet.generalization.bound.lower_bound import Search, box_bound, lower_bound, neighborhoods
from discreet.generalization.bound.pair_bound import pair_bound
from discreet.generalization.domain import MEAN, Domain
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


def _cheapest(domain: Domain, i: int, k: int, prices: np.ndarray) -> float:
    others = [j for j in range(domain.n) if j != i]
    return min(
        loss(domain, [(i, *chosen)]) * domain.codes.size + prices[list(chosen)].sum()
        for chosen in itertools.combinations(others, k - 1)
    )


@settings(max_examples=25, deadline=None)
@given(n=st.integers(4, 9), k=st.integers(2, 4), seed=st.integers(0, 10**6), missing=st.booleans())
def test_cheapest_priced_sets_are_exact(n: int, k: int, seed: int, missing: bool) -> None:
    domain = random_domain(n, seed, missing=missing)
    _, copies, which = distinct_records(domain.codes)
    prices = np.random.default_rng(seed).normal(scale=0.3, size=copies.size)
    found = _evaluate(domain, k, prices)
    for i in range(n):
        assert found[i] == pytest.approx(_cheapest(domain, i, k, prices[which]), abs=1e-7)
    cut = _evaluate(domain, k, prices, node_limit=0)
    assert (cut <= found + 1e-9).all()


@settings(max_examples=300, deadline=None)
@given(n=st.integers(4, 6), k=st.integers(2, 3), seed=st.integers(0, 10**6), slack=st.floats(0.0, 1.0))
def test_the_bound_is_never_above_the_optimum(n: int, k: int, seed: int, slack: float) -> None:
    domain = random_domain(n, seed, missing=seed % 2 == 0)
    optimum = least_loss(domain, k)
    # The loss handed in only sets the length of steps: with a wrong, larger one the bound must hold all the same.
    bound, _ = lower_bound(domain, k, (1 + slack) * optimum + 0.01 * slack, time_limit=0.05)
    assert bound <= optimum + 1e-9


def _priced(domain: Domain, i: int, k: int, prices: np.ndarray) -> float:
    """The cheapest box around i and k − 1 others, with a price on others for numbers that differ from those of i."""
    weights = np.array([a.weight for a in domain.attributes])
    weights = weights / weights.mean()
    means = [a for a, attribute in enumerate(domain.attributes) if attribute.kind == MEAN]
    boxes = [a for a, attribute in enumerate(domain.attributes) if attribute.kind != MEAN]

    def price(j: int) -> float:
        total = 0.0
        for a in means:
            x, y = (domain.attributes[a].position[domain.codes[r, a]] for r in (i, j))
            one = np.isnan(x) != np.isnan(y)
            total += weights[a] * (1 / (2 * (k - 1)) if one else 0.0 if np.isnan(x) else (x - y) ** 2 / (2 * k))
        return total

    return min(
        sum(weights[a] * ncp(domain.attributes[a], domain.codes[[i, *chosen], a].tolist()) for a in boxes)
        + sum(prices[j] + price(j) for j in chosen)
        for chosen in itertools.combinations([j for j in range(domain.n) if j != i], k - 1)
    )


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(4, 9),
    k=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    missing=st.booleans(),
    keys=st.sampled_from([0, 2, 5]),
)
def test_cheapest_sets_with_numbers_are_exact(n: int, k: int, seed: int, missing: bool, keys: int) -> None:
    domain = joint_domain(n, seed, missing=missing, weights=True, keys=keys)
    records = distinct(domain, k)
    prices = np.random.default_rng(seed).normal(scale=0.3, size=records.copies.size)
    found, cut = (_evaluate(domain, k, prices, node_limit=limit) for limit in (20_000, 0))
    for i in range(n):
        assert found[i] == pytest.approx(_priced(domain, i, k, prices[records.which]), abs=1e-7)
    assert (cut <= found + 1e-9).all()
    with workers(None) as pool:
        alone = sum(_priced(domain, i, k, np.zeros(n)) for i in range(n)) / domain.codes.size
        near, searched = (box_bound(records, k, pool, Deadline(None), search=s)[0] for s in (False, True))
    assert near <= searched + 1e-9
    assert searched <= alone + 1e-9


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


@pytest.mark.parametrize("keys", [0, 5])
@pytest.mark.parametrize("missing", [False, True])
def test_pairs_with_numbers_are_proven_optimal(keys: int, missing: bool) -> None:
    domain = joint_domain(300, 8, missing=missing, keys=keys)
    solution = solve(domain, 2)
    bound, kind = lower_bound(domain, 2, solution.gcp, time_limit=5.0, prices=solution.prices)
    assert kind == "assignment duals"
    assert 0.9999 * solution.gcp <= bound <= solution.gcp


def test_numbers_alone_have_a_bound_worth_having() -> None:
    domain = joint_domain(400, 2, keys=0)
    solution = solve(domain, 3)
    bound, _ = lower_bound(domain, 3, solution.gcp, time_limit=3.0)
    x = np.stack([a.position[a.codes] for a in domain.attributes], axis=1)  # type: ignore[index]
    away = np.sort(((x[:, None] - x) ** 2).sum(axis=2), axis=1)[:, 1:3].sum() / 6 / domain.codes.size
    assert 0 < away - 1e-7 <= bound <= solution.gcp
    assert solution.gcp == pytest.approx(np.mean([[lost_variance(c) for c in x[row].T] for row in solution.matches]))


@pytest.mark.parametrize("seed", [291514, 297342, 551472])
def test_a_free_first_value_is_not_taken_for_a_box_seen_before(seed: int) -> None:
    """In these domains a tuple joins a box of wildcards for nothing and yet makes others dear."""
    domain = random_domain(6, seed, missing=True)
    _, copies, which = distinct_records(domain.codes)
    for draw in range(200):
        prices = np.random.default_rng(draw).normal(scale=0.3, size=copies.size)
        found = _evaluate(domain, 3, prices)
        assert all(found[i] <= _cheapest(domain, i, 3, prices[which]) + 1e-7 for i in range(6))
    optimum = least_loss(domain, 3)
    assert lower_bound(domain, 3, 1.4 * optimum, time_limit=0.2)[0] <= optimum + 1e-9


def test_the_bound_closes_on_small_problems() -> None:
    closed = 0
    for seed in range(6):
        domain = random_domain(6, seed)
        optimum = least_loss(domain, 3)
        closed += lower_bound(domain, 3, optimum, time_limit=2.0)[0] >= 0.99 * optimum
    assert closed >= 4


def test_the_duals_of_pairs_prove_them_optimal() -> None:
    domain = random_domain(400, 8)
    solution = solve(domain, 2)
    bound, kind = lower_bound(domain, 2, solution.gcp, time_limit=5.0, prices=solution.prices)
    assert kind == "assignment duals"
    assert 0.9999 * solution.gcp <= bound <= solution.gcp
    records = distinct(domain, 2)
    with workers(None) as pool:
        wrong = np.random.default_rng(0).normal(size=records.copies.size)
        assert pair_bound(records, wrong, pool) <= solution.gcp


def test_far_and_low_priced_tuples_are_not_forgotten() -> None:
    """Lists hold only near tuples; a distant one with a very low price must still be found."""
    domain = random_domain(700, 9)
    _, copies, which = distinct_records(domain.codes)
    prices = np.zeros(copies.size)
    prices[:350] = -5.0  # more than the number that is always looked at
    found = _evaluate(domain, 2, prices, gcp=0.0)
    for i in range(0, 700, 97):
        assert found[i] == pytest.approx(_cheapest(domain, i, 2, prices[which]), abs=1e-7)


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
