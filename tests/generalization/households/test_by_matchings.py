from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.households import random_households, row_cost, set_cost

from discreet.generalization.households.by_matchings import How, by_matchings, sets_of
from discreet.generalization.households.exchange import set_costs
from discreet.generalization.households.slots import persons_of, slot_domain
from discreet.work import Deadline, Reporter

HOW = How("auto", 0, Deadline(None), Reporter(None), None)


@pytest.mark.parametrize("size", [2, 3, 5])
def test_free_orders_lose_less_than_sorted_ones(size: int) -> None:
    members, shared, unit = random_households([size] * 60, 3)
    persons = persons_of(members, shared, "distinct")
    placed = np.argsort(unit, kind="stable").reshape(60, size)
    covered = by_matchings(persons, placed, 4, HOW)
    households = slot_domain(persons, placed)
    loss = set_costs(persons, households.tables, covered.sets).sum() / households.codes.size
    assert loss < 0.99 * float(covered.detail["loss_of_fixed_orders"])


@settings(max_examples=6, deadline=None)
@given(st.integers(2, 3), st.integers(0, 10**6))
def test_orders_within_sets_are_near_the_best(size: int, seed: int) -> None:
    members, shared, unit = random_households([size] * 8, seed)
    persons = persons_of(members, shared, "distinct")
    covered = by_matchings(persons, np.argsort(unit, kind="stable").reshape(8, size), 3, HOW)
    attributes = [*members, *shared]
    sets = covered.sets.placed.tolist()
    best = [set_cost(attributes, households) for households in sets]
    found = [sum(row_cost(attributes, people) for people in zip(*households)) for households in sets]
    assert all(low <= high + 1e-9 for low, high in zip(best, found))
    assert sum(found) <= 1.1 * sum(best) + 1e-9


def test_sets_list_each_household_once_and_their_own_first() -> None:
    placed = np.arange(8).reshape(4, 2)
    sets = sets_of(placed, np.array([[0, 3, 0, 1], [1, 0, 1, 1], [2, 1, 3, 0], [3, 3, 3, 2]]))
    assert sets.households.tolist() == [[0, 1, 3, 0], [1, 0, 1, 1], [2, 0, 1, 3], [3, 2, 3, 3]]
    assert sets.count.tolist() == [3, 2, 4, 2]
    assert (sets.placed == placed[sets.households]).all()
