"""The cheapest box that holds a record and others with prices: exact, or too low where the search was cut."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import least_loss, loss, ncp
from oracles.generalization_domains import joint_domain, random_domain

from discreet.generalization.bound.distinct import distinct, distinct_records
from discreet.generalization.bound.lower_bound import Search, box_bound, lower_bound, neighborhoods
from discreet.generalization.domain import MEAN, Domain
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


def test_far_and_low_priced_tuples_are_not_forgotten() -> None:
    """Lists hold only near tuples; a distant one with a very low price must still be found."""
    domain = random_domain(700, 9)
    _, copies, which = distinct_records(domain.codes)
    prices = np.zeros(copies.size)
    prices[:350] = -5.0  # more than the number that is always looked at
    found = _evaluate(domain, 2, prices, gcp=0.0)
    for i in range(0, 700, 97):
        assert found[i] == pytest.approx(_cheapest(domain, i, 2, prices[which]), abs=1e-7)
