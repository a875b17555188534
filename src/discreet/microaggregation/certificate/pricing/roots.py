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

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.microaggregation.certificate.pricing.candidates import (
    filter_candidates,
    force_each,
    keep_least,
    sort,
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
    Penalties,
    Room,
    Stack,
    search,
)
from discreet.microaggregation.certificate.space import Floats, Ints, Space

Bools = NDArray[np.bool_]
Flag = NDArray[np.uint8]


@njit(cache=True, nogil=True)
def price_roots(
    space: Space,
    multipliers: Floats,
    order: Ints,
    first: int,
    last: int,
    least: int,
    most: int,
    threshold: Floats,
    keep: int,
    node_limit: int,
    cap: int,
    max_columns: int,
    cuts: Penalties,
    stop: Flag,
) -> tuple[Ints, Ints, Floats, Floats, Bools, int, bool]:
    """Groups of `least` .. `most` records rooted at order[first .. last−1] whose reduced cost is below threshold[root].

    `keep` > 0 keeps that many best per root and size, 0 keeps all. `node_limit` bounds the branches per root and size
    (0: none, filters alone); `cap` > 0 bounds the candidates. More than `max_columns` groups set the overflow flag and
    end the search: the remaining roots are credited nothing (−inf). So does `stop`, once somebody sets it. Returns
    members, sizes, reduced costs, the value of each root, whether it is exact, the number of branches and the flag.
    """
    n = multipliers.size
    room = Room(np.empty((256, most), np.int32), np.empty(256, np.int32), np.empty(256))
    filled = np.int64(0)  # not a literal: numba would compile the search twice
    roots = np.full(last - first, -np.inf)
    complete = np.zeros(last - first, np.bool_)
    partial = np.empty(n)
    value = np.empty(n)
    record = np.empty(n, np.int32)
    local = np.full(n, -1, np.int32)
    scratch = np.empty(n)
    smallest = np.empty(most + 1)
    counters = Counters(
        np.zeros(cuts.triple_weight.size, np.int32),
        np.zeros(cuts.weight.size, np.int32),
        np.zeros(4, np.int64),
        np.zeros(2),
    )
    branches = 0
    for oi in range(first, last):
        root = order[oi]
        bound = threshold[root]
        finished = True
        for eta in range(least, most + 1):
            if stop[0] != 0:
                return (
                    room.members[:filled], room.sizes[:filled], room.reduced[:filled], roots, complete, branches, False,
                )  # fmt: skip
            count, floor, whole = _candidates(
                space, multipliers, order, oi, eta, threshold[root], cap if node_limit > 0 else -1,
                partial, value, record, local, scratch, smallest,
            )  # fmt: skip
            if not whole:
                bound = min(bound, floor)
                finished = False
            if count < eta - 1 or node_limit <= 0:
                continue
            stack = _stack(space, multipliers, root, eta, count, partial, record, local, value, cuts, counters)
            while True:
                for x in range(4):
                    counters.numbers[x] = 0
                counters.values[LIMIT] = threshold[root]
                counters.values[BOUND] = bound
                search(space, multipliers, local, stack, eta, keep, node_limit, cuts, counters, room, filled)
                if counters.numbers[FULL] == 0 or room.sizes.size > max_columns:
                    break
                # No room: start this root and size again with twice as much.
                room = _grown(room)
                for x in range(count):
                    local[record[x]] = -1
                _release(counters)
                stack = _stack(space, multipliers, root, eta, count, partial, record, local, value, cuts, counters)
            for x in range(count):
                local[record[x]] = -1
            _release(counters)
            filled += counters.numbers[HELD]
            branches += counters.numbers[NODES]
            bound = counters.values[BOUND]
            if counters.numbers[TRUNCATED] > 0:
                finished = False
            if counters.numbers[FULL] > 0 or filled > max_columns:
                return (
                    room.members[:filled], room.sizes[:filled], room.reduced[:filled], roots, complete, branches, True,
                )  # fmt: skip
        roots[oi - first] = bound
        complete[oi - first] = finished
    return room.members[:filled], room.sizes[:filled], room.reduced[:filled], roots, complete, branches, False


@inner
def _candidates(
    space: Space,
    multipliers: Floats,
    order: Ints,
    oi: int,
    eta: int,
    limit: float,
    cap: int,
    partial: Floats,
    value: Floats,
    record: Ints,
    local: Ints,
    scratch: Floats,
    smallest: Floats,
) -> tuple[int, float, bool]:
    """Who can be with the root in a group of size η below the limit: a count, and `record` filled with them.

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
        partial[v] = a
        value[count] = a + 0.5 * inverse * space.near_sum[v, t - 1]
        record[count] = v
        count += 1
    count = filter_candidates(value, record, count, t, base, limit, smallest)
    if count < t:
        return 0, limit, True
    if cap < 0:
        count = tighten(space, partial, value, record, count, t, inverse, base, limit, smallest, local)
        if count < t:
            return 0, limit, True
        return 0, base + _total(smallest, t), False
    floor, whole = limit, True
    if cap > 0 and count > cap and cap >= t:
        floor, whole = base + _total(smallest, t), False
        keep_least(value, record, count, cap, scratch)
        count = cap
    before = 2 * count
    rounds = 0
    while count >= t and count < 0.97 * before and rounds < 12:
        before = count
        rounds += 1
        count = tighten(space, partial, value, record, count, t, inverse, base, limit, smallest, local)
        if count >= t and t > 1 and (count >= 0.97 * before or rounds >= 3):
            count = force_each(
                space.distance, space.near_sum, partial, record, value, count, t, inverse, base, limit,
                scratch, smallest,
            )  # fmt: skip
    return count, floor, whole


@inner
def _total(smallest: Floats, t: int) -> float:
    total = 0.0
    for x in range(t):
        total += smallest[x]
    return total


@inner
def _stack(
    space: Space,
    multipliers: Floats,
    root: int,
    eta: int,
    c: int,
    partial: Floats,
    record: Ints,
    local: Ints,
    value: Floats,
    cuts: Penalties,
    counters: Counters,
) -> Stack:
    """The search tree's first node: the root chosen, `record[:c]` to choose from, cuts of the root counted."""
    n = multipliers.size
    inverse = 1.0 / eta
    ids = record[:c].copy()
    for x in range(c):
        local[ids[x]] = x
    scaled = np.empty((c, c))
    beside = np.empty((c, c - 1), np.int32)
    for x in range(c):
        u = ids[x]
        for y in range(c):
            scaled[x, y] = space.distance[u, ids[y]] * inverse
        z = 0
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
            sort(value, beside[x], z)
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
        stack.cost[1, x] = partial[ids[x]]
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


@inner
def _release(counters: Counters) -> None:
    """Forget every choice, also those of a search that ended in the middle."""
    for T in range(counters.triples.size):
        counters.triples[T] = 0
    for T in range(counters.cuts.size):
        counters.cuts[T] = 0


@inner
def _grown(room: Room) -> Room:
    size = room.sizes.size
    more = Room(np.empty((2 * size, room.members.shape[1]), np.int32), np.empty(2 * size, np.int32), np.empty(2 * size))
    for g in range(size):
        for a in range(room.members.shape[1]):
            more.members[g, a] = room.members[g, a]
        more.sizes[g] = room.sizes[g]
        more.reduced[g] = room.reduced[g]
    return more
