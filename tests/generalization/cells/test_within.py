"""The domain of a block: its own values only, at the costs of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization_domains import random_domain

from discreet.generalization.boxes import costs
from discreet.generalization.cells.within import restricted
from discreet.generalization.domain import alone, domain


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), missing=st.booleans(), ncp=st.sampled_from(["distinct", "share"]))
def test_boxes_cost_in_a_block_what_they_cost_in_the_whole(seed: int, missing: bool, ncp: str) -> None:
    whole = random_domain(60, seed, missing=missing, ncp=ncp, weights=True)
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(60, 15, replace=False))
    own, kept = restricted(whole.attributes, whole.tables, whole.codes[rows], {0, 1})
    local = rng.integers(0, 15, (40, 4))
    assert costs(own.tables, own.codes, local) == pytest.approx(costs(whole.tables, whole.codes, rows[local]))
    for a, values in enumerate(kept):
        known = own.codes[:, a] >= 0
        assert (values[own.codes[known, a]] == whole.codes[rows[known], a]).all()
        assert (whole.codes[rows[~known], a] < 0).all()
        assert own.attributes[a].size == values.size == own.tables.start[a + 1] - own.tables.start[a]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), ncp=st.sampled_from(["distinct", "share"]))
def test_one_attribute_alone_costs_what_it_would_by_itself(seed: int, ncp: str) -> None:
    whole = random_domain(40, seed, missing=True, ncp=ncp, weights=True)
    matches = np.random.default_rng(seed).integers(0, 40, (40, 3))
    for a, attribute in enumerate(whole.attributes):
        one, same = alone(whole, a), domain([attribute], ncp=ncp)
        assert costs(one.tables, one.codes, matches) == pytest.approx(costs(same.tables, same.codes, matches))
