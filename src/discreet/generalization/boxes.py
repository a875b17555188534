"""Boxes and their costs, compiled: what covering a set of records costs, and what one more record would add.

A kernel sees a record's matches as a small matrix of codes (one row per match) and the tables of `domain.py`. For
the columns of a block it fills, per attribute, a table from value to added cost; the cost of a pair is then one
lookup per attribute, whatever the kinds of attributes (`Block` holds which values occur in the columns).

The cost of a mean is a variance, from sums over the known members x of differences to one of them, b:

    Σ (x − b)² / m − (Σ (x − b) / m)²

With one more, x, it is m/(m + 1) times as large, plus m/(m + 1)² times the square of x minus the mean: it may fall when
a record joins and rise when one leaves, so that added costs and savings may be below 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.domain import INTERVAL, MEAN, SET, Codes, Floats, Integers, Tables
from discreet.kernels.compile import inlined, inner, unchecked

Costs = NDArray[np.int32]

HIGHEST = 1 << 26
"""Where costs are cut off in the whole numbers of the assignment problems, half of what is forbidden there."""


class Scratch(NamedTuple):
    """Working memory over all values of all attributes: a stamp per value, and its place in a block."""

    stamp: Integers
    turn: Integers
    place: Integers


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def scratch(values: int) -> Scratch:
    stamp, turn, place = np.empty(values, np.int64), np.empty(1, np.int64), np.empty(values, np.int64)
    turn[0] = 0
    for value in range(values):
        stamp[value], place[value] = 0, -1
    return Scratch(stamp, turn, place)


@inlined
def set_cost(unit: float, base: float, m: int) -> float:
    return unit * m + base if m > 1 else 0.0


@unchecked
def mean_cost(whole: float, known: int, gaps: int, total: float, squares: float) -> float:
    """The variance of the known numbers of a set, and the share of its gaps unless it has nothing else."""
    if known == 0:
        return 0.0
    middle = total / known
    return max(squares / known - middle * middle, 0.0) + whole * gaps / (known + gaps)


@inner
def mean_sums(
    position: Floats, first: int, a: int, members: Codes, m: int, skip: int
) -> tuple[int, float, float, float]:
    """Of the first `m` members but `skip`: how many are known, one of them, and the sums of differences to it."""
    known, base, total, squares = 0, 0.0, 0.0, 0.0
    for r in range(m):
        x = position[first + members[r, a]]
        if r == skip or np.isnan(x):
            continue
        if known == 0:
            base = x
        known += 1
        total += x - base
        squares += (x - base) * (x - base)
    return known, base, total, squares


@inlined
def lowest_common(t: Tables, node: np.int64, value: int | np.int64) -> np.int64:
    """The lowest node above `node` that covers leaf number `value`."""
    while not t.left[node] <= value <= t.right[node]:
        node = t.parent[node]
    return node


@inner
def attribute_cost(t: Tables, s: Scratch, a: int, members: Codes, m: int, skip: int) -> float:
    """Cost on attribute `a` of the box over the first `m` members but `skip` (m for none)."""
    first = t.start[a]
    if t.kind[a] == INTERVAL:
        low, high, absent = np.inf, -np.inf, False
        for r in range(m):
            if r == skip or members[r, a] < 0:
                continue
            x = t.position[first + members[r, a]]
            if np.isnan(x):
                absent = True
            else:
                low, high = min(low, x), max(high, x)
        if high < low:
            return 0.0
        return t.whole[a] if absent else high - low
    if t.kind[a] == SET:
        s.turn[0] += 1
        distinct = 0
        for r in range(m):
            if r == skip or members[r, a] < 0:
                continue
            value = first + members[r, a]
            if s.stamp[value] != s.turn[0]:
                s.stamp[value] = s.turn[0]
                distinct += 1
        return set_cost(t.unit[a], t.base[a], distinct)
    if t.kind[a] == MEAN:
        known, _, total, squares = mean_sums(t.position, first, a, members, m, skip)
        return mean_cost(t.whole[a], known, m - (skip < m) - known, total, squares)
    node = np.int64(-1)
    for r in range(m):
        if r == skip or members[r, a] < 0:
            continue
        value = np.int64(members[r, a])
        node = t.leaf[first + value] if node < 0 else lowest_common(t, node, value)
    return t.node_cost[node] if node >= 0 else 0.0


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def box_cost(t: Tables, s: Scratch, members: Codes, m: int) -> float:
    """The cost of the box over the first `m` members."""
    total = 0.0
    for a in range(members.shape[1]):
        total += attribute_cost(t, s, a, members, m, m)
    return total


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def costs(t: Tables, codes: Codes, matches: Integers) -> Floats:
    """The cost of every record's set (sum over attributes); what repeats the first of a row is no part of its set."""
    n, k = matches.shape
    d = codes.shape[1]
    s = scratch(t.start[-1])
    members = np.empty((k, d), np.int32)
    out = np.empty(n, np.float64)
    for i in range(n):
        out[i] = 0.0
        m = k - k  # no literal: with one, what it is passed to would be compiled for the number 0 too
        for r in range(k):
            if r > 0 and matches[i, r] == matches[i, 0]:
                continue
            for a in range(d):
                members[m, a] = codes[matches[i, r], a]
            m += 1
        for a in range(d):
            out[i] += attribute_cost(t, s, a, members, m, m)
    return out


@inlined
def _interval_savings(position: Floats, first: int, a: int, members: Codes, out: Floats) -> bool:
    """Only the one lowest and the one highest member can shrink an interval; False where a value is missing."""
    low = second_low = np.inf
    high = second_high = -np.inf
    for r in range(members.shape[0]):
        x = position[first + members[r, a]] if members[r, a] >= 0 else np.nan
        if np.isnan(x):
            return False
        if x < low:
            low, second_low = x, low
        elif x < second_low:
            second_low = x
        if x > high:
            high, second_high = x, high
        elif x > second_high:
            second_high = x
    if low < high:
        for r in range(members.shape[0]):
            x = position[first + members[r, a]]
            if x == low:
                out[r] += second_low - low
            elif x == high:
                out[r] += high - second_high
    return True


@inlined
def _set_savings(unit: float, base: float, place: Integers, first: int, a: int, members: Codes, out: Floats) -> None:
    """Only a value that occurs once can leave a set."""
    distinct = 0
    for r in range(members.shape[0]):
        if members[r, a] >= 0:
            value = first + members[r, a]
            distinct += place[value] == -1
            place[value] -= 1
    if distinct > 1:
        gain = set_cost(unit, base, distinct) - set_cost(unit, base, distinct - 1)
        for r in range(members.shape[0]):
            if members[r, a] >= 0 and place[first + members[r, a]] == -2:
                out[r] += gain
    for r in range(members.shape[0]):
        if members[r, a] >= 0:
            place[first + members[r, a]] = -1


@inlined
def _mean_savings(t: Tables, a: int, members: Codes, out: Floats) -> None:
    k = members.shape[0]
    known, base, total, squares = mean_sums(t.position, t.start[a], a, members, k, k)
    gaps = k - known
    full = mean_cost(t.whole[a], known, gaps, total, squares)
    clear = mean_cost(t.whole[a], known, gaps - 1, total, squares)
    for r in range(k):
        x = t.position[t.start[a] + members[r, a]] - base
        if np.isnan(x):
            out[r] += full - clear
        else:
            out[r] += full - mean_cost(t.whole[a], known - 1, gaps, total - x, squares - x * x)


@inlined
def savings(t: Tables, s: Scratch, members: Codes, out: Floats) -> None:
    """`out[r]`: by how much the box shrinks without member r."""
    k, d = members.shape
    out[:] = 0.0
    for a in range(d):
        same = True
        for r in range(1, k):
            same &= members[r, a] == members[0, a]
        if same:
            continue
        if t.kind[a] == SET:
            _set_savings(t.unit[a], t.base[a], s.place, t.start[a], a, members, out)
        elif t.kind[a] == MEAN:
            _mean_savings(t, a, members, out)
        elif t.kind[a] != INTERVAL or not _interval_savings(t.position, t.start[a], a, members, out):
            full = attribute_cost(t, s, a, members, k, k)
            for r in range(k):
                out[r] += full - attribute_cost(t, s, a, members, k, r)


class Block(NamedTuple):
    """The values that occur in the columns of a block: per attribute a run of `values`, per column its places."""

    begin: Integers
    values: Integers
    places: NDArray[np.int32]
    exact: Floats
    added: Costs


@inner
def block_of(t: Tables, s: Scratch, columns: Codes) -> Block:
    """List the values of the columns and where each stands; `forget` must follow when the block is done."""
    b, d = columns.shape
    begin, values = np.empty(d + 1, np.int64), np.empty(b * d, np.int64)
    count = 0
    for a in range(d):
        begin[a] = count
        for c in range(b):
            if columns[c, a] >= 0:
                value = t.start[a] + columns[c, a]
                if s.place[value] < 0:
                    s.place[value] = count
                    values[count] = value
                    count += 1
    begin[d] = count
    places = np.empty((d, b), np.int32)
    for a in range(d):
        for c in range(b):
            places[a, c] = s.place[t.start[a] + columns[c, a]] if columns[c, a] >= 0 else count
    exact, added = np.empty(count + 1, np.float64), np.empty(count + 1, np.int32)
    exact[count], added[count] = 0.0, 0  # what a wildcard adds
    return Block(begin, values[:count], places, exact, added)


@inlined
def forget(s: Scratch, block: Block) -> None:
    for value in block.values:
        s.place[value] = -1


@inner
def fill_exact(t: Tables, s: Scratch, block: Block, members: Codes, m: int, added: Floats) -> None:
    """What each value of the columns adds to the box over the first `m` members."""
    for a in range(members.shape[1]):
        first = t.start[a]
        begin, end = block.begin[a], block.begin[a + 1]
        if t.kind[a] == INTERVAL:
            low, high, absent = np.inf, -np.inf, False
            for r in range(m):
                if members[r, a] < 0:
                    continue
                x = t.position[first + members[r, a]]
                if np.isnan(x):
                    absent = True
                else:
                    low, high = min(low, x), max(high, x)
            empty = high < low
            for p in range(begin, end):
                x = t.position[block.values[p]]
                if absent and empty:
                    added[p] = 0.0 if np.isnan(x) else t.whole[a]
                elif absent or empty:
                    added[p] = 0.0
                elif np.isnan(x):
                    added[p] = t.whole[a] - (high - low)
                elif x < low:
                    added[p] = low - x
                elif x > high:
                    added[p] = x - high
                else:
                    added[p] = 0.0
        elif t.kind[a] == MEAN:
            known, base, total, squares = mean_sums(t.position, first, a, members, m, m)
            before = mean_cost(t.whole[a], known, m - known, total, squares)
            blur = t.whole[a] * (m - known) / (m + 1)
            variance = mean_cost(t.whole[a], known, 0, total, squares)
            fixed, middle = variance * known / (known + 1) + blur - before, base + total / max(known, 1)
            blurred = variance + blur + t.whole[a] / (m + 1) - before if known > 0 else 0.0
            for p in range(begin, end):
                x = t.position[block.values[p]] - middle
                added[p] = blurred if np.isnan(x) else fixed + x * x * known / ((known + 1.0) * (known + 1.0))
        elif t.kind[a] == SET:
            s.turn[0] += 1
            distinct = 0
            for r in range(m):
                if members[r, a] < 0:
                    continue
                value = first + members[r, a]
                if s.stamp[value] != s.turn[0]:
                    s.stamp[value] = s.turn[0]
                    distinct += 1
            step = set_cost(t.unit[a], t.base[a], distinct + 1) - set_cost(t.unit[a], t.base[a], distinct)
            for p in range(begin, end):
                added[p] = 0.0 if s.stamp[block.values[p]] == s.turn[0] else step
        else:
            node = np.int64(-1)
            for r in range(m):
                if members[r, a] < 0:
                    continue
                value = np.int64(members[r, a])
                node = t.leaf[first + value] if node < 0 else lowest_common(t, node, value)
            for p in range(begin, end):
                if node < 0:
                    added[p] = 0.0
                else:
                    wide = lowest_common(t, node, block.values[p] - first)
                    added[p] = t.node_cost[wide] - t.node_cost[node]


@inner
def fill_row(block: Block, scale: float, row: Costs) -> None:
    """What each column of the block would add, from `block.exact`, in the whole numbers of the assignment problems."""
    exact, added, places = block.exact, block.added, block.places
    d, b = places.shape
    most = float(min(HIGHEST, 16 * HIGHEST // d))  # the sum over attributes must not overflow
    for p in range(added.shape[0] - 1):
        added[p] = np.int32(min(max(exact[p] * scale, -most), most) + 0.5)
    a = d % 4
    for c in range(b):
        total = np.int32(0)
        for r in range(a):
            total += added[places[r, c]]
        row[c] = total
    while a < d:
        for c in range(b):
            row[c] += (added[places[a, c]] + added[places[a + 1, c]]) + (
                added[places[a + 2, c]] + added[places[a + 3, c]]
            )
        a += 4
    for c in range(b):
        row[c] = min(max(row[c], np.int32(-HIGHEST)), np.int32(HIGHEST))


def gcp(tables: Tables, codes: Codes, matches: Integers) -> float:
    """Mean cost per cell."""
    return float(costs(tables, codes, matches).sum() / codes.size)
