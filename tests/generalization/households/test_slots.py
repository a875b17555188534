from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.households import random_households, row_cost

from discreet.generalization import domain as domains
from discreet.generalization.boxes import costs
from discreet.generalization.households.slots import persons_of, slot_codes, slot_domain, sorted_members


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 4), st.integers(0, 10**6), st.booleans())
def test_a_set_of_households_costs_what_its_rows_cost(size: int, seed: int, missing: bool) -> None:
    members, shared, unit = random_households([size] * 3, seed, missing=missing)
    persons = persons_of(members, shared, "distinct")
    placed = np.argsort(unit, kind="stable").reshape(3, size)
    households = slot_domain(persons, placed)
    assert (households.codes == slot_codes(persons, placed)).all()
    found = costs(households.tables, households.codes, np.array([[0, 1, 2]]))[0] / households.d
    rows = sum(row_cost([*members, *shared], people) for people in placed.T.tolist())
    assert found == pytest.approx(rows / (size * len(persons.attributes)), abs=1e-9)


def test_members_are_sorted_by_what_tells_them_apart() -> None:
    """The first attribute is noise, the second makes them alike slot by slot."""
    rng = np.random.default_rng(0)
    noise, role = rng.random(120), np.tile([0, 1, 2], 40)
    placed = np.stack([rng.permutation(3) + 3 * h for h in range(40)])
    members = [domains.numeric("noise", noise), domains.categorical("role", role, 3, weight=3.0)]
    found = sorted_members(persons_of(members, [], "distinct"), placed, 4)
    assert (role[found] == [0, 1, 2]).all()
    assert (np.sort(found, axis=1) == np.sort(placed, axis=1)).all()
