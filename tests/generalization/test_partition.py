from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization_domains import random_domain

from discreet.generalization import domain as domains
from discreet.generalization.baselines.ring import groups, ring, whole_groups
from discreet.generalization.partition import NO_RANDOM, kd_blocks, lexicographic


@settings(max_examples=30, deadline=None)
@given(n=st.integers(5, 400), seed=st.integers(0, 10**6), missing=st.booleans(), random=st.booleans())
def test_kd_blocks_partition_the_records(n: int, seed: int, missing: bool, random: bool) -> None:
    domain = random_domain(n, seed, missing=missing)
    state = np.array([seed], np.uint64) if random else NO_RANDOM
    order, ends = kd_blocks(domain.tables, domain.codes, np.arange(n), 40, 10, state)
    sizes = np.diff(ends)
    assert sorted(order) == list(range(n))
    assert sizes.max() <= 40
    assert sizes.min() >= min(n, 10)


def test_values_that_all_differ_are_cut_too() -> None:
    domain = domains.domain([domains.numeric("x", np.random.default_rng(0).normal(size=5000))])
    order, ends = kd_blocks(domain.tables, domain.codes, np.arange(5000), 100, 25, NO_RANDOM)
    position = domain.codes[order, 0]
    for a, b in pairwise(ends):
        assert position[a:b].max() - position[a:b].min() == b - a - 1  # each block is an interval


def test_lexicographic_runs() -> None:
    domain = random_domain(100, 1)
    order, ends = lexicographic(domain, 25, [3, 0, 1, 2, 4])
    assert np.diff(ends).tolist() == [25] * 4
    keys = [tuple(domain.codes[i, [3, 0, 1, 2, 4]]) for i in order]
    assert keys == sorted(keys)


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
