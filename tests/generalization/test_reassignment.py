from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization_domains import joint_domain, random_domain

from discreet.generalization import domain as domains
from discreet.generalization.boxes import costs
from discreet.generalization.methods import solve
from discreet.generalization.partition import NO_RANDOM, kd_blocks
from discreet.generalization.reassignment import outliers_meet


@settings(max_examples=20, deadline=None)
@given(n=st.integers(30, 300), seed=st.integers(0, 10**6))
def test_the_rows_of_the_greatest_loss_are_a_block(n: int, seed: int) -> None:
    domain = joint_domain(n, seed)
    matches = solve(domain, 3, method="ring").matches
    before = kd_blocks(domain.tables, domain.codes, np.arange(n), 16, 4, NO_RANDOM)
    order, ends = outliers_meet(domain, matches, before, 16)
    cost = costs(domain.tables, domain.codes, matches)
    assert cost[order[: ends[1]]].min() >= cost[order[ends[1] :]].max()
    assert sorted(order) == list(range(n))
    assert ends[0] == 0
    assert ends[-1] == n
    assert (np.diff(ends) > 0).all()
    assert np.diff(ends).max() <= 16
    boxes = random_domain(n, seed)
    assert outliers_meet(boxes, matches, before, 16) is before


def test_outliers_find_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A skewed number beside keys that cut its outliers apart: the loss is less where they meet."""
    rng = np.random.default_rng(2)
    x, keys = np.exp(1.8 * rng.normal(size=3000)), rng.integers(0, 4, (3000, 6))
    domain = domains.domain(
        [domains.mean("x", x), *(domains.categorical(f"key{c}", keys[:, c], 4) for c in range(keys.shape[1]))]
    )
    met = solve(domain, 4, rounds=30).gcp
    monkeypatch.setattr(
        "discreet.generalization.reassignment.outliers_meet", lambda domain, matches, partition, block: partition
    )
    assert met < 0.99 * solve(domain, 4, rounds=30).gcp
