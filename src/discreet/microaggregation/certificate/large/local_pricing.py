"""Exact pricing without a table of all distances: each root against the records near enough to matter.

A group C of size η with root i has t = η − 1 other members. As in `pricing.roots`, each pair among them is halved
between its two ends, so that with S_m(v) the sum of the m least squared distances from v to any other records

    rc(C) ≥ −λ_i + Σ_{v∈C∖i} h_v,     h_v = d²_iv/η + g_v,     g_v = ½·S_{t−1}(v)/η − λ_v.

Let H be the sum of the t least h over the records after i in the order of falling λ, and h* the largest of these. If H
≥ λ_i no group of this size is negative. Otherwise v is in a negative group only if h_v < h* + λ_i − H. A tree of
bounding boxes finds the least values and everybody below that fence: a box whose distance from i, over η, plus the
least g inside reaches the fence holds nobody. What remains are tens to thousands of records. These are thinned: by the
same fence with S over the candidates alone, and by trying each as second member. `pricing.roots` decides among the
rest. Memory is linear in n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.kernels.distance import between
from discreet.kernels.least import insert, least_sum
from discreet.kernels.sorting import stable_order
from discreet.microaggregation.certificate.large.box_tree import Lists, Ordered, collect_below, least_window
from discreet.microaggregation.certificate.pricing.roots import Asked, Bools, Priced, price_roots
from discreet.microaggregation.certificate.pricing.search import Found, Penalties
from discreet.microaggregation.certificate.space import Floats, Ints, Space

# Where a root has too many candidates, so many of each size are searched for groups, with so many branches.
BEST = 40
BRANCHES = 500
# From so many candidates on, each one is tried as the second member before any search.
MANY = 150


class Wanted(NamedTuple):
    """What a pass wants of every root.

    | field | what it says |
    |---|---|
    | least, most | sizes of groups, from and to |
    | keep | so many of the best groups are kept for each root and size |
    | node_limit | branches for each root and size, at most; 0: the window of least values alone |
    | widest | candidates, at most: a root that has more is not decided |
    | largest | candidates that are left when thinned, at most |
    """

    least: int
    most: int
    keep: int
    node_limit: int
    widest: int
    largest: int


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def price_local(at: Ordered, floors: Floats, first: int, last: int, wanted: Wanted, no_cuts: Penalties) -> Priced:
    """Groups of negative reduced cost rooted at the places first .. last−1 of the order.

    `floors` are the `least_shares` after place `first` or an earlier one. A root with too many candidates is credited
    what the window of least values proves, and groups are sought among the best of them. No root is worth more than 0.
    """
    multipliers, least, most = at.multipliers, wanted.least, wanted.most
    never = np.zeros(1, np.uint8)
    roots = np.zeros(last - first)
    complete = np.ones(last - first, np.bool_)
    capacity = (last - first) * wanted.keep * (most - least + 1)
    found = Found(np.full((capacity, most), -1, np.int32), np.zeros(capacity, np.int32), np.zeros(capacity))
    # Not literals: numba would compile calls twice.
    zero: int = np.int64(0)  # type: ignore[assignment]
    endless: int = np.int64(1 << 40)  # type: ignore[assignment]
    filled = zero
    branches = 0
    lists = Lists(
        np.empty(wanted.widest + 1, np.int32),
        np.zeros(multipliers.size, np.bool_),
        np.empty(max(most + 1, BEST)),
        np.empty(128, np.int32),
    )
    for oi in range(first, last):
        if multipliers[at.order[oi]] <= 0.0:
            # Then so is every multiplier of its groups.
            continue
        count, lowest = _near_enough(at, floors, oi, wanted, lists)
        decided = count <= wanted.widest and wanted.node_limit > 0
        if decided:
            count, higher = _thinned(at, lists, count, least, most)
            lowest = max(lowest, higher)
            decided = count <= wanted.largest
        if not decided:
            roots[oi - first] = lowest
            complete[oi - first] = lowest >= 0.0
            if wanted.node_limit <= 0 or lowest >= 0.0:
                continue
            count = _best(at, floors, oi, wanted, lists)
            if count > wanted.widest:
                continue
        if count < least:
            continue
        space, worth = _small_space(at, lists.listed, count, most)
        places = np.empty(count, np.int32)
        for x in range(count):
            places[x] = x
        nodes = wanted.node_limit if decided else min(wanted.node_limit, BRANCHES)
        asked = Asked(least, min(most, count), wanted.keep, nodes, zero, endless)
        priced = price_roots(space, worth, places, np.zeros(count), zero, zero + 1, asked, no_cuts, never)
        if decided:
            roots[oi - first] = priced.roots[0]
            complete[oi - first] = priced.complete[0]
        branches += priced.nodes
        filled = _taken_over(found, filled, priced, lists.listed)
    members, sizes, reduced = found.members[:filled], found.sizes[:filled], found.reduced[:filled]
    return Priced(members, sizes, reduced, roots, complete, branches, False)


@unchecked
def _near_enough(at: Ordered, floors: Floats, oi: int, wanted: Wanted, lists: Lists) -> tuple[int, float]:
    """List the root and everybody who can be in a negative group with it: how many there are (more than `widest` where
    they are too many), and what the groups cost at least (at most 0)."""
    n = at.multipliers.size
    worth = at.multipliers[at.order[oi]]
    lists.listed[0] = at.order[oi]
    count: int = np.int64(1)  # type: ignore[assignment]  # as above
    lowest = 0.0
    for eta in range(wanted.least, wanted.most + 1):
        if n - oi < eta:
            break
        t = eta - 1
        floor = floors[eta - wanted.least]
        total = least_window(at, oi, eta, t, floor, lists)
        if total >= worth:
            continue
        lowest = min(lowest, total - worth)
        if count <= wanted.widest:
            count = collect_below(at, oi, eta, floor, lists.smallest[t - 1] + worth - total, lists, count)
    _unmark(lists, count)
    return count, lowest


@unchecked
def _unmark(lists: Lists, count: int) -> None:
    for x in range(1, min(count, lists.listed.size)):
        lists.marked[lists.listed[x]] = False


@unchecked
def _taken_over(found: Found, filled: int, priced: Priced, listed: Ints) -> int:
    """Add the groups of one root, under the records' own numbers; how many there are then."""
    for g in range(priced.sizes.size):
        for a in range(priced.sizes[g]):
            found.members[filled, a] = listed[priced.members[g, a]]
        found.sizes[filled] = priced.sizes[g]
        found.reduced[filled] = priced.reduced[g]
        filled += 1
    return filled


@unchecked
def _best(at: Ordered, floors: Floats, oi: int, wanted: Wanted, lists: Lists) -> int:
    """List the root and, for every size, the records of least h; more than fit where too many are equal."""
    best = min(BEST, at.position.size - oi - 1)
    count: int = np.int64(1)  # type: ignore[assignment]  # as above
    for eta in range(wanted.least, wanted.most + 1):
        if best < eta - 1:
            break
        floor = floors[eta - wanted.least]
        least_window(at, oi, eta, best, floor, lists)
        count = collect_below(at, oi, eta, floor, lists.smallest[best - 1], lists, count)
        if count > lists.listed.size:
            break
    _unmark(lists, count)
    return count


@unchecked
def _thinned(at: Ordered, lists: Lists, count: int, least: int, most: int) -> tuple[int, float]:
    """Drop candidates as above, with S over the candidates alone, as long as many drop; listed[0] is the root.

    Tables of distances among those who are left come later: here, time grows with the square, memory does not.
    Returns how many are left, the root included, and what all its groups cost at least (at most 0).
    """
    points, multipliers, listed = at.tree.points, at.multipliers, lists.listed
    root = listed[0]
    lowest = 0.0
    while count >= least:
        lowest = 0.0
        c = count - 1
        near = np.full((c, most - 1), np.inf)
        own = np.empty(c)
        for x in range(c):
            near[x, 0] = 0.0
            own[x] = between(points[root], points[listed[x + 1]])
            for y in range(x):
                d = between(points[listed[x + 1]], points[listed[y + 1]])
                insert(near[x, 1:], most - 2, d)
                insert(near[y, 1:], most - 2, d)
        kept = np.zeros(c, np.bool_)
        h = np.empty(c)
        for x in range(c):
            for m in range(1, most - 1):
                near[x, m] += near[x, m - 1]
        for eta in range(least, min(most, count) + 1):
            for x in range(c):
                h[x] = own[x] / eta + 0.5 * near[x, eta - 2] / eta - multipliers[listed[x + 1]]
            total = least_sum(h, c, lists.smallest[: eta - 1])
            if total < multipliers[root]:
                lowest = min(lowest, total - multipliers[root])
                fence = lists.smallest[eta - 2] + multipliers[root] - total
                for x in range(c):
                    kept[x] |= h[x] <= fence
        if c > MANY:
            _force(at, lists, own, near, least, most, kept)
        count = 1
        for x in range(c):
            if kept[x]:
                listed[count] = listed[x + 1]
                count += 1
        if count - 1 > 0.7 * c:
            break
    return count, lowest if count >= least else 0.0


@unchecked
def _force(at: Ordered, lists: Lists, own: Floats, near: Floats, least: int, most: int, kept: Bools) -> None:
    """Drop each v with which no group is negative: the rest then cost (d²_iu + d²_uv)/η − λ_u + ½·S_{η−3}(u)/η."""
    points, multipliers, listed = at.tree.points, at.multipliers, lists.listed
    root = listed[0]
    c = own.size
    apart = np.empty(c)
    for x in range(c):
        if not kept[x]:
            continue
        v = listed[x + 1]
        for y in range(c):
            apart[y] = between(points[v], points[listed[y + 1]])
        kept[x] = False
        for eta in range(least, min(most, c + 1) + 1):
            window = lists.smallest[: eta - 2]
            held: int = np.int64(0)  # type: ignore[assignment]  # as above
            if eta > 2:
                for y in range(c):
                    if y != x:
                        u = listed[y + 1]
                        h = (own[y] + apart[y] + 0.5 * near[y, eta - 3]) / eta - multipliers[u]
                        held = insert(window, held, h)
            total = 0.0
            for y in range(eta - 2):
                total += window[y]
            if own[x] / eta - multipliers[v] + total < multipliers[root]:
                kept[x] = True
                break


@unchecked
def _small_space(at: Ordered, listed: Ints, count: int, most: int) -> tuple[Space, Floats]:
    """What `price_roots` needs of the records listed[:count]."""
    points = at.tree.points
    distance = np.zeros((count, count))
    near = np.empty((count, count - 1), np.int32)
    near_sum = np.full((count, most + 2), np.inf)
    worth = np.empty(count)
    for x in range(count):
        worth[x] = at.multipliers[listed[x]]
        for y in range(x):
            distance[x, y] = between(points[listed[x]], points[listed[y]])
            distance[y, x] = distance[x, y]
    key = np.empty(count)
    for x in range(count):
        for y in range(count):
            key[y] = distance[x, y]
        key[x] = -1.0
        rank = stable_order(key)
        near_sum[x, 0] = 0.0
        total = 0.0
        for y in range(1, count):
            near[x, y - 1] = rank[y]
            total += distance[x, rank[y]]
            if y < near_sum.shape[1]:
                near_sum[x, y] = total
    return Space(distance, near, near_sum, points.shape[1]), worth
