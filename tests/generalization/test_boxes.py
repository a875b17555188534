from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import loss
from oracles.generalization_domains import random_domain

from discreet.generalization.bound.cheapest_box import join_cost
from discreet.generalization.boxes import block_of, box_cost, costs, fill_exact, fill_row, forget, gcp, savings, scratch

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


@settings(max_examples=60, deadline=None)
@cases
def test_savings_and_added_costs_are_differences_of_costs(n: int, k: int, seed: int, missing: bool, ncp: str) -> None:
    domain = random_domain(n, seed, missing=missing, ncp=ncp)
    t, s = domain.tables, scratch(domain.tables.start[-1])
    members = domain.codes[np.random.default_rng(seed).permutation(n)[:k]]
    full = box_cost(t, s, members, k)
    out = np.empty(k)
    savings(t, s, members, out)
    block = block_of(t, s, domain.codes)
    row = np.empty(n, np.int32)
    for r in range(k):
        others = np.delete(members, r, axis=0)
        without = box_cost(t, s, others, k - 1)
        assert out[r] == pytest.approx(full - without, abs=1e-12)
        fill_exact(t, s, block, others, k - 1, block.exact)
        fill_row(block, t.scale, row)
        for j in range(n):
            joined = np.vstack([others, domain.codes[j : j + 1]])
            extra = box_cost(t, s, joined, k) - without
            assert row[j] / t.scale == pytest.approx(extra, abs=1e-5)
            assert join_cost(block.exact, block.places[:, j]) == pytest.approx(extra, abs=1e-12)
    forget(s, block)
    assert (s.place == -1).all()


def test_one_box_over_everything_costs_one() -> None:
    domain = random_domain(60, 3)
    everyone = np.tile(np.arange(60), (60, 1))
    assert costs(domain.tables, domain.codes, everyone)[0] == pytest.approx(domain.d)
