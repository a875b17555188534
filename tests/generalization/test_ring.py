from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization_domains import random_domain

from discreet.generalization.baselines.mondrian import groups, whole_groups
from discreet.generalization.ring import ring


@settings(max_examples=20, deadline=None)
@given(n=st.integers(4, 200), k=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_groups_have_k_to_2k_minus_1_and_rings_stay_within(n: int, k: int, seed: int) -> None:
    k = min(k, n)
    domain = random_domain(n, seed)
    partition = groups(domain, k)
    sizes = np.diff(partition[1])
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1 or n < 2 * k
    matches, cover = ring(domain, partition, k), whole_groups(partition)
    assert all(set(m) <= set(c) for m, c in zip(matches.tolist(), cover.tolist()))
