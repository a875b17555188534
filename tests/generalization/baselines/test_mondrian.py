"""Mondrian: groups of k to 2k − 1, cut where the values change, each record covering its group."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import loss
from oracles.generalization_domains import random_domain

from discreet.generalization import domain as domains
from discreet.generalization.baselines.mondrian import groups, whole_groups


@settings(max_examples=25)
@given(n=st.integers(2, 80), k=st.integers(1, 6), seed=st.integers(0, 10**6), missing=st.booleans())
def test_every_record_is_in_one_group_of_k_to_2k_minus_1(n: int, k: int, seed: int, missing: bool) -> None:
    k = min(k, n)
    order, ends = groups(random_domain(n, seed, missing=missing), k)
    assert sorted(order.tolist()) == list(range(n))
    assert ends[0] == 0 and ends[-1] == n
    sizes = np.diff(ends)
    assert sizes.min() >= k and sizes.max() <= max(2 * k - 1, k)


def test_clusters_are_cut_apart_rather_than_at_the_median() -> None:
    values = np.array([0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 9.0, 9.0])
    domain = domains.domain([domains.numeric("x", values)])
    order, ends = groups(domain, 3)
    assert {frozenset(values[order[a:b]].tolist()) for a, b in pairwise(ends)} == {
        frozenset({0.0}),
        frozenset({9.0}),
    }


@pytest.mark.parametrize("seed", range(5))
def test_the_first_cut_is_the_best_of_all_attributes_medians(seed: int) -> None:
    """With one cut to make: no cut at the median of an attribute loses less."""
    rng = np.random.default_rng(seed)
    columns = [rng.permutation(8).astype(float) for _ in range(3)]
    domain = domains.domain([domains.numeric(f"c{j}", column) for j, column in enumerate(columns)])
    cover = whole_groups(groups(domain, 4))
    found = loss(domain, cover.tolist())
    for column in columns:
        order = np.argsort(column)
        halves = {int(v): order[:4] if place < 4 else order[4:] for place, v in enumerate(order)}
        assert found <= loss(domain, [halves[v].tolist() for v in range(8)]) + 1e-12


def test_each_record_covers_its_group_and_short_groups_are_filled_with_their_first() -> None:
    cover = whole_groups((np.array([2, 0, 4, 1, 3]), np.array([0, 2, 5])))
    assert cover.tolist() == [[2, 0, 2], [4, 1, 3], [2, 0, 2], [4, 1, 3], [4, 1, 3]]
