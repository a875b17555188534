from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization_domains import random_domain

from discreet.generalization import domain as domains
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
