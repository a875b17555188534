"""The cheapest box that holds a record and k − 1 others, with a price on each record: branch and bound, compiled.

For a record i the minimum over sets S of q = k − 1 further records of

    cost(box of i and S) + Σ_{j in S} p_j

with one price per distinct tuple (equal records are one tuple with a number of copies). A node of the search is a
box: the tuples inside it are free to take, at their prices, and a child takes in one tuple outside it, the cheapest
to join first; tuples passed over stay out for good, and a box that holds one of them unchanged is skipped, as it was
seen before. Bounds use only that the cost of a box grows with the set: a set that uses tuples t … of the sorted list
costs at least what joining t costs, plus the q cheapest prices among those that cost no more. Values are exact unless a
limit on nodes is hit; then the bound of what was left open is returned instead, so the result is never too high.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.generalization.boxes import Block, Scratch, fill_exact
from discreet.generalization.domain import Codes, Floats, Integers, Tables
from discreet.kernels import inner
from discreet.kernels.least import insert_copies
from discreet.kernels.sorting import stable_order

TINY = 1e-12
MARGIN = 1e-10

SAFETY = 2e-9
"""By how much a record's minimum is lowered: far above rounding."""


@inner
def join_cost(added: Floats, places: Codes) -> float:
    """What taking in a tuple adds to a box: one lookup per attribute in the box's table `added`."""
    total = 0.0
    for a in range(places.shape[0]):
        total += added[places[a]]
    return total


class Offer(NamedTuple):
    """The distinct tuples of a block: their values, the places of these in the block's tables, how often each tuple
    occurs, and its price."""

    tuples: Codes
    places: Codes
    copies: Integers
    prices: Floats


class Work(NamedTuple):
    """Memory of the search: per level the box (the tuples it was made of and what each value adds to it), the allowed
    tuples (inside first), what joining costs, prices and copies."""

    members: Codes
    table: Floats
    allowed: Integers
    added: Floats
    price: Floats
    copies: Integers
    base: Floats
    excluded: Integers


@inner
def make_work(depth: int, most: int, q: int, d: int, values: int) -> Work:
    return Work(
        np.empty((depth, d), np.int32),
        np.zeros((depth, values + 1)),
        np.empty((depth, most), np.int64),
        np.empty((depth, most)),
        np.empty((depth, most)),
        np.empty((depth, most), np.int64),
        np.empty((depth, q)),
        np.empty(most + depth, np.int64),
    )


@inner
def _sum(values: Floats) -> float:
    total = 0.0
    for x in values:
        total += x
    return total


@inner
def open_bound(
    w: Work, level: int, first: int, last: int, cost: float, held: int, least: float, target: float
) -> float:
    """Least value of a set that takes an outside tuple of a node from `first` on and none before.

    Over δ: join cost δ plus the q cheapest prices among those inside and those that join at δ or less.
    """
    q = w.base.shape[1]
    added, best = w.added[level], w.base[level].copy()
    bound = np.inf
    for c in range(first, last):
        floor = cost + added[c] + least
        if floor >= bound or floor >= target:
            break
        held = insert_copies(best, held, w.price[level, c], w.copies[level, c])
        if held == q:
            total = cost + added[c]
            for r in range(q):
                total += best[r]
            bound = min(bound, total)
    return bound


@inner
def _enter(
    w: Work, offer: Offer, own: int, level: int, count: int, cost: float, value: float
) -> tuple[int, int, int, float]:
    """Sort a node's tuples: inside first, then by what joining costs, without those that cannot beat `value`.

    Returns how many are inside, how many prices `base` holds, how many stay outside, and the sum of the q least prices
    (infinite where there are fewer than q).
    """
    q = w.base.shape[1]
    allowed, added = w.allowed[level], w.added[level]
    copies, prices = offer.copies, offer.prices
    least, fewer, half = np.empty(q), np.empty(max(q - 1, 0)), np.empty(max(q - 1, 0))
    inside, held, all_held, fewer_held, half_held = 0, 0, 0, 0, 0
    for p in range(count):
        c = allowed[p]
        extra = join_cost(w.table[level], offer.places[c])
        number = copies[c] - (c == own)
        all_held = insert_copies(least, all_held, prices[c], number)
        fewer_held = insert_copies(fewer, fewer_held, prices[c], number)
        if q > 1:
            half_held = insert_copies(half, half_held, prices[c] + extra * 0.5 / (q - 1), number)
        if extra <= TINY:
            held = insert_copies(w.base[level], held, prices[c], number)
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
    order = stable_order(added[inside : inside + outside])
    sorted_tuples, sorted_added = allowed[inside + order], added[inside + order]
    for p in range(outside):
        c = sorted_tuples[p]
        allowed[inside + p], added[p] = c, sorted_added[p]
        w.price[level, p], w.copies[level, p] = prices[c], copies[c] - (c == own)
    return inside, held, outside, _sum(least)


@inner
def _unchanged(members: Codes, joins: Codes) -> bool:
    """Whether a box stays the same, not only as cheap, when a tuple joins it for nothing.

    Where all members are wildcards, the first value is free but narrows what else is.
    """
    for a in range(joins.shape[0]):
        if joins[a] < 0:
            continue
        valued = False
        for r in range(members.shape[0]):
            valued |= members[r, a] >= 0
        if not valued:
            return False
    return True


@inner
def _seen(w: Work, offer: Offer, level: int, passed: int) -> bool:
    """Whether the box of a level holds a tuple that was passed over, unchanged: then it was looked at before."""
    for e in range(passed):
        out = w.excluded[e]
        free = join_cost(w.table[level], offer.places[out]) <= TINY
        if free and _unchanged(w.members[: level + 1], offer.tuples[out]):
            return True
    return False


@inner
def _hand_down(w: Work, level: int, inside: int, turn: int, outside: int) -> int:
    """A child may use what is inside its parent, and of the tuples outside those from its own on; how many."""
    for p in range(inside):
        w.allowed[level + 1, p] = w.allowed[level, p]
    for p in range(outside - turn):
        w.allowed[level + 1, inside + p] = w.allowed[level, inside + turn + p]
    return inside + outside - turn


@inner
def cheapest(
    t: Tables,
    s: Scratch,
    block: Block,
    w: Work,
    offer: Offer,
    own: int,
    listed: Integers,
    target: float,
    node_limit: int,
    chosen: Integers,
) -> tuple[float, float, int]:
    """Value found, a valid lower bound, and nodes searched, among the tuples in `listed`.

    `target` is a value already known, whose set is in `chosen`; `chosen` receives the tuples of the best set.
    """
    q, deepest = w.base.shape[1], w.members.shape[0]
    count, inside, outside = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    held, turn, passed = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    pending = np.full(deepest, -1, np.int64)
    cost, least = np.zeros(deepest), np.zeros(deepest)
    value, open_value, nodes = target, np.inf, 0
    w.members[0] = offer.tuples[own]
    fill_exact(t, s, block, w.members, 1, w.table[0])
    w.allowed[0, : listed.shape[0]] = listed
    count[0] = listed.shape[0]
    level, fresh = 0, True
    while level >= 0:
        if fresh:
            nodes += 1
            inside[level], held[level], outside[level], least[level] = _enter(
                w, offer, own, level, count[level], cost[level], value
            )
            turn[level], pending[level], fresh = 0, -1, False
            if held[level] == q:
                total = cost[level] + _sum(w.base[level])
                if total < value - MARGIN:
                    value = total
                    _take(w.allowed[level, : inside[level]], offer, own, chosen)
        if pending[level] >= 0:  # the child is done: from now on its tuple stays out
            w.excluded[passed[level]] = pending[level]
            passed[level] += 1
            pending[level] = -1
        p = turn[level]
        if p >= outside[level]:
            level -= 1
            continue
        bound = open_bound(w, level, p, outside[level], cost[level], held[level], least[level], value)
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
        w.members[level + 1] = offer.tuples[c]
        fill_exact(t, s, block, w.members, level + 2, w.table[level + 1])
        if _seen(w, offer, level + 1, passed[level]):
            continue
        cost[level + 1] = cost[level] + w.added[level, p]
        count[level + 1] = _hand_down(w, level, inside[level], p, outside[level])
        passed[level + 1] = passed[level]
        level += 1
        fresh = True
    return value, min(value, open_value), nodes


@inner
def _take(inside: Integers, offer: Offer, own: int, chosen: Integers) -> None:
    """The cheapest of the tuples inside, with copies."""
    used = 0
    for r in stable_order(offer.prices[inside]):
        c = inside[r]
        for _ in range(offer.copies[c] - (c == own)):
            if used == chosen.shape[0]:
                return
            chosen[used] = c
            used += 1
