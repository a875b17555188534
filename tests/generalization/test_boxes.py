from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from oracles.generalization import loss
from oracles.generalization_domains import random_domain

from discreet.generalization.bound.cheapest_box import join_cost
from discreet.generalization.boxes import block_of, box_cost, costs, fill_exact, fill_row, forget, gcp, savings, scratch
from discreet.generalization.domain import Codes, Floats, Tables

cases = given(
    n=st.integers(4, 12),
    k=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    missing=st.booleans(),
    ncp=st.sampled_from(["distinct", "share"]),
)


@settings(max_examples=60, deadline=None)
@cases
def test_costs_follow_the_definition(n: int, k: int, seed: int, missing: bool, ncp: str) -> None:
    domain = random_domain(n, seed, missing=missing, ncp=ncp, weights=True)
    matches = np.array([np.random.default_rng(seed + i).permutation(n)[:k] for i in range(n)])
    assert gcp(domain.tables, domain.codes, matches) == pytest.approx(loss(domain, matches, ncp == "share"), abs=1e-12)


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
    domain = random_domain(n, seed, missing=missing, ncp=ncp)
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
