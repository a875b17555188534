"""Exchange: every class of a block gives up one and what was freed is assigned anew, optimally.

A class gives up one of its records or, where it may still grow, a place that is empty. The freed records and empty
places are the columns of an assignment problem, the classes its rows; the cost of a pair is that of the class with what
it gets. Taking back what was given up is feasible, so the cost never rises; chains of exchanges through many classes,
moves and changes of size are all among the choices. Pairs that would leave a class with fewer than k records or l known
values are forbidden. As in `reassignment.py`, a price per record (the negated column dual of its last assignment)
starts the next assignment and says which record others want; a fresh random partition each round removes the borders.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import Block, Scratch, block_of, scratch
from discreet.generalization.classes.costs import added_costs, class_cost
from discreet.generalization.domain import Codes, Floats, Integers, Tables
from discreet.kernels.compile import inner
from discreet.kernels.randoms import scaled_below, uniform
from discreet.solvers.assignment import FORBIDDEN, GREATEST, assign

Prices = NDArray[np.int32]

EMPTY = -1
"""A place without a record."""

GROWTH = 0.15
"""How often a class that may grow gives up an empty place."""

WORST, PRICED = 0.2, 0.6
"""How often the record with the greatest saving is given up, and how often the greatest saving plus price."""

LEAST_GAIN = 1e-6
"""An exchange that gains no more than this, in the units of the assignment, is rounding and is left."""

JITTER = 0.03
"""The noise on saving plus price, in units of one attribute's full range."""


@inner
def _given_up(t: Tables, s: Scratch, members: Codes, price: Prices, k: int, unit: float, random: np.ndarray) -> int:
    """The member that a class gives up, or `EMPTY`. Of large classes a few are looked at."""
    m = members.shape[0]
    if m < 2 * k - 1 and uniform(random) < GROWTH:
        return EMPTY
    draw = uniform(random)
    if draw >= WORST + PRICED:
        return scaled_below(random, m)
    tried = min(m, 2 * k)
    first = scaled_below(random, m) if tried < m else 0
    best, worst = -np.inf, 0
    for q in range(tried):
        r = (first + q) % m
        worth = -m * class_cost(t, s, members, m, r)
        if draw >= WORST:
            worth += unit * price[r] + m * JITTER * uniform(random)
        else:
            worth += 1e-3 * uniform(random)
        if worth > best:
            best, worst = worth, r
    return worst


@inner
def _row(t: Tables, s: Scratch, block: Block, members: Codes, skip: int, freed: Integers, k: int, out: Floats) -> None:
    """What a class without member `skip` costs with each of the freed records, or with an empty place."""
    others, m = np.empty_like(members), np.int64(0)
    for r in range(members.shape[0]):
        if r != skip:
            for a in range(members.shape[1]):
                others[m, a] = members[r, a]
            m += 1
    base = class_cost(t, s, others, m, m)
    added_costs(t, s, block, others, m, out)
    for c in range(out.shape[0]):
        if freed[c] != EMPTY:
            out[c] = (m + 1) * (base + out[c])
        else:
            out[c] = m * base if m >= k else np.inf


@inner
def _forbid(
    values: Integers, skip: int, l: int, column_values: Integers, seen: Integers, turn: int, out: Floats
) -> None:
    """Rule out what leaves a class without `skip` with fewer than l known values; `seen` marks those it holds."""
    kinds = 0
    for r in range(values.shape[0]):
        if r != skip and values[r] >= 0 and seen[values[r]] != turn:
            seen[values[r]] = turn
            kinds += 1
    if kinds < l:
        for c in range(out.shape[0]):
            v = column_values[c]
            if kinds < l - 1 or v < 0 or seen[v] == turn:
                out[c] = np.inf


@inner
def _whole(exact: Floats, unit: float) -> Prices:
    """Costs above the least of the row, as the whole numbers of the assignment; those far above are cut off.

    A record that is far from everybody is cut off above its least cost, lest it be put just anywhere.
    """
    size = exact.shape[0]
    out, least = np.empty((size, size), np.int32), np.full(size, np.inf)
    for i in range(size):
        low = np.inf
        for c in range(size):
            low = min(low, exact[i, c])
        for c in range(size):
            exact[i, c] = (exact[i, c] - low) / unit
            least[c] = min(least[c], exact[i, c])
    for i in range(size):
        for c in range(size):
            units = exact[i, c] - (least[c] if least[c] > GREATEST // 2 else 0.0)
            out[i, c] = FORBIDDEN if units == np.inf else np.int32(min(units, float(GREATEST)) + 0.5)
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def exchange_block(
    t: Tables,
    codes: Codes,
    values: Integers,
    prices: Prices,
    starts: Integers,
    k: int,
    l: int,
    seed: np.uint64,
) -> tuple[Integers, Prices]:
    """The class of every record, and its price.

    Records stand in the order of their classes, class g from `starts[g]` to `starts[g + 1]`. `values` are 0, 1, …, or
    −1 where the value is not known; l = 0 where none are due.
    """
    size = starts.shape[0] - 1
    label, new_price = np.empty(codes.shape[0], np.int64), prices.copy()
    s = scratch(t.start[-1])
    random = np.array([seed], np.uint64)
    freed, freed_values = np.empty(size, np.int64), np.full(size, -1, np.int64)
    columns, widest = np.empty((size, codes.shape[1]), np.int32), 2 * k
    least_unit, shift = t.whole.sum() / GREATEST, np.int64(0)
    dual, held = np.zeros(size, np.int32), np.empty(size, np.int32)
    for i in range(size):
        low, high = starts[i], starts[i + 1]
        held[i] = i
        for r in range(low, high):
            label[r] = i
        widest = max(widest, high - low)
        r = _given_up(t, s, codes[low:high], prices[low:high], k, 2 * k * least_unit, random)
        freed[i] = low + r if r != EMPTY else EMPTY
        for a in range(codes.shape[1]):
            columns[i, a] = codes[low + max(r, 0), a]  # an empty place has no values: any stand in for it
        if r != EMPTY:
            dual[i], freed_values[i] = -prices[low + r], values[low + r]
        shift -= dual[i]
    block = block_of(t, s, columns)
    exact = np.empty((size, size))
    seen = np.full(values.max() + 2, -1, np.int64)
    for i in range(size):
        low, high = starts[i], starts[i + 1]
        skip = freed[i] - low
        _row(t, s, block, codes[low:high], skip, freed, k, exact[i])
        if l > 0:
            _forbid(values[low:high], skip, l, freed_values, seen, i, exact[i])
    column = assign(_whole(exact, widest * least_unit), dual, held)
    gain = 0.0
    for i in range(size):
        gain += exact[i, i] - exact[i, max(column[i], 0)]
        shift += dual[i]
    for i in range(size):
        if freed[i] != EMPTY:
            new_price[freed[i]] = shift // size - dual[i]
        if gain > LEAST_GAIN and column[i] >= 0 and freed[column[i]] != EMPTY:
            label[freed[column[i]]] = i
    return label, new_price
