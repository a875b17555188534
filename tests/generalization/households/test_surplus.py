from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.households import random_households, set_cost

from discreet.generalization import domain as domains
from discreet.generalization.households.slots import persons_of
from discreet.generalization.households.surplus import kept_members


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 3), st.integers(1, 2), st.integers(0, 10**6))
def test_with_one_household_to_compare_the_choice_is_the_best(size: int, more: int, seed: int) -> None:
    members, shared, unit = random_households([size, size + more], seed)
    attributes = [*members, *shared]
    counts = dict(zip(*np.unique(unit, return_counts=True)))
    small, large = sorted(counts, key=lambda u: counts[u])
    exact, larger = np.flatnonzero(unit == small)[None], np.flatnonzero(unit == large)
    (kept,) = kept_members(persons_of(members, shared, "distinct"), [larger], exact, 2)
    assert set(kept) <= set(larger)
    assert len(set(kept)) == size
    best = min(
        set_cost(attributes, [exact[0].tolist(), list(chosen)]) for chosen in itertools.combinations(larger, size)
    )
    assert abs(set_cost(attributes, [exact[0].tolist(), kept.tolist()]) - best) < 1e-9


def test_who_resembles_the_nearest_households_is_kept() -> None:
    age = np.array([30.0, 32, 31, 33, 70, 72, 31, 32, 71])  # three couples, then three persons of one household
    members = [domains.numeric("age", age)]
    exact = np.arange(6).reshape(3, 2)
    (kept,) = kept_members(persons_of(members, [], "distinct"), [np.array([6, 8, 7])], exact, 3)
    assert sorted(kept.tolist()) == [6, 7]
