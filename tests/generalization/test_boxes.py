from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from oracles.generalization import loss
from oracles.generalization_domains import joint_domain, random_domain

from discreet.generalization import domain as domains
from discreet.generalization.bound.cheapest_box import join_cost
from discreet.generalization.boxes import (
    HIGHEST,
    block_of,
    box_cost,
    costs,
    fill_exact,
    fill_row,
    forget,
    gcp,
    savings,
    scratch,
)
from discreet.generalization.domain import FINEST, Codes, Domain, Floats, Tables

cases = given(
    n=st.integers(4, 12),
    k=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    missing=st.booleans(),
    ncp=st.sampled_from(["distinct", "share"]),
)
joint_cases = given(
    n=st.integers(4, 12),
    k=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    missing=st.booleans(),
    keys=st.sampled_from([0, 1, 5]),
)


@settings(max_examples=60, deadline=None)
@cases
def test_costs_follow_the_definition(n: int, k: int, seed: int, missing: bool, ncp: str) -> None:
    domain = random_domain(n, seed, missing=missing, ncp=ncp, weights=True)
    matches = np.array([np.random.default_rng(seed + i).permutation(n)[:k] for i in range(n)])
    assert gcp(domain.tables, domain.codes, matches) == pytest.approx(loss(domain, matches, ncp == "share"), abs=1e-12)


@settings(max_examples=60, deadline=None)
@joint_cases
def test_means_cost_the_variance_within(n: int, k: int, seed: int, missing: bool, keys: int) -> None:
    domain = joint_domain(n, seed, missing=missing, weights=True, keys=keys)
    matches = np.array([np.random.default_rng(seed + i).permutation(n)[:k] for i in range(n)])
    assert gcp(domain.tables, domain.codes, matches) == pytest.approx(loss(domain, matches), abs=1e-12)


def test_what_repeats_the_first_is_no_part_of_a_set() -> None:
    domain = joint_domain(6, 1)
    short, padded = np.array([[3, 0, 5]]), np.array([[3, 0, 5, 3, 3]])
    assert costs(domain.tables, domain.codes, padded) == costs(domain.tables, domain.codes, short)


class Measured(NamedTuple):
    """Of a box, by its members r and the records j: the cost, and by differences of costs against the tables."""

    full: float
    savings: Floats
    without: Floats
    joined: Floats
    rounded: Codes
    joins: Floats
    clean: bool


@njit
def _measure(t: Tables, codes: Codes, members: Codes) -> Measured:
    n, (k, d) = codes.shape[0], members.shape
    s = scratch(t.start[-1])
    out, without = np.empty(k), np.empty(k)
    joined, joins, rounded = np.empty((k, n)), np.empty((k, n)), np.empty((k, n), np.int32)
    full = box_cost(t, s, members, k)
    savings(t, s, members, out)
    block = block_of(t, s, codes)
    others = np.empty((k, d), np.int32)
    for r in range(k):
        others[:r], others[r : k - 1] = members[:r], members[r + 1 :]
        without[r] = box_cost(t, s, others, k - 1)
        fill_exact(t, s, block, others, k - 1, block.exact)
        fill_row(block, t.scale, rounded[r])
        for j in range(n):
            others[k - 1] = codes[j]
            joined[r, j] = box_cost(t, s, others, k)
            joins[r, j] = join_cost(block.exact, block.places[:, j].copy())
    forget(s, block)
    return Measured(full, out, without, joined, rounded, joins, (s.place == -1).all())


@settings(max_examples=60, deadline=None)
@cases
def test_savings_and_added_costs_are_differences_of_costs(n: int, k: int, seed: int, missing: bool, ncp: str) -> None:
    _differences(random_domain(n, seed, missing=missing, ncp=ncp), k, seed)


@settings(max_examples=60, deadline=None)
@joint_cases
def test_savings_and_added_costs_of_means(n: int, k: int, seed: int, missing: bool, keys: int) -> None:
    _differences(joint_domain(n, seed, missing=missing, keys=keys), k, seed)


def _differences(domain: Domain, k: int, seed: int) -> None:
    n = domain.n
    members = domain.codes[np.random.default_rng(seed).permutation(n)[:k]]
    found = _measure(domain.tables, domain.codes, members)
    assert found.savings == pytest.approx(found.full - found.without, abs=1e-12)
    extra = found.joined - found.without[:, None]
    assert found.rounded / domain.tables.scale == pytest.approx(extra, abs=1e-5)
    assert found.joins == pytest.approx(extra, abs=1e-12)
    assert found.clean


def test_one_box_over_everything_costs_one() -> None:
    domain = random_domain(60, 3)
    everyone = np.tile(np.arange(60), (60, 1))
    assert costs(domain.tables, domain.codes, everyone)[0] == pytest.approx(domain.d)


@pytest.mark.parametrize("columns", [1, 40])
def test_outliers_neither_overflow_nor_flatten_the_rest(columns: int) -> None:
    """Numbers of 700 standard deviations in many columns at once, beside ordinary ones."""
    n = 500_000
    x = np.random.default_rng(0).normal(size=n) * 1e-3
    x[:2] = 1.0, -1.0
    domain = domains.domain([domains.mean(f"x{c}", x) for c in range(columns)])
    rows = np.r_[0, 1, np.argsort(x)[[2, 1000, n // 2, n - 3]]]
    found = _measure(domain.tables, domain.codes[rows], domain.codes[rows[:1]])
    far = _measure(domain.tables, domain.codes[rows], domain.codes[rows[[2, 3]]])
    assert abs(found.rounded).max() <= HIGHEST
    assert abs(far.rounded).max() <= HIGHEST
    assert (far.rounded[0, :2] == HIGHEST).all()
    ordinary = far.joined[0, 2:] - far.without[0]
    assert far.rounded[0, 2:] / domain.tables.scale == pytest.approx(ordinary, abs=columns / domain.tables.scale)
    assert domain.tables.scale >= FINEST
