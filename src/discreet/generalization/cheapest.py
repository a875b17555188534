"""The cheapest box that holds a record and k − 1 others, with a price on each record: branch and bound, compiled.

For a record i the minimum over sets S of q = k − 1 further records of

    cost(box of i and S) + Σ_{j in S} p_j

with one price per distinct tuple (equal records are one tuple with a number of copies). A node of the search is a
box: the tuples inside it are free to take, at their prices, and a child takes in one tuple outside it, the cheapest
to join first; tuples passed over stay out for good, and a box that would hold one of them is skipped, as it was seen
before. Bounds use only that the cost of a box grows with the set: a set that uses tuples t … of the sorted list costs
at least what joining t costs, plus the q cheapest prices among those that cost no more. Values are exact unless a
limit on nodes is hit; then the bound of what was left open is returned instead, so the result is never too high.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import lowest_common, set_cost
from discreet.generalization.domain import INTERVAL, SET, Codes, Floats, Integers, Tables

TINY = 1e-12
MARGIN = 1e-10


class Boxes(NamedTuple):
    """One box per depth of the search. For a set the values are bits of `words`, from `word_start[a]` on."""

    low: Floats
    high: Floats
    absent: NDArray[np.bool_]
    distinct: Integers
    node: Integers
    words: NDArray[np.uint64]
    word_start: Integers


@njit(cache=True, nogil=True)
def make_boxes(t: Tables, depth: int) -> Boxes:
    d = t.kind.shape[0]
    word_start = np.zeros(d + 1, np.int64)
    for a in range(d):
        size = t.start[a + 1] - t.start[a] if t.kind[a] == SET else 0
        word_start[a + 1] = word_start[a] + (size + 63) // 64
    return Boxes(
        np.empty((depth, d)),
        np.empty((depth, d)),
        np.empty((depth, d), np.bool_),
        np.empty((depth, d), np.int64),
        np.empty((depth, d), np.int64),
        np.empty((depth, word_start[d]), np.uint64),
        word_start,
    )


@njit(cache=True, nogil=True)
def clear(b: Boxes, level: int) -> None:
    b.low[level] = np.inf
    b.high[level] = -np.inf
    b.absent[level] = False
    b.distinct[level] = 0
    b.node[level] = -1
    b.words[level] = 0


@njit(cache=True, nogil=True)
def copy_box(b: Boxes, source: int, target: int) -> None:
    b.low[target] = b.low[source]
    b.high[target] = b.high[source]
    b.absent[target] = b.absent[source]
    b.distinct[target] = b.distinct[source]
    b.node[target] = b.node[source]
    b.words[target] = b.words[source]


@njit(cache=True, nogil=True)
def join_cost(t: Tables, b: Boxes, level: int, codes: Codes) -> float:
    """What taking in a record would add to the box."""
    total = 0.0
    for a in range(codes.shape[0]):
        code = codes[a]
        if code < 0:
            continue
        if t.kind[a] == INTERVAL:
            x = t.position[t.start[a] + code]
            low, high = b.low[level, a], b.high[level, a]
            if np.isnan(x):
                if not b.absent[level, a] and low <= high:
                    total += t.whole[a] - (high - low)
            elif low > high:
                if b.absent[level, a]:
                    total += t.whole[a]
            elif not b.absent[level, a]:
                if x < low:
                    total += low - x
                elif x > high:
                    total += x - high
        elif t.kind[a] == SET:
            word = b.words[level, b.word_start[a] + (code >> 6)]
            if not (word >> np.uint64(code & 63)) & np.uint64(1):
                count = b.distinct[level, a]
                total += set_cost(t, a, count + 1) - set_cost(t, a, count)
        else:
            node = b.node[level, a]
            if node >= 0:
                total += t.node_cost[lowest_common(t, node, code)] - t.node_cost[node]
    return total


@njit(cache=True, nogil=True)
def take_in(t: Tables, b: Boxes, level: int, codes: Codes) -> None:
    for a in range(codes.shape[0]):
        code = codes[a]
        if code < 0:
            continue
        if t.kind[a] == INTERVAL:
            x = t.position[t.start[a] + code]
            if np.isnan(x):
                b.absent[level, a] = True
            else:
                b.low[level, a] = min(b.low[level, a], x)
                b.high[level, a] = max(b.high[level, a], x)
        elif t.kind[a] == SET:
            place, bit = b.word_start[a] + (code >> 6), np.uint64(1) << np.uint64(code & 63)
            if not b.words[level, place] & bit:
                b.words[level, place] |= bit
                b.distinct[level, a] += 1
        else:
            node = b.node[level, a]
            b.node[level, a] = t.leaf[t.start[a] + code] if node < 0 else lowest_common(t, node, code)


@njit(cache=True, nogil=True)
def keep_least(best: Floats, held: int, price: float, copies: int) -> int:
    """Keep the least prices, sorted, in `best` (of full length q); returns how many are held."""
    q = best.shape[0]
    while copies > 0:
        if held < q:
            place = held
            held += 1
        elif q > 0 and price < best[q - 1]:
            place = q - 1
        else:
            break
        while place > 0 and best[place - 1] > price:
            best[place] = best[place - 1]
            place -= 1
        best[place] = price
        copies -= 1
    return held


@njit(cache=True, nogil=True)
def open_bound(
    cost: float,
    added: Floats,
    price: Floats,
    copies: Integers,
    first: int,
    last: int,
    base: Floats,
    held: int,
    least: float,
    target: float,
) -> float:
    """Least value of a set that takes an outside tuple from `first` on and none before.

    Over δ: join cost δ plus the q cheapest prices among those inside and those that join at δ or less.
    """
    q = base.shape[0]
    best = base.copy()
    bound = np.inf
    for c in range(first, last):
        floor = cost + added[c] + least
        if floor >= bound or floor >= target:
            break
        held = keep_least(best, held, price[c], copies[c])
        if held == q:
            total = cost + added[c]
            for r in range(q):
                total += best[r]
            bound = min(bound, total)
    return bound


class Work(NamedTuple):
    """Memory of the search: per level the allowed tuples (inside first), what joining costs, prices and copies."""

    allowed: Integers
    added: Floats
    price: Floats
    copies: Integers
    base: Floats
    excluded: Integers


@njit(cache=True, nogil=True)
def make_work(depth: int, most: int, q: int) -> Work:
    return Work(
        np.empty((depth, most), np.int64),
        np.empty((depth, most)),
        np.empty((depth, most)),
        np.empty((depth, most), np.int64),
        np.empty((depth, q)),
        np.empty(most + depth, np.int64),
    )


@njit(cache=True, nogil=True)
def _sum(values: Floats) -> float:
    total = 0.0
    for x in values:
        total += x
    return total


@njit(cache=True, nogil=True)
def _enter(
    t: Tables,
    b: Boxes,
    w: Work,
    tuples: Codes,
    copies: Integers,
    prices: Floats,
    own: int,
    level: int,
    count: int,
    cost: float,
    value: float,
) -> tuple[int, int, int, float]:
    """Sort a node's tuples: inside first, then by what joining costs, without those that cannot beat `value`.

    Returns how many are inside, how many prices `base` holds, how many stay outside, and the sum of the q least prices
    (infinite where there are fewer than q).
    """
    q = w.base.shape[1]
    allowed, added = w.allowed[level], w.added[level]
    least, fewer, half = np.empty(q), np.empty(max(q - 1, 0)), np.empty(max(q - 1, 0))
    inside, held, all_held, fewer_held, half_held = 0, 0, 0, 0, 0
    for p in range(count):
        c = allowed[p]
        extra = join_cost(t, b, level, tuples[c])
        number = copies[c] - (c == own)
        all_held = keep_least(least, all_held, prices[c], number)
        fewer_held = keep_least(fewer, fewer_held, prices[c], number)
        if q > 1:
            half_held = keep_least(half, half_held, prices[c] + extra * 0.5 / (q - 1), number)
        if extra <= TINY:
            held = keep_least(w.base[level], held, prices[c], number)
            allowed[p], added[p] = allowed[inside], added[inside]
            allowed[inside], added[inside] = c, 0.0
            inside += 1
        else:
            added[p] = extra
    if all_held < q:
        return inside, held, 0, np.inf
    fewer_sum, half_sum = _sum(fewer), _sum(half)
    outside = 0
    for p in range(inside, count):
        c = allowed[p]
        start = cost + prices[c]
        keep = start + added[p] + fewer_sum < value - MARGIN
        if keep and q > 1:
            keep = start + 0.5 * added[p] + half_sum < value - MARGIN
        if keep:
            allowed[inside + outside], added[inside + outside] = c, added[p]
            outside += 1
    order = np.argsort(added[inside : inside + outside], kind="mergesort")
    sorted_tuples, sorted_added = allowed[inside + order], added[inside + order]
    for p in range(outside):
        c = sorted_tuples[p]
        allowed[inside + p], added[p] = c, sorted_added[p]
        w.price[level, p], w.copies[level, p] = prices[c], copies[c] - (c == own)
    return inside, held, outside, _sum(least)


@njit(cache=True, nogil=True)
def cheapest(
    t: Tables,
    b: Boxes,
    w: Work,
    tuples: Codes,
    copies: Integers,
    prices: Floats,
    own: int,
    listed: Integers,
    target: float,
    node_limit: int,
    chosen: Integers,
) -> tuple[float, float, int]:
    """Value found, a valid lower bound, and nodes searched, among the tuples in `listed`.

    `target` is a value already known, whose set is in `chosen`; `chosen` receives the tuples of the best set.
    """
    q, deepest = w.base.shape[1], b.low.shape[0]
    count, inside, outside = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    held, turn, passed = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    pending = np.full(deepest, -1, np.int64)
    cost, least = np.zeros(deepest), np.zeros(deepest)
    value, open_value, nodes = target, np.inf, 0
    clear(b, 0)
    take_in(t, b, 0, tuples[own])
    w.allowed[0, : listed.shape[0]] = listed
    count[0] = listed.shape[0]
    level, fresh = 0, True
    while level >= 0:
        if fresh:
            nodes += 1
            inside[level], held[level], outside[level], least[level] = _enter(
                t, b, w, tuples, copies, prices, own, level, count[level], cost[level], value
            )
            turn[level], pending[level], fresh = 0, -1, False
            if held[level] == q:
                total = cost[level] + _sum(w.base[level])
                if total < value - MARGIN:
                    value = total
                    _take(w.allowed[level, : inside[level]], prices, copies, own, q, chosen)
        if pending[level] >= 0:  # the child is done: from now on its tuple stays out
            w.excluded[passed[level]] = pending[level]
            passed[level] += 1
            pending[level] = -1
        p = turn[level]
        if p >= outside[level]:
            level -= 1
            continue
        bound = open_bound(
            cost[level],
            w.added[level],
            w.price[level],
            w.copies[level],
            p,
            outside[level],
            w.base[level],
            held[level],
            least[level],
            value,
        )
        if bound >= value - MARGIN:
            level -= 1
            continue
        if nodes > node_limit or level + 1 >= deepest:
            open_value = min(open_value, bound)
            level -= 1
            continue
        c = w.allowed[level, inside[level] + p]
        turn[level] += 1
        pending[level] = c
        copy_box(b, level, level + 1)
        take_in(t, b, level + 1, tuples[c])
        seen = False
        for e in range(passed[level]):
            if join_cost(t, b, level + 1, tuples[w.excluded[e]]) <= TINY:
                seen = True
                break
        if seen:
            continue
        cost[level + 1] = cost[level] + w.added[level, p]
        first = inside[level]
        w.allowed[level + 1, :first] = w.allowed[level, :first]
        rest = outside[level] - p
        w.allowed[level + 1, first : first + rest] = w.allowed[level, first + p : first + p + rest]
        count[level + 1] = first + rest
        passed[level + 1] = passed[level]
        level += 1
        fresh = True
    return value, min(value, open_value), nodes


@njit(cache=True, nogil=True)
def _take(inside: Integers, prices: Floats, copies: Integers, own: int, q: int, chosen: Integers) -> None:
    """The q cheapest of the tuples inside, with copies."""
    used = 0
    for r in np.argsort(prices[inside], kind="mergesort"):
        c = inside[r]
        for _ in range(copies[c] - (c == own)):
            if used == q:
                return
            chosen[used] = c
            used += 1
