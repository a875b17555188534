"""Which member of a household stands in which slot of a set: the order of least cost, by assignment.

In a set of households, one after another is taken out and put back in the order that adds least to the boxes of the
others: an assignment of its s members to the s slots, the cost of a pair being what the member adds to the slot's box.
The order before is one of those, so the cost never rises; the passes end when nothing changes. The first household of
a set keeps its order, which only names the slots.

Up to eight members the least assignment is found over subsets: with f(M) the least cost of putting the members M into
the first |M| slots, f(M) = min over i in M of f(M − i) + cost(|M|, i). Above, by shortest augmenting paths
(`solvers/assignment.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.generalization.boxes import Block, Scratch, block_of, fill_exact, forget, scratch
from discreet.generalization.domain import Codes, Floats, Integers, Tables
from discreet.kernels.compile import inner
from discreet.solvers.assignment import GREATEST, assign, column_minima

BY_SUBSETS = 8
"""The most members whose order is found over all subsets."""

PASSES = 10
"""How often the households of a set are gone through, at the most."""

LEAST_GAIN = 1e-9
"""An order that gains no more than this is rounding, and is left."""


@inner
def turned(codes: Codes, size: int, d: int, out: Codes) -> None:
    """Row ρ of `out`: the household `codes` with every member moved on, so that slot j holds member j + ρ (mod s)."""
    for turn in range(size):
        for slot in range(size):
            member = (slot + turn) % size
            for a in range(d):
                out[turn, slot * d + a] = codes[member * d + a]
        for a in range(size * d, codes.shape[0]):
            out[turn, a] = codes[a]


@inner
def member_costs(block: Block, first: int, step: int, size: int, d: int, out: Floats) -> float:
    """`out[slot, member]`: what the member adds to the slot's box; returns what the shared part adds.

    Turn ρ of the household (`turned`) is column `first + ρ·step` of the block, whose `exact` has been filled.
    """
    for slot in range(size):
        for turn in range(size):
            column, total = first + turn * step, 0.0
            for a in range(slot * d, slot * d + d):
                total += block.exact[block.places[a, column]]
            out[slot, (slot + turn) % size] = total
    common = 0.0
    for a in range(size * d, block.places.shape[0]):
        common += block.exact[block.places[a, first]]
    return common


@inner
def least_order(cost: Floats, size: int, value: Floats) -> float:
    """The least cost of an order by subsets; `value[M]`: that of the members in the bits of M in the first slots."""
    value[0] = 0.0
    for chosen in range(1, 1 << size):
        slot, rest = -1, chosen
        while rest:
            rest &= rest - 1
            slot += 1
        low = np.inf
        for member in range(size):
            if chosen >> member & 1:
                low = min(low, value[chosen ^ (1 << member)] + cost[slot, member])
        value[chosen] = low
    return value[(1 << size) - 1]


@inner
def trace_order(cost: Floats, size: int, value: Floats, order: Integers) -> None:
    """`order[slot]`: the member in it, read back from `value`."""
    chosen = (1 << size) - 1
    for slot in range(size - 1, -1, -1):
        best, member = np.inf, -1
        for i in range(size):
            if chosen >> i & 1 and value[chosen ^ (1 << i)] + cost[slot, i] < best:
                best, member = value[chosen ^ (1 << i)] + cost[slot, i], i
        order[slot] = member
        chosen ^= 1 << member


@inner
def assigned_order(cost: Floats, size: int, order: Integers) -> float:
    """The least cost of an order by assignment, for households of any size; `order[slot]`: the member in it."""
    low, top = np.inf, -np.inf
    for slot in range(size):
        for member in range(size):
            low, top = min(low, cost[slot, member]), max(top, cost[slot, member])
    unit = (top - low) / GREATEST if top > low else 1.0
    whole, dual = np.empty((size, size), np.int32), np.empty(size, np.int32)
    for slot in range(size):
        for member in range(size):
            whole[slot, member] = np.int32((cost[slot, member] - low) / unit + 0.5)
    column_minima(whole, dual)
    column = assign(whole, dual, np.empty(0, np.int32))
    total = 0.0
    for slot in range(size):
        order[slot] = column[slot] if column[0] >= 0 else slot
        total += cost[slot, order[slot]]
    return total


class AlignmentScratch(NamedTuple):
    """Working memory for one household: its turns, costs of members in slots, and orders."""

    scratch: Scratch
    columns: Codes
    cost: Floats
    value: Floats
    new: Integers
    old: Integers


@inner
def make_room(t: Tables, size: int, width: int) -> AlignmentScratch:
    return AlignmentScratch(
        scratch(t.start[-1]),
        np.empty((size, width), np.int32),
        np.empty((size, size)),
        np.empty(1 << min(size, BY_SUBSETS)),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
    )


@inner
def reorder(
    t: Tables, room: AlignmentScratch, others: Codes, m: int, codes: Codes, order: Integers, size: int, d: int
) -> bool:
    """Put the household `codes` in the order that adds least to the boxes of the first `m` others; True if new."""
    turned(codes, size, d, room.columns)
    block = block_of(t, room.scratch, room.columns)
    fill_exact(t, room.scratch, block, others, m, block.exact)
    member_costs(block, 0, 1, size, d, room.cost)
    forget(room.scratch, block)
    held = 0.0
    for slot in range(size):
        held += room.cost[slot, slot]
    if size <= BY_SUBSETS:
        if least_order(room.cost, size, room.value) >= held - LEAST_GAIN:
            return False
        trace_order(room.cost, size, room.value, room.new)
    elif assigned_order(room.cost, size, room.new) >= held - LEAST_GAIN:
        return False
    for slot in range(size):
        room.old[slot] = order[slot]
    for slot in range(size):
        order[slot] = room.old[room.new[slot]]
        for a in range(slot * d, slot * d + d):
            codes[a] = room.columns[0, a + (room.new[slot] - slot) * d]
    return True


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def align(t: Tables, codes: Codes, count: Integers, size: int, d: int) -> Integers:
    """The best order found of every household in its set: `order[r, q, slot]` is the member in the slot.

    `codes[r, :count[r]]` are the households of set r; they are rewritten in their new order.
    """
    rows, most, width = codes.shape
    order = np.empty((rows, most, size), np.int64)
    room, others = make_room(t, size, width), np.empty((most, width), np.int32)
    for r in range(rows):
        for q in range(most):
            for slot in range(size):
                order[r, q, slot] = slot
        for _ in range(PASSES):
            changed = False
            for q in range(1, count[r]):
                for p in range(count[r] - 1):
                    others[p] = codes[r, p + (p >= q)]
                changed |= reorder(t, room, others, count[r] - 1, codes[r, q], order[r, q], size, d)
            if not changed:
                break
    return order


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def align_own(t: Tables, codes: Codes, matches: Integers, size: int, d: int) -> Integers:
    """Household by household the order of least cost beside its matches, in the orders that these have by then.

    `matches[h]` begins with h; `codes` are rewritten.
    """
    n, width = codes.shape
    m = matches.shape[1] - 1
    order = np.empty((n, size), np.int64)
    room, others = make_room(t, size, width), np.empty((m, width), np.int32)
    for h in range(n):
        for slot in range(size):
            order[h, slot] = slot
        for q in range(m):
            others[q] = codes[matches[h, q + 1]]
        reorder(t, room, others, m, codes[h], order[h], size, d)
    return order
