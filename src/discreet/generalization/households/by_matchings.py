"""Households of one size with k matches each: a search on sorted orders, then one in which orders are free.

1. Members are sorted (`slots.py`), households are records, and the method of the caller finds k disjoint perfect
   matchings of small loss. What it sees of an order of members is that one only.
2. Within every set the orders are improved (`alignment.py`).
3. Sets exchange households, each in the order that suits it (`exchange.py`), and orders are improved again. For
   households of more than `BY_SUBSETS` members that would take too long: they get new orders, each household that of
   least cost beside its matches in theirs, and are searched again while that pays.

The k matchings are peeled off at the level of households; they depend on the sets alone, not on what will be drawn.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from discreet.generalization.domain import Domain, Integers, Tables
from discreet.generalization.extraction import peel, stream
from discreet.generalization.households.alignment import BY_SUBSETS, align, align_own
from discreet.generalization.households.exchange import Effort, Sets, improve
from discreet.generalization.households.slots import Persons, slot_codes, slot_domain, sorted_members
from discreet.generalization.methods import Call, Problem, Solution, search
from discreet.methods import Detail, Status
from discreet.scale import workers
from discreet.work import Deadline, Reporter

SHORT = 20
"""Rounds of a search, where another one follows."""

AGAIN = 3
"""How often long households are searched again, at the most."""

PAYS = 0.002
"""The share of the loss that another search must gain."""


class How(NamedTuple):
    """How to search."""

    method: str
    seed: int
    deadline: Deadline
    report: Reporter
    executor: Executor | None


@dataclass(frozen=True)
class Covered:
    """The set of each household of one size, `home[r]` being the members of household r in the slots of its set.

    `turn[r, t]` is the place, in set r, of the household that matching t puts there; None for classes.
    """

    sets: Sets = field(repr=False)
    home: Integers = field(repr=False)
    turn: Integers | None = field(repr=False)
    method: str
    status: Status
    detail: Detail


def by_matchings(persons: Persons, placed: Integers, k: int, how: How) -> Covered:
    """Sets for the households `placed` (one a row, a member a column): each has k matches, and is one of k others'."""
    placed = sorted_members(persons, placed, k)
    households = slot_domain(persons, placed)
    size = placed.shape[1]
    longer = how.method in ("auto", "reassign") and size > 1
    found = _searched(households, k, how, short=longer)
    if longer and size > BY_SUBSETS:
        placed, households, found = _again(persons, placed, k, how, found)
    sets = sets_of(placed, found.covered)
    aligned(persons, households.tables, sets)
    done = 0
    if longer:
        with workers(how.executor) as pool:
            effort = Effort(rounds(placed.shape[0]), how.seed, pool, how.deadline, how.report)
            done = improve(persons, households.tables, sets, effort)
        aligned(persons, households.tables, sets)
    matches, matchings = (sets.households, None) if longer else (found.matches, found.matchings)
    late = found.status == "time limit" or (done > 0 and how.deadline.passed)
    return Covered(
        sets,
        sets.placed[:, 0],
        _turns(sets, matches, matchings, how.seed),
        found.method,
        "time limit" if late else "complete",
        {"loss_of_fixed_orders": found.gcp, "rounds": done},
    )


def rounds(n: int) -> int:
    """Six hundred thousand households in all; 20 … 100 rounds."""
    return int(np.clip(600_000 / max(n, 1), 20, 100))


def _searched(households: Domain, k: int, how: How, *, short: bool) -> Solution:
    """The matches that the method finds where orders are fixed."""
    options = {"rounds": SHORT} if short else {}
    call = Call(
        problem=Problem(households, k),
        deadline=how.deadline,
        report=how.report,
        seed=how.seed,
        executor=how.executor,
        options=options,
    )
    return search(how.method, call)


def _again(persons: Persons, placed: Integers, k: int, how: How, found: Solution) -> tuple[Integers, Domain, Solution]:
    """Orders of members that fit those of the matches, and what the search finds with them."""
    households = slot_domain(persons, placed)
    for _ in range(AGAIN):
        if how.deadline.passed:
            break
        codes, size = slot_codes(persons, placed), placed.shape[1]
        order = align_own(households.tables, codes, found.matches, size, len(persons.members))
        new = np.take_along_axis(placed, order, axis=1)
        other = slot_domain(persons, new)
        result = _searched(other, k, how, short=True)
        if result.gcp >= (1.0 - PAYS) * found.gcp:
            break
        placed, households, found = new, other, result
    return placed, households, found


def sets_of(placed: Integers, ids: Integers) -> Sets:
    """Sets of households in their fixed orders; `ids` lists those of each set, its own first, some twice."""
    n = ids.shape[0]
    own = np.arange(n)
    ranked = np.sort(ids, axis=1)
    fresh = np.ones(ids.shape, bool)
    fresh[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    fresh &= ranked != own[:, None]
    count = fresh.sum(axis=1) + 1
    households = np.repeat(own[:, None], int(count.max()), axis=1)
    r, q = np.nonzero(fresh)
    households[r, (np.cumsum(fresh, axis=1))[r, q]] = ranked[r, q]
    return Sets(households, placed[households], count.astype(np.int64))


def aligned(persons: Persons, t: Tables, sets: Sets) -> None:
    """Improve the orders within every set, in place."""
    size = sets.placed.shape[2]
    if size > 1:
        order = align(t, slot_codes(persons, sets.placed), sets.count, size, len(persons.members))
        sets.placed[:] = np.take_along_axis(sets.placed, order, axis=2)


def _turns(sets: Sets, matches: Integers, matchings: Integers | None, seed: int) -> Integers:
    """The place in set r of the household that each of k disjoint perfect matchings puts there."""
    if matchings is None:
        matchings = peel(stream(seed, "matchings"), np.ascontiguousarray(matches))
    found = (sets.households[:, None, :] == matchings.T[:, :, None]) & (
        np.arange(sets.households.shape[1]) < sets.count[:, None, None]
    )
    return found.argmax(axis=2)
