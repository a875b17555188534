from __future__ import annotations

import numpy as np
import pytest
from oracles.households import random_households

from discreet.generalization.classes.partition import partition
from discreet.generalization.households.by_classes import by_classes
from discreet.generalization.households.by_matchings import How
from discreet.generalization.households.exchange import set_costs
from discreet.generalization.households.slots import persons_of, slot_domain, sorted_members
from discreet.work import Deadline, Reporter

HOW = How("auto", 0, Deadline(None), Reporter(None), None)


@pytest.mark.parametrize("size", [1, 2, 4, 9])
def test_classes_hold_k_households_and_each_its_own(size: int) -> None:
    members, shared, unit = random_households([size] * 17, 5)
    persons = persons_of(members, shared, "distinct")
    placed = np.argsort(unit, kind="stable").reshape(17, size)
    covered = by_classes(persons, placed, 4, HOW)
    assert covered.turn is None
    assert (covered.sets.count >= 4).all()
    assert (np.sort(covered.home, axis=1) == np.sort(placed, axis=1)).all()
    for r in range(17):
        count = covered.sets.count[r]
        mine = covered.sets.households[r, :count].tolist()
        assert r in mine
        assert (covered.home[r] == covered.sets.placed[r, mine.index(r)]).all()
        for other in mine:
            assert (covered.sets.placed[other] == covered.sets.placed[r]).all()


def test_free_orders_lose_less_than_sorted_ones() -> None:
    members, shared, unit = random_households([3] * 80, 3)
    persons = persons_of(members, shared, "distinct")
    placed = np.argsort(unit, kind="stable").reshape(80, 3)
    fixed = slot_domain(persons, sorted_members(persons, placed, 4))
    start = partition(fixed, 4, seed=0, deadline=Deadline(None), report=Reporter(None)).loss
    covered = by_classes(persons, placed, 4, HOW)
    assert set_costs(persons, fixed.tables, covered.sets).sum() / fixed.codes.size < 0.95 * start
