"""Households of one size in classes of k or more: those of a class are published alike, slot by slot.

A household is in one class only, so its order there is its order. The partition is found for sorted orders
(`classes/partition.py`), orders are improved within classes (`alignment.py`), classes exchange households, each in the
order that suits it (`exchange.py`); then all is repeated with the orders found while that pays.
"""

from __future__ import annotations

import numpy as np

from discreet.generalization.classes.partition import partition
from discreet.generalization.domain import Integers
from discreet.generalization.households.by_matchings import PAYS, Covered, How, aligned, rounds
from discreet.generalization.households.exchange import Effort, Sets, improve, set_costs
from discreet.generalization.households.slots import Persons, slot_domain, sorted_members
from discreet.methods import Detail, Status
from discreet.scale import workers

AGAIN = 2
"""How often a partition is searched for, at the most."""


def by_classes(persons: Persons, placed: Integers, k: int, how: How) -> Covered:
    """Classes of the households `placed` (one a row, a member a column)."""
    placed = sorted_members(persons, placed, k)
    best, least, done = None, np.inf, 0
    status: Status = "complete"
    for _ in range(AGAIN if placed.shape[1] > 1 else 1):
        households = slot_domain(persons, placed)
        found = partition(households, k, seed=how.seed, deadline=how.deadline, report=how.report, executor=how.executor)
        sets = _sets(placed, found.labels)
        aligned(persons, households.tables, sets)
        with workers(how.executor) as pool:
            effort = Effort(rounds(sets.count.size), how.seed, pool, how.deadline, how.report)
            done += improve(persons, households.tables, sets, effort, classes=True) if placed.shape[1] > 1 else 0
        aligned(persons, households.tables, sets)
        cost = float((set_costs(persons, households.tables, sets) * sets.count).sum())
        if cost < least:
            gain, least, best = 1.0 - cost / least if np.isfinite(least) else 1.0, cost, sets
        else:
            gain = 0.0
        if how.deadline.passed:
            status = "time limit"
        if gain < PAYS or how.deadline.passed:
            break
        placed = _orders(placed, sets)
    assert best is not None
    detail: Detail = {"classes": best.count.size, "rounds": done}
    return Covered(*_spread(best, placed), None, "classes", status, detail)


def _sets(placed: Integers, labels: Integers) -> Sets:
    """One set a class, its households in the order of their numbers."""
    order = np.argsort(labels, kind="stable")
    count = np.bincount(labels)
    begin = np.concatenate([[0], np.cumsum(count)[:-1]])
    inside = np.arange(int(count.max()))
    households = order[np.where(inside < count[:, None], begin[:, None] + inside, begin[:, None])]
    return Sets(households, placed[households], count)


def _orders(placed: Integers, sets: Sets) -> Integers:
    """The order that every household has in its class."""
    out = placed.copy()
    here = np.arange(sets.households.shape[1]) < sets.count[:, None]
    out[sets.households[here]] = sets.placed[here]
    return out


def _spread(sets: Sets, placed: Integers) -> tuple[Sets, Integers]:
    """The set of each household, which is its class, the same for all of it; and its members in the slots."""
    here = np.arange(sets.households.shape[1]) < sets.count[:, None]
    which = np.empty(placed.shape[0], np.int64)
    which[sets.households[here]] = np.nonzero(here)[0]
    return Sets(sets.households[which], sets.placed[which], sets.count[which]), _orders(placed, sets)
