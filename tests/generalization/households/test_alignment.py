from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.households import random_households, row_cost, set_cost
from scipy.optimize import linear_sum_assignment

from discreet.generalization.households.alignment import align, align_own
from discreet.generalization.households.slots import persons_of, slot_codes, slot_domain


def _aligned(size: int, count: int, seed: int, missing: bool) -> tuple[list, np.ndarray, np.ndarray]:
    members, shared, unit = random_households([size] * count, seed, missing=missing)
    placed = np.argsort(unit, kind="stable").reshape(count, size)
    persons = persons_of(members, shared, "distinct")
    households = slot_domain(persons, placed)
    codes = slot_codes(persons, placed[None])
    before = codes.copy()
    order = align(households.tables, codes, np.array([count]), size, len(members))
    after = np.take_along_axis(placed, order[0], axis=1)
    # The codes are rewritten to match the orders, and the first household keeps its own.
    assert (codes == slot_codes(persons, after[None])).all()
    assert (codes[0, 0] == before[0, 0]).all()
    assert (np.sort(after, axis=1) == np.sort(placed, axis=1)).all()
    return [*members, *shared], placed, after


def _cost(attributes: list, placed: np.ndarray) -> float:
    return sum(row_cost(attributes, people) for people in placed.T.tolist())


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 4), st.integers(0, 10**6), st.booleans())
def test_two_households_are_aligned_at_least_cost(size: int, seed: int, missing: bool) -> None:
    attributes, placed, after = _aligned(size, 2, seed, missing)
    assert _cost(attributes, after) == pytest.approx(set_cost(attributes, placed.tolist()), abs=1e-6)


@settings(max_examples=8, deadline=None)
@given(st.integers(9, 14), st.integers(0, 10**6))
def test_long_households_too(size: int, seed: int) -> None:
    attributes, placed, after = _aligned(size, 2, seed, False)
    cost = np.array([[row_cost(attributes, [i, j]) for j in placed[1]] for i in placed[0]])
    assert _cost(attributes, after) == pytest.approx(cost[linear_sum_assignment(cost)].sum(), abs=1e-5)


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 3), st.integers(3, 4), st.integers(0, 10**6))
def test_no_household_of_a_set_has_a_better_order(size: int, count: int, seed: int) -> None:
    attributes, placed, after = _aligned(size, count, seed, False)
    cost = _cost(attributes, after)
    assert cost <= _cost(attributes, placed) + 1e-9
    for q in range(1, count):
        for order in itertools.permutations(range(size)):
            other = after.copy()
            other[q] = after[q][list(order)]
            assert cost <= _cost(attributes, other) + 1e-6


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_the_last_household_gets_the_order_that_suits_its_matches(size: int, seed: int) -> None:
    members, shared, unit = random_households([size] * 3, seed)
    placed = np.argsort(unit, kind="stable").reshape(3, size)
    persons = persons_of(members, shared, "distinct")
    households = slot_domain(persons, placed)
    matches = np.array([[0, 1], [1, 0], [2, 0]])
    order = align_own(households.tables, slot_codes(persons, placed), matches, size, len(members))
    after = np.take_along_axis(placed, order, axis=1)
    best = set_cost([*members, *shared], [after[0].tolist(), placed[2].tolist()])
    assert _cost([*members, *shared], after[[2, 0]]) == pytest.approx(best, abs=1e-6)
