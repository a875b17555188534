"""Exchange of whole households between sets: as in `reassignment.py`, but each is taken in the order that suits it.

In each block of a partition every set gives up one household, and those given up are assigned anew. What a household
adds to a set is its least cost over all orders of its members (`alignment.py`), where a search on fixed orders sees
one order only: two couples of which one has the older wife look alike here. Taking back what was given up, in the
order it had, is feasible, so the loss never rises. Prices carry over from round to round as in `reassignment.py`.

A set of a class of m households is published m times, so its cost counts m times; with matchings every set counts once
and keeps its own household, the first.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import HIGHEST, block_of, costs, fill_exact, forget, scratch
from discreet.generalization.domain import Codes, Domain, Floats, Integers, Tables
from discreet.generalization.households.alignment import BY_SUBSETS, least_order, member_costs, trace_order, turned
from discreet.generalization.households.slots import Persons, slot_codes
from discreet.generalization.partition import kd_blocks
from discreet.generalization.reassignment import OUTLIERS, chunks, give_up, outliers_meet
from discreet.generalization.travel import call
from discreet.kernels.randoms import next_random
from discreet.scale import ordered_map
from discreet.solvers.assignment import FORBIDDEN, assign
from discreet.work import Deadline, Reporter

Costs = NDArray[np.int32]

BLOCK = 256
"""Sets that exchange households together."""

Exchanged = tuple[Integers, Integers, Integers, Costs]


@dataclass(frozen=True)
class Sets:
    """Sets of households of one size, member for member.

    `households[r, :count[r]]` numbers those of set r, what follows repeats the first; `placed[r, q, slot]` is the
    person of the q-th household in the slot.
    """

    households: Integers
    placed: Integers
    count: Integers


class Given(NamedTuple):
    """The sets of some blocks (`Sets`), as codes in their orders, with prices, and where each block begins."""

    ids: Integers
    codes: Codes
    held: Integers
    prices: Costs
    ends: Integers


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def exchange(
    t: Tables, given: Given, slot: Integers, size: int, d: int, classes: bool
) -> tuple[Integers, Integers, Costs]:
    """For every set: the row whose household it receives, in which order, and the new price of the one it gave up."""
    rows, most, width = given.codes.shape
    giver, order = np.empty(rows, np.int64), np.empty((rows, size), np.int64)
    new_price = np.empty(rows, np.int32)
    s = scratch(t.start[-1])
    others, cost, value = np.empty((most, width), np.int32), np.empty((size, size)), np.empty(1 << size)
    for b in range(given.ends.shape[0] - 1):
        low, m = given.ends[b], given.ends[b + 1] - given.ends[b]
        columns, turns = np.empty((m * size, width), np.int32), np.empty((size, width), np.int32)
        dual, kept = np.empty(m, np.int32), np.empty(m, np.int32)
        before = 0
        for i in range(m):
            r = low + i
            turned(given.codes[r, slot[r]], size, d, turns)
            for turn in range(size):
                columns[turn * m + i] = turns[turn]
            dual[i], kept[i] = -given.prices[r, slot[r]], i
            before += dual[i]
        whole = np.empty((m, m), np.int32)
        block = block_of(t, s, columns)
        for i in range(m):
            r = low + i
            rest = given.held[r] - 1
            scale = t.scale * (given.held[r] / most if classes else 1.0)
            for q in range(rest):
                others[q] = given.codes[r, q + (q >= slot[r])]
            fill_exact(t, s, block, others, rest, block.exact)
            for c in range(m):
                added = member_costs(block, c, m, size, d, cost) + least_order(cost, size, value)
                whole[i, c] = np.int32(min(max(added * scale, -float(HIGHEST)), float(HIGHEST)) + 0.5)
                for q in range(given.held[r]):
                    if q != slot[r] and given.ids[r, q] == given.ids[low + c, slot[low + c]]:
                        whole[i, c] = FORBIDDEN
        column = assign(whole, dual, kept) if m > 1 else kept
        after = 0
        for i in range(m):
            after += dual[i]
        shift = (after - before) // m
        for i in range(m):
            r, c = low + i, column[i] if column[i] >= 0 else i
            giver[r], new_price[r] = low + c, shift - dual[i]
            for q in range(given.held[r] - 1):
                others[q] = given.codes[r, q + (q >= slot[r])]
            fill_exact(t, s, block, others, given.held[r] - 1, block.exact)
            member_costs(block, c, m, size, d, cost)
            least_order(cost, size, value)
            trace_order(cost, size, value, order[r])
        forget(s, block)
    return giver, order, new_price


def exchange_blocks(t: Tables, given: Given, seed: np.uint64, size: int, d: int, classes: bool) -> Exchanged:
    """For every set: the place of the household it gave up, and what `exchange` returns."""
    if classes:
        slot = (np.random.default_rng(int(seed)).random(given.held.size) * given.held).astype(np.int64)
    else:
        slot = give_up(t, given.ids, given.codes, given.prices, seed)
    return slot, *exchange(t, given, slot, size, d, classes)


@dataclass(frozen=True)
class Effort:
    """How long to search, where, and from which random numbers."""

    rounds: int
    seed: int
    pool: Executor
    deadline: Deadline
    report: Reporter


def improve(persons: Persons, t: Tables, sets: Sets, effort: Effort, *, classes: bool = False) -> int:
    """Improve sets in place, round by round or until the deadline; returns the rounds done."""
    n, most, size = sets.placed.shape
    d, random = len(persons.members), np.array([effort.seed], np.uint64)
    if size > BY_SUBSETS or n < 2 or most < 2:
        return 0
    price = np.zeros(int(sets.households.max()) + 1, np.int32)
    for done in range(effort.rounds):
        if effort.deadline.passed:
            return done
        effort.report("households", done / effort.rounds)
        order, ends = _blocks(persons, t, sets, random)
        if done % OUTLIERS == 0:
            order, ends = outliers_meet(*_records(persons, t, sets), (order, ends), BLOCK)
        seed = np.uint64(next_random(random))
        spans = chunks(ends, most)
        work = (
            (exchange_blocks, t, given, seed + np.uint64(a), size, d, classes)
            for a, b in spans
            for given in (_given(persons, sets, price, order, ends[a : b + 1]),)
        )
        for (a, b), (slot, giver, members, new) in zip(spans, list(ordered_map(effort.pool, call, work))):
            rows = order[ends[a] : ends[b]]
            freed, people = sets.households[rows, slot], sets.placed[rows, slot]
            price[freed] = new
            sets.households[rows, slot] = freed[giver]
            sets.placed[rows, slot] = np.take_along_axis(people[giver], members, axis=1)
    return effort.rounds


def _blocks(persons: Persons, t: Tables, sets: Sets, random: NDArray[np.uint64]) -> tuple[Integers, Integers]:
    """Blocks of sets, cut by the values of a random household of each in its order there."""
    n = sets.count.size
    rng = np.random.default_rng(int(next_random(random)))
    member = (rng.random(n) * sets.count).astype(np.int64)
    keys = slot_codes(persons, sets.placed[np.arange(n), member])
    blocks: tuple[Integers, Integers] = kd_blocks(t, keys, np.arange(n), BLOCK, BLOCK // 4, random)
    return blocks


def set_costs(persons: Persons, t: Tables, sets: Sets) -> Floats:
    """What each set costs, all its slots together."""
    records, rows = _records(persons, t, sets)
    found: Floats = costs(t, records.codes, rows)
    return found


def _records(persons: Persons, t: Tables, sets: Sets) -> tuple[Domain, Integers]:
    """Every household of every set, in its order there, as a record of its own; and the records of each set."""
    codes = slot_codes(persons, sets.placed)
    rows = np.arange(codes.shape[0] * codes.shape[1]).reshape(codes.shape[:2])
    rows = np.where(np.arange(codes.shape[1]) < sets.count[:, None], rows, rows[:, :1])
    return Domain((), codes.reshape(-1, codes.shape[2]), t), rows


def _given(persons: Persons, sets: Sets, price: Costs, order: Integers, ends: Integers) -> Given:
    rows = order[ends[0] : ends[-1]]
    ids = sets.households[rows]
    return Given(ids, slot_codes(persons, sets.placed[rows]), sets.count[rows], price[ids], ends - ends[0])
