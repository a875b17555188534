"""Exact pricing: the groups of least reduced cost, by branch and bound from every possible root.

Given free multipliers λ of the records and penalties w_T ≥ 0 of cuts, the reduced cost of a group C is

    rc(C) = Σ_{pairs of C} d² / |C| − Σ_{v∈C} λ_v + Σ_T w_T·⌊Σ_{v∈C} a_Tv / b_T⌋.

Records are ordered by falling λ and a group is rooted at its first member, so that every group has one root i. For a
size η and a partial group S (which holds the root), t = η − |S| records are still to choose. With

    a_v = Σ_{u∈S} d²_uv/η − λ_v,      f_v = a_v + ½·(sum of the t−1 least d²_vw over candidates w)/η

every completion costs at least base(S) + the t least f: each pair among the chosen is halved between its two ends. The
same argument drops a candidate v when base + f_v + the t−1 least others reaches the threshold, repeatedly, and lets a
branch be left when its window of f does. The last two choices are enumerated directly.

Subset-row triples (at least two of three: penalty w) enter the bound: once one member is in S, the other two cost w/2
each; when the second enters, it pays the rest and frees the third. Other cuts count what S alone already owes, which
never falls. Both only underestimate what is missing, so the search stays exact; a group that is recorded is evaluated
from scratch.

What is returned for a root never exceeds the least reduced cost of its groups, whatever was truncated: a cut-off
branch, a capped list of candidates and a threshold all credit their own lower bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inlined, unchecked
from discreet.kernels.sorting import sort_along
from discreet.microaggregation.certificate.pricing.candidates import (
    Candidates,
    filter_candidates,
    force_each,
    keep_least,
    tighten,
)
from discreet.microaggregation.certificate.pricing.search import (
    BOUND,
    FULL,
    HELD,
    LIMIT,
    NODES,
    TRUNCATED,
    Counters,
    Found,
    Penalties,
    Stack,
    search,
)
from discreet.microaggregation.certificate.space import Floats, Ints, Space

Bools = NDArray[np.bool_]
Flag = NDArray[np.uint8]


class Asked(NamedTuple):
    """What a pass asks of every root.

    | field | what it says |
    |---|---|
    | least, most | sizes of groups, from and to |
    | keep | so many of the best groups are kept for each root and size; 0: all |
    | node_limit | branches for each root and size, at most; 0: none, filters alone |
    | cap | candidates, at most; 0: all |
    | max_columns | more groups than this end the search, and the rest is credited nothing |
    """

    least: int
    most: int
    keep: int
    node_limit: int
    cap: int
    max_columns: int


class Priced(NamedTuple):
    """Groups with their sizes and reduced costs; the value of each root and whether it is exact; the branches it took,
    and whether groups were more than `max_columns`."""

    members: Ints
    sizes: Ints
    reduced: Floats
    roots: Floats
    complete: Bools
    nodes: int
    overflow: bool


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def price_roots(
    space: Space,
    multipliers: Floats,
    order: Ints,
    threshold: Floats,
    first: int,
    last: int,
    asked: Asked,
    cuts: Penalties,
    stop: Flag,
) -> Priced:
    """Groups rooted at order[first .. last−1] whose reduced cost is below threshold[root].

    Roots that are not reached are credited nothing (−inf): where groups are too many, or once somebody sets `stop`.
    """
    n = multipliers.size
    found = Found(np.empty((256, asked.most), np.int32), np.empty(256, np.int32), np.empty(256))
    filled = np.int64(0)  # not a literal: numba would compile the search twice
    roots = np.full(last - first, -np.inf)
    complete = np.zeros(last - first, np.bool_)
    lists = Candidates(
        np.empty(n),
        np.empty(n, np.int32),
        np.empty(n),
        np.full(n, -1, np.int32),
        np.empty(n),
        np.empty(asked.most + 1),
    )
    counters = Counters(
        np.zeros(cuts.triple_weight.size, np.int32),
        np.zeros(cuts.weight.size, np.int32),
        np.zeros(4, np.int64),
        np.zeros(2),
    )
    branches = 0
    stopped, overflow = False, False
    for oi in range(first, last):
        limit = threshold[order[oi]]
        counters.values[BOUND] = limit
        finished = True
        for eta in range(asked.least, asked.most + 1):
            if stop[0] != 0:
                stopped = True
                break
            count, floor, whole = _candidates(
                space, multipliers, order, oi, eta, limit, asked.cap if asked.node_limit > 0 else -1, lists
            )
            if not whole:
                counters.values[BOUND] = min(counters.values[BOUND], floor)
                finished = False
            if count < eta - 1 or asked.node_limit <= 0:
                continue
            counters.values[LIMIT] = limit
            found = _search_root(space, multipliers, order[oi], eta, count, asked, lists, cuts, counters, found, filled)
            filled += counters.numbers[HELD]
            branches += counters.numbers[NODES]
            if counters.numbers[TRUNCATED] > 0:
                finished = False
            if counters.numbers[FULL] > 0 or filled > asked.max_columns:
                overflow = True
                break
        if stopped or overflow:
            break
        roots[oi - first] = counters.values[BOUND]
        complete[oi - first] = finished
    members, sizes, reduced = found.members[:filled], found.sizes[:filled], found.reduced[:filled]
    return Priced(members, sizes, reduced, roots, complete, branches, overflow)


@inlined
def _search_root(
    space: Space,
    multipliers: Floats,
    root: int,
    eta: int,
    count: int,
    asked: Asked,
    lists: Candidates,
    cuts: Penalties,
    counters: Counters,
    found: Found,
    filled: int,
) -> Found:
    """Search among the candidates of one root and size; the groups found, which may have moved to where more fit."""
    limit, bound = counters.values[LIMIT], counters.values[BOUND]
    while True:
        for x in range(4):
            counters.numbers[x] = 0
        counters.values[LIMIT] = limit
        counters.values[BOUND] = bound
        stack = _stack(space, multipliers, root, eta, count, lists, cuts, counters)
        search(space, multipliers, lists.local, stack, eta, asked.keep, asked.node_limit, cuts, counters, found, filled)
        for x in range(count):
            lists.local[lists.record[x]] = -1
        _release(counters)
        if counters.numbers[FULL] == 0 or found.sizes.size > asked.max_columns:
            return found
        # They do not fit: this root and size again, with twice as much space.
        found = _grown(found)


@unchecked
def _candidates(
    space: Space,
    multipliers: Floats,
    order: Ints,
    oi: int,
    eta: int,
    limit: float,
    cap: int,
    lists: Candidates,
) -> tuple[int, float, bool]:
    """Who can be with the root in a group of size η below the limit: a count, and the candidates listed.

    Where `cap` leaves some out (−1: all), the last value is False and the floor holds for every group of this root and
    size.
    """
    n = multipliers.size
    root = order[oi]
    t = eta - 1
    if n - oi - 1 < t:
        return 0, limit, True
    inverse = 1.0 / eta
    base = -multipliers[root]
    count: int = np.int64(0)  # type: ignore[assignment]  # not a literal, as above
    for x in range(oi + 1, n):
        v = order[x]
        a = space.distance[root, v] * inverse - multipliers[v]
        lists.partial[v] = a
        lists.value[count] = a + 0.5 * inverse * space.near_sum[v, t - 1]
        lists.record[count] = v
        count += 1
    count = filter_candidates(lists, count, t, base, limit)
    if count < t:
        return 0, limit, True
    if cap < 0:
        count = tighten(space, lists, count, t, inverse, base, limit)
        if count < t:
            return 0, limit, True
        return 0, base + _total(lists.smallest, t), False
    floor, whole = limit, True
    if cap > 0 and count > cap and cap >= t:
        floor, whole = base + _total(lists.smallest, t), False
        keep_least(lists, count, cap)
        count = cap
    before = 2 * count
    rounds = 0
    while count >= t and count < 0.97 * before and rounds < 12:
        before = count
        rounds += 1
        count = tighten(space, lists, count, t, inverse, base, limit)
        if count >= t and t > 1 and (count >= 0.97 * before or rounds >= 3):
            count = force_each(space, lists, count, t, inverse, base, limit)
    return count, floor, whole


@unchecked
def _total(smallest: Floats, t: int) -> float:
    total = 0.0
    for x in range(t):
        total += smallest[x]
    return total


@unchecked
def _stack(
    space: Space,
    multipliers: Floats,
    root: int,
    eta: int,
    c: int,
    lists: Candidates,
    cuts: Penalties,
    counters: Counters,
) -> Stack:
    """The search tree's first node: the root chosen, c candidates to choose from, cuts of the root counted."""
    n = multipliers.size
    local, value = lists.local, lists.value
    inverse = 1.0 / eta
    ids = lists.record[:c].copy()
    for x in range(c):
        local[ids[x]] = x
    scaled = np.empty((c, c))
    beside = np.empty((c, c - 1), np.int32)
    for x in range(c):
        u = ids[x]
        for y in range(c):
            scaled[x, y] = space.distance[u, ids[y]] * inverse
        z: int = np.int64(0)  # type: ignore[assignment]  # as above
        if c > n // 20:
            for y in range(n - 1):
                w = local[space.near[u, y]]
                if w >= 0:
                    beside[x, z] = w
                    z += 1
                    if z == c - 1:
                        break
        else:
            for y in range(c):
                if y != x:
                    value[z] = scaled[x, y]
                    beside[x, z] = y
                    z += 1
            sort_along(value, beside[x], z)
    stack = Stack(
        ids,
        scaled,
        beside,
        np.empty((eta, c), np.int32),
        np.empty((eta, c)),
        np.empty((eta, c)),
        np.empty((eta, c), np.int32),
        np.zeros(eta, np.int64),
        np.zeros(eta, np.int64),
        np.zeros(eta),
        np.zeros(eta),
        np.ones(c, np.int32),
        np.zeros(c, np.int32),
        np.empty(eta, np.int32),
        np.empty(eta + 1),
    )
    stack.chosen[0] = root
    for x in range(c):
        stack.listed[1, x] = x
        stack.cost[1, x] = lists.partial[ids[x]]
    base = -multipliers[root]
    for e in range(cuts.triple_start[root], cuts.triple_start[root + 1]):
        T = cuts.triple_of[e]
        counters.triples[T] = 1
        for b in range(3):
            u = local[cuts.triples[T, b]]
            if u >= 0:
                stack.cost[1, u] += 0.5 * cuts.triple_weight[T]
    for e in range(cuts.start[root], cuts.start[root + 1]):
        T = cuts.cut_of[e]
        counters.cuts[T] += cuts.numerator[e]
        base += cuts.weight[T] * (counters.cuts[T] // cuts.divisor[T])
    stack.length[1] = c
    stack.base[1] = base
    return stack


@unchecked
def _release(counters: Counters) -> None:
    """Forget every choice, also those of a search that ended in the middle."""
    for T in range(counters.triples.size):
        counters.triples[T] = 0
    for T in range(counters.cuts.size):
        counters.cuts[T] = 0


@unchecked
def _grown(found: Found) -> Found:
    size = found.sizes.size
    more = Found(
        np.empty((2 * size, found.members.shape[1]), np.int32), np.empty(2 * size, np.int32), np.empty(2 * size)
    )
    for g in range(size):
        for a in range(found.members.shape[1]):
            more.members[g, a] = found.members[g, a]
        more.sizes[g] = found.sizes[g]
        more.reduced[g] = found.reduced[g]
    return more
