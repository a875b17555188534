from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import least_loss, loss
from oracles.generalization_domains import random_domain

from discreet.generalization.bound.lower_bound import (
    Search,
    box_bound,
    distinct_records,
    lower_bound,
    neighborhoods,
    pair_bound,
)
from discreet.generalization.domain import Domain
from discreet.generalization.methods import solve
from discreet.scale import workers
from discreet.work import Deadline


def _evaluate(domain: Domain, k: int, prices: np.ndarray, node_limit: int = 20_000, gcp: float = 0.05) -> np.ndarray:
    codes, copies, which = distinct_records(domain.codes)
    with workers(None) as pool:
        tuples = neighborhoods(domain, codes, copies, k, gcp, pool, Deadline(None))
        assert tuples is not None
        search = Search(domain, tuples, k, node_limit)
        return search.evaluate(prices, pool, Deadline(None))[0][which]


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
    codes, copies, _ = distinct_records(domain.codes)
    with workers(None) as pool:
        wrong = np.random.default_rng(0).normal(size=copies.size)
        assert pair_bound(domain, codes, copies, wrong, pool) <= solution.gcp


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
        codes, copies, _ = distinct_records(domain.codes)
        alone = _evaluate(domain, 3, np.zeros(copies.size)).sum() / domain.codes.size
        assert box_bound(domain, codes, copies, 3, pool, Deadline(None), search=True)[0] == pytest.approx(
            alone, abs=1e-7
        )
        late, kind = box_bound(domain, codes, copies, 3, pool, Deadline(0.0), search=True)
    assert (late, kind) == (0.0, "neighbor distances for 0 % of the records")
    bound, kind = lower_bound(domain, 3, loss, time_limit=5)
    assert kind == ("cheapest boxes" if most == 5 else "Lagrangian")
    assert 0 < alone - 1e-7 <= bound <= loss
