"""A bound for every record by itself, however many there are: near ones found leaf by leaf.

A box that holds record i and k − 1 others costs at least what its farthest member adds to i alone, so at least the
distance of i to its (k − 1)-th nearest record. And a set of cost at most U around i holds only records within U of it:
among those the cheapest box is found by the search of `cheapest_box.py`, with U the cost of the box over the nearest.

Numbers that are published as means add prices (`distinct.py`): the distance to a record is then what it adds to the box
of i alone and its price together. As a box costs at least the mean of what its members add to i alone, a set costs at
least the sum of the k − 1 least of price + added cost / (k − 1), too.

Distinct records stand in leaves of a kd partition. `floors` tells for a leaf and a value the least that value can be
away from those in the leaf; the sum over attributes is a lower bound on the distance to any record there, and most
leaves are passed over without a look inside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.generalization.bound.cheapest_box import Offer, cheapest, make_work
from discreet.generalization.bound.distinct import Distinct, Numbers, apart
from discreet.generalization.boxes import block_of, box_cost, forget, lowest_common, scratch
from discreet.generalization.domain import INTERVAL, SET, Codes, Floats, Integers, Tables
from discreet.generalization.partition import NO_RANDOM, kd_blocks
from discreet.kernels import inner
from discreet.kernels.least import insert_copies
from discreet.kernels.sorting import stable_order

LEAF = 64
MOST_FLOORS = 30_000_000
MOST_LISTED = 1_000
NODES = 2_000


class Leaves(NamedTuple):
    """Distinct records in the order of their leaves, how often each occurs, where leaves begin, and the floors.

    `low` and `high` are the least and the greatest place of each number in a leaf, infinite where there are gaps.
    """

    codes: Codes
    copies: Integers
    ends: Integers
    floors: Floats
    numbers: Numbers
    low: Floats
    high: Floats


@inner
def value_distance(t: Tables, a: int, u: int, v: int) -> float:
    """What value v of attribute `a` adds to a box that holds u only; wildcards (−1) add nothing."""
    if u == v or u < 0 or v < 0:
        return 0.0
    if t.kind[a] == INTERVAL:
        x, y = t.position[t.start[a] + u], t.position[t.start[a] + v]
        return t.whole[a] if np.isnan(x) or np.isnan(y) else abs(x - y)
    if t.kind[a] == SET:
        return 2 * t.unit[a] + t.base[a]
    return t.node_cost[lowest_common(t, t.leaf[t.start[a] + u], v)]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def floors(t: Tables, codes: Codes, ends: Integers) -> Floats:
    """`out[leaf, value]`: no value of its attribute in the leaf is nearer to the value than this."""
    d = codes.shape[1]
    out = np.empty((ends.shape[0] - 1, t.start[-1]))
    for leaf in range(ends.shape[0] - 1):
        for a in range(d):
            begin, size = t.start[a], t.start[a + 1] - t.start[a]
            low, high, anything = np.inf, -np.inf, False
            for v in range(size):
                out[leaf, begin + v] = 2 * t.unit[a] + t.base[a] if t.kind[a] == SET else np.inf
            for q in range(ends[leaf], ends[leaf + 1]):
                u = np.int64(codes[q, a])
                x = t.position[begin + u] if u >= 0 else np.nan
                if u < 0 or (t.kind[a] == INTERVAL and np.isnan(x)):
                    anything = True
                if u >= 0 and t.kind[a] == INTERVAL:
                    low, high = min(low, x), max(high, x)
                elif u >= 0 and t.kind[a] == SET:
                    out[leaf, begin + u] = 0.0
                elif u >= 0 and out[leaf, begin + u] > 0.0:
                    for v in range(size):
                        out[leaf, begin + v] = min(out[leaf, begin + v], value_distance(t, a, u, v))
            for v in range(size):
                if t.kind[a] == INTERVAL:
                    x = t.position[begin + v]
                    out[leaf, begin + v] = t.whole[a] if np.isnan(x) else max(low - x, x - high, 0.0)
                if anything:
                    out[leaf, begin + v] = 0.0
    return out


def leaves_of(records: Distinct) -> tuple[Integers, Leaves]:
    """The order in which records stand in the leaves, and the leaves: larger ones where the floors take much room."""
    t, n = records.boxes.tables, len(records.codes)
    size = max(LEAF, n * int(t.start[-1]) // MOST_FLOORS)
    order, ends = kd_blocks(records.domain.tables, records.whole, np.arange(n), size, size // 4, NO_RANDOM)
    inside, places = np.ascontiguousarray(records.codes[order]), np.ascontiguousarray(records.numbers.places[order])
    low, high = np.minimum.reduceat(places, ends[:-1]), np.maximum.reduceat(places, ends[:-1])
    low[np.isnan(low)], high[np.isnan(high)] = -np.inf, np.inf
    numbers = Numbers(places, records.numbers.gap)
    return order, Leaves(inside, records.copies[order], ends, floors(t, inside, ends), numbers, low, high)


@inner
def _added(t: Tables, codes: Codes, i: int, j: int, enough: float) -> float:
    """What record j adds to the box of record i; the sum may stop once it exceeds `enough`."""
    total = 0.0
    for a in range(codes.shape[1]):
        total += value_distance(t, a, np.int64(codes[i, a]), np.int64(codes[j, a]))
        if total > enough:
            break
    return total


@inner
def _distance(t: Tables, x: Leaves, i: int, j: int, enough: float) -> float:
    """What record j adds to record i, and its price; the sum may stop once it exceeds `enough`."""
    price = apart(x.numbers, i, j)
    return price + _added(t, x.codes, i, j, enough - price)


@inner
def _floor_added(t: Tables, x: Leaves, leaf: int, i: int, enough: float) -> float:
    total = 0.0
    for a in range(x.codes.shape[1]):
        if x.codes[i, a] >= 0:
            total += x.floors[leaf, t.start[a] + x.codes[i, a]]
            if total > enough:
                break
    return total


@inner
def _floor_price(x: Leaves, leaf: int, i: int) -> float:
    total = 0.0
    for c in range(x.low.shape[1]):
        y = x.numbers.places[i, c]
        if not np.isnan(y):
            away = max(x.low[leaf, c] - y, y - x.high[leaf, c], 0.0)
            total += away * away
    return total


@inner
def _floor(t: Tables, x: Leaves, leaf: int, i: int, enough: float) -> float:
    """No record of the leaf is nearer to record i than this."""
    price = _floor_price(x, leaf, i)
    return price + _floor_added(t, x, leaf, i, enough - price)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def nearest(t: Tables, x: Leaves, first: int, last: int, k: int) -> Floats:
    """For the records of leaves first … last−1 the distance to the (k − 1)-th nearest record."""
    out = np.empty(x.ends[last] - x.ends[first])
    best = np.empty(k - 1)
    for home in range(first, last):
        for i in range(x.ends[home], x.ends[home + 1]):
            held = 0
            for step in range(x.ends.shape[0]):  # the leaf at home first, then all the others
                leaf = home if step == 0 else step - 1
                if step > 0 and leaf == home:
                    continue
                within = best[k - 2] if held == k - 1 else np.inf
                if _floor(t, x, leaf, i, within) >= within:
                    continue
                for j in range(x.ends[leaf], x.ends[leaf + 1]):
                    within = best[k - 2] if held == k - 1 else np.inf
                    held = insert_copies(best, held, _distance(t, x, i, j, within), x.copies[j] - (j == i))
            out[i - x.ends[first]] = best[k - 2]
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def least_sums(t: Tables, x: Leaves, first: int, last: int, k: int, known: Floats) -> Floats:
    """For the same records the sum of the k − 1 least of price + added cost / (k − 1), or `known` if more."""
    start = x.ends[first]
    out = np.empty(x.ends[last] - start)
    best, share = np.empty(k - 1), 1.0 / (k - 1)
    for home in range(first, last):
        for i in range(x.ends[home], x.ends[home + 1]):
            held = 0
            for step in range(x.ends.shape[0]):
                leaf = home if step == 0 else step - 1
                if step > 0 and leaf == home:
                    continue
                within = best[k - 2] if held == k - 1 else np.inf
                floor = _floor_price(x, leaf, i)
                if floor >= within or floor + share * _floor_added(t, x, leaf, i, np.inf) >= within:
                    continue
                for j in range(x.ends[leaf], x.ends[leaf + 1]):
                    within = best[k - 2] if held == k - 1 else np.inf
                    price = apart(x.numbers, i, j)
                    if price < within:
                        price += share * _added(t, x.codes, i, j, (within - price) * (k - 1))
                        held = insert_copies(best, held, price, x.copies[j] - (j == i))
            out[i - start] = max(known[i], best.sum())
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def cheapest_boxes(t: Tables, x: Leaves, first: int, last: int, k: int, known: Floats) -> Floats:
    """For the same records a lower bound on the cheapest box over each and k − 1 others; `known` is from `nearest`."""
    d = x.codes.shape[1]
    s = scratch(t.start[-1])
    start = x.ends[first]
    out = np.empty(x.ends[last] - start)
    listed, away = np.empty(4 * MOST_LISTED, np.int64), np.empty(4 * MOST_LISTED)
    w = make_work(2 * k + 2, MOST_LISTED, k - 1, d, MOST_LISTED * d)
    members, chosen = np.empty((k, d), np.int32), np.empty(k - 1, np.int64)
    for home in range(first, last):
        for i in range(x.ends[home], x.ends[home + 1]):
            out[i - start] = known[i]
            if known[i] == 0.0 and x.copies[i] >= k:
                continue
            # Any k − 1 at the known distance or nearer make a box; beyond its cost no record is of use.
            count, within, price = 0, known[i], 0.0
            for leaf in range(x.ends.shape[0] - 1):
                if _floor(t, x, leaf, i, within) > within:
                    continue
                for j in range(x.ends[leaf], x.ends[leaf + 1]):
                    if count < k - 1 and _distance(t, x, i, j, within) <= within:
                        for _ in range(min(x.copies[j] - (j == i), k - 1 - count)):
                            for a in range(d):
                                members[count + 1, a] = x.codes[j, a]
                            price += apart(x.numbers, i, j)
                            count += 1
                if count == k - 1:
                    break
            if count < k - 1:
                continue
            for a in range(d):
                members[0, a] = x.codes[i, a]
            within = box_cost(t, s, members, k) + price
            if within <= known[i]:
                continue
            target, radius, found = within + 1e-9, np.inf, 0
            for leaf in range(x.ends.shape[0] - 1):
                if _floor(t, x, leaf, i, within) > within or found == listed.shape[0]:
                    continue
                for j in range(x.ends[leaf], x.ends[leaf + 1]):
                    if x.copies[j] > (j == i) and found < listed.shape[0]:
                        distance = _distance(t, x, i, j, within)
                        if distance <= within:
                            listed[found], away[found] = j, distance
                            found += 1
            if found == listed.shape[0]:  # a crowd: what is known of it already must do
                continue
            order = stable_order(away[:found])
            if found >= MOST_LISTED:
                found = MOST_LISTED - 1
                radius = away[order[found]]
            tuples, copies, prices = (
                np.empty((found + 1, d), np.int32),
                np.empty(found + 1, np.int64),
                np.zeros(found + 1),
            )
            inside, own = np.empty(found, np.int64), found
            for p in range(found):
                j = listed[order[p]]
                inside[p], copies[p], prices[p] = p, x.copies[j], apart(x.numbers, i, j)
                if j == i:
                    own = p
                for a in range(d):
                    tuples[p, a] = x.codes[j, a]
            for a in range(d):
                tuples[found, a] = x.codes[i, a]
            copies[found] = 1
            block = block_of(t, s, tuples)
            for level in range(w.table.shape[0]):
                w.table[level, block.values.shape[0]] = 0.0  # the place of wildcards in this block
            places = np.empty((found + 1, d), np.int32)
            for p in range(found + 1):
                for a in range(d):
                    places[p, a] = block.places[a, p]
            offer = Offer(tuples, places, copies, prices)
            _, bound, _ = cheapest(t, s, block, w, offer, own, inside, target, NODES, chosen)
            forget(s, block)
            out[i - start] = max(known[i], min(bound, radius))
    return out
