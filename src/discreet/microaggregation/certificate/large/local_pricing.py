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

import numpy as np
from numba import njit

from discreet.microaggregation.certificate.large.box_tree import Tree, collect_below, least_window, squared
from discreet.microaggregation.certificate.pricing.roots import Bools, price_roots
from discreet.microaggregation.certificate.pricing.search import Penalties
from discreet.microaggregation.certificate.space import Floats, Ints, Space

# Where a root has too many candidates, so many of each size are searched for groups, with so many branches.
BEST = 40
BRANCHES = 500
# From so many candidates on, each one is tried as the second member before any search.
MANY = 150


@njit(cache=True, nogil=True)
def price_local(
    tree: Tree,
    floors: Floats,
    multipliers: Floats,
    order: Ints,
    position: Ints,
    first: int,
    last: int,
    least: int,
    most: int,
    keep: int,
    node_limit: int,
    widest: int,
    largest: int,
    no_cuts: Penalties,
) -> tuple[Ints, Ints, Floats, Floats, Bools, int]:
    """Groups of negative reduced cost rooted at order[first .. last−1]; `position` is the inverse of `order`.

    `floors` are the `least_shares` after place `first` or an earlier one. A root with more than `widest` candidates, or
    `largest` when they are thinned, is credited what the window of least values proves, and groups are sought among the
    best of them. Returns members, sizes, reduced costs, the value of each root (at most 0), whether it is exact, and
    the number of branches.
    """
    n = multipliers.size
    never = np.zeros(1, np.uint8)
    roots = np.zeros(last - first)
    complete = np.ones(last - first, np.bool_)
    room = (last - first) * keep * (most - least + 1)
    members = np.full((room, most), -1, np.int32)
    sizes = np.zeros(room, np.int32)
    reduced = np.zeros(room)
    filled = 0
    branches = 0
    marked = np.zeros(n, np.bool_)
    listed = np.empty(widest + 1, np.int32)
    smallest = np.empty(max(most + 1, BEST))
    waiting = np.empty(128, np.int32)
    for oi in range(first, last):
        root = order[oi]
        if multipliers[root] <= 0.0:
            # Then so is every multiplier of its groups.
            continue
        listed[0] = root
        count: int = np.int64(1)  # type: ignore[assignment]  # not a literal: numba would compile calls twice
        lowest = 0.0
        for eta in range(least, most + 1):
            if n - oi < eta:
                break
            t = eta - 1
            total = least_window(
                tree, multipliers, position, oi, root, eta, t, floors[:, eta - least], smallest, waiting
            )
            if total >= multipliers[root]:
                continue
            lowest = min(lowest, total - multipliers[root])
            if count <= widest:
                fence = smallest[t - 1] + multipliers[root] - total
                count = collect_below(
                    tree, multipliers, position, oi, root, eta, floors[:, eta - least], fence,
                    marked, listed, count, waiting,
                )  # fmt: skip
        for x in range(1, min(count, widest + 1)):
            marked[listed[x]] = False
        decided = count <= widest and node_limit > 0
        if decided:
            count, higher = _thinned(tree, multipliers, listed, count, least, most, smallest)
            lowest = max(lowest, higher)
            decided = count <= largest
        if not decided:
            roots[oi - first] = lowest
            complete[oi - first] = lowest >= 0.0
            if node_limit <= 0 or lowest >= 0.0:
                continue
            count = _best(tree, multipliers, position, oi, root, least, most, floors, smallest, marked, listed, waiting)
            for x in range(1, min(count, widest + 1)):
                marked[listed[x]] = False
            if count > widest:
                continue
        if count < least:
            continue
        space, worth = _small_space(tree, multipliers, listed, count, most)
        found = price_roots(
            space, worth, np.arange(count).astype(np.int32), 0, 1, least, min(most, count), np.zeros(count), keep,
            node_limit if decided else min(node_limit, BRANCHES), 0, 1 << 40, no_cuts, never,
        )  # fmt: skip
        if decided:
            roots[oi - first] = found[3][0]
            complete[oi - first] = found[4][0]
        branches += found[5]
        for g in range(found[1].size):
            for a in range(found[1][g]):
                members[filled, a] = listed[found[0][g, a]]
            sizes[filled] = found[1][g]
            reduced[filled] = found[2][g]
            filled += 1
    return members[:filled], sizes[:filled], reduced[:filled], roots, complete, branches


@njit(cache=True, nogil=True)
def _best(
    tree: Tree,
    multipliers: Floats,
    position: Ints,
    oi: int,
    root: int,
    least: int,
    most: int,
    floors: Floats,
    smallest: Floats,
    marked: Bools,
    listed: Ints,
    waiting: Ints,
) -> int:
    """List the root and, for every size, the records of least h; more than fit where too many are equal."""
    wanted = min(BEST, position.size - oi - 1)
    count: int = np.int64(1)  # type: ignore[assignment]  # as above
    for eta in range(least, most + 1):
        if wanted < eta - 1:
            break
        floor = floors[:, eta - least]
        least_window(tree, multipliers, position, oi, root, eta, wanted, floor, smallest, waiting)
        fence = smallest[wanted - 1]
        count = collect_below(tree, multipliers, position, oi, root, eta, floor, fence, marked, listed, count, waiting)
        if count > listed.size:
            break
    return count


@njit(cache=True, nogil=True)
def _thinned(
    tree: Tree, multipliers: Floats, listed: Ints, count: int, least: int, most: int, smallest: Floats
) -> tuple[int, float]:
    """Drop candidates as above, with S over the candidates alone, as long as many drop; listed[0] is the root.

    Tables of distances among those who are left come later: here, time grows with the square, memory does not.
    Returns how many are left, the root included, and what all its groups cost at least (at most 0).
    """
    root = listed[0]
    lowest = 0.0
    while count >= least:
        lowest = 0.0
        c = count - 1
        near = np.full((c, most - 1), np.inf)
        own = np.empty(c)
        for x in range(c):
            near[x, 0] = 0.0
            own[x] = squared(tree.points, root, listed[x + 1])
            for y in range(x):
                d = squared(tree.points, listed[x + 1], listed[y + 1])
                _insert(near[x, 1:], d)
                _insert(near[y, 1:], d)
        kept = np.zeros(c, np.bool_)
        h = np.empty(c)
        for x in range(c):
            for m in range(1, most - 1):
                near[x, m] += near[x, m - 1]
        for eta in range(least, min(most, count) + 1):
            window = smallest[: eta - 1]
            window[:] = np.inf
            for x in range(c):
                h[x] = own[x] / eta + 0.5 * near[x, eta - 2] / eta - multipliers[listed[x + 1]]
                _insert(window, h[x])
            total = window.sum()
            if total < multipliers[root]:
                lowest = min(lowest, total - multipliers[root])
                fence = window[eta - 2] + multipliers[root] - total
                for x in range(c):
                    kept[x] |= h[x] <= fence
        if c > MANY:
            _force(tree, multipliers, root, listed[1:count], own, near, least, most, kept, smallest)
        count = 1
        for x in range(c):
            if kept[x]:
                listed[count] = listed[x + 1]
                count += 1
        if count - 1 > 0.7 * c:
            break
    return count, lowest if count >= least else 0.0


@njit(cache=True, nogil=True)
def _force(
    tree: Tree,
    multipliers: Floats,
    root: int,
    others: Ints,
    own: Floats,
    near: Floats,
    least: int,
    most: int,
    kept: Bools,
    smallest: Floats,
) -> None:
    """Drop each v with which no group is negative: the rest then cost (d²_iu + d²_uv)/η − λ_u + ½·S_{η−3}(u)/η."""
    c = others.size
    apart = np.empty(c)
    for x in range(c):
        if not kept[x]:
            continue
        v = others[x]
        for y in range(c):
            apart[y] = squared(tree.points, v, others[y])
        kept[x] = False
        for eta in range(least, min(most, c + 1) + 1):
            window = smallest[: eta - 2]
            window[:] = np.inf
            if eta > 2:
                for y in range(c):
                    if y != x:
                        u = others[y]
                        _insert(window, (own[y] + apart[y] + 0.5 * near[y, eta - 3]) / eta - multipliers[u])
            if own[x] / eta - multipliers[v] + window.sum() < multipliers[root]:
                kept[x] = True
                break


@njit(cache=True, nogil=True)
def _insert(least: Floats, value: float) -> None:
    """Put a value in its place among the least ones, which are sorted."""
    at = least.size - 1
    if at < 0 or value >= least[at]:
        return
    while at > 0 and least[at - 1] > value:
        least[at] = least[at - 1]
        at -= 1
    least[at] = value


@njit(cache=True, nogil=True)
def _small_space(tree: Tree, multipliers: Floats, listed: Ints, count: int, most: int) -> tuple[Space, Floats]:
    """What `price_roots` needs of the records listed[:count]."""
    distance = np.zeros((count, count))
    near = np.empty((count, count - 1), np.int32)
    near_sum = np.full((count, most + 2), np.inf)
    worth = np.empty(count)
    for x in range(count):
        worth[x] = multipliers[listed[x]]
        for y in range(x):
            distance[x, y] = squared(tree.points, listed[x], listed[y])
            distance[y, x] = distance[x, y]
    for x in range(count):
        key = distance[x].copy()
        key[x] = -1.0
        rank = np.argsort(key, kind="mergesort")
        near_sum[x, 0] = 0.0
        total = 0.0
        for y in range(1, count):
            near[x, y - 1] = rank[y]
            total += distance[x, rank[y]]
            if y < near_sum.shape[1]:
                near_sum[x, y] = total
    return Space(distance, near, near_sum, tree.points.shape[1]), worth
