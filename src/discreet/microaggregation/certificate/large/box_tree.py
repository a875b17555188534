"""A tree of nested boxes: the records that matter to a root, found without a table of distances.

In the notation of `local_pricing`: the t least h_v = d²_iv/η + g_v of a root i, and everybody whose h is below a fence.
A box whose distance from i, over η, plus the least g inside reaches the fence holds nobody.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.kernels.distance import between
from discreet.kernels.least import insert
from discreet.microaggregation.certificate.neighbor_bound import BLOCK
from discreet.microaggregation.certificate.pricing.roots import Bools
from discreet.microaggregation.certificate.space import Floats, Ints

LEAF = 16
# A box's distance may be rounded up, and must not be.
SAFETY = 1.0 - 1e-12


class Tree(NamedTuple):
    """Nested boxes: node x holds record[begin[x] : end[x]], within low[x] .. high[x]; a leaf has left[x] = −1.

    Children come after their parent. `near_sum[v, m]` adds up the m least squared distances from v.
    """

    points: Floats
    record: Ints
    begin: Ints
    end: Ints
    left: Ints
    right: Ints
    low: Floats
    high: Floats
    near_sum: Floats


class Ordered(NamedTuple):
    """The records by falling multiplier: `order` lists them, `position` is its inverse."""

    tree: Tree
    multipliers: Floats
    order: Ints
    position: Ints


class Lists(NamedTuple):
    """Who may join a root: `listed`, the root first, and `marked` by record; the least values; boxes to look into."""

    listed: Ints
    marked: Bools
    smallest: Floats
    waiting: Ints


def ordered(tree: Tree, multipliers: Floats) -> Ordered:
    order = np.argsort(-multipliers, kind="stable").astype(np.int32)
    position = np.empty(len(order), np.int32)
    position[order] = np.arange(len(order), dtype=np.int32)
    return Ordered(tree, multipliers, order, position)


def grow(points: Floats, k: int) -> Tree:
    """Boxes halved along their longest side until they hold few records."""
    n = len(points)
    record = np.arange(n, dtype=np.int32)
    begin, end, left, right, low, high = [0], [n], [-1], [-1], [points.min(axis=0)], [points.max(axis=0)]
    x = 0
    while x < len(begin):
        a, b = begin[x], end[x]
        if b - a > LEAF:
            inside = record[a:b]
            side = points[inside, int(np.argmax(high[x] - low[x]))]
            half = (b - a) // 2
            record[a:b] = inside[np.argpartition(side, half)]
            left[x], right[x] = len(begin), len(begin) + 1
            for c, d in ((a, a + half), (a + half, b)):
                inside = record[c:d]
                begin.append(c)
                end.append(d)
                left.append(-1)
                right.append(-1)
                low.append(points[inside].min(axis=0))
                high.append(points[inside].max(axis=0))
        x += 1

    def whole(numbers: list[int]) -> Ints:
        return np.array(numbers, np.int32)

    return Tree(
        points, record, whole(begin), whole(end), whole(left), whole(right), np.array(low), np.array(high),
        neighbor_sums(points, k),
    )  # fmt: skip


def neighbor_sums(points: Floats, k: int) -> Floats:
    """Column m: the sum of the m least squared distances from each record to others, m = 0 .. 2k−2."""
    from discreet.solvers.neighbours import search_tree

    n = len(points)
    most = min(2 * k - 2, n - 1)
    out = np.full((n, 2 * k - 1), np.inf)
    tree = search_tree(points)
    for start in range(0, n, BLOCK):
        # The first of a record's neighbors is itself, or a duplicate at the same distance.
        distances, _ = tree.query(points[start : start + BLOCK], k=most + 1, workers=1)
        out[start : start + BLOCK, : most + 1] = np.cumsum(np.square(distances), axis=1)
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def least_shares(at: Ordered, first: int, least: int, most: int) -> Floats:
    """The least g of every size and node, over records after place `first` of the order."""
    tree = at.tree
    nodes = tree.begin.size
    out = np.full((most - least + 1, nodes), np.inf)
    for x in range(nodes - 1, -1, -1):
        if tree.left[x] >= 0:
            for s in range(most - least + 1):
                out[s, x] = min(out[s, tree.left[x]], out[s, tree.right[x]])
            continue
        for y in range(tree.begin[x], tree.end[x]):
            v = tree.record[y]
            if at.position[v] > first:
                for s in range(most - least + 1):
                    eta = least + s
                    g = 0.5 * tree.near_sum[v, eta - 2] / eta - at.multipliers[v]
                    out[s, x] = min(out[s, x], g)
    return out


@unchecked
def _apart(tree: Tree, root: int, x: int) -> float:
    """Squared distance from a record to a box, not rounded up."""
    total = 0.0
    for l in range(tree.points.shape[1]):
        p = tree.points[root, l]
        gap = max(tree.low[x, l] - p, p - tree.high[x, l])
        if gap > 0.0:
            total += gap * gap
    return total * SAFETY


@unchecked
def _share(at: Ordered, root: int, v: int, eta: int) -> float:
    """h_v for groups of size η."""
    tree = at.tree
    apart = between(tree.points[root], tree.points[v])
    return apart / eta + 0.5 * tree.near_sum[v, eta - 2] / eta - at.multipliers[v]


@unchecked
def least_window(at: Ordered, oi: int, eta: int, t: int, floor: Floats, lists: Lists) -> float:
    """The sum of the t least h for groups of size η with root order[oi], which are left in `smallest`, rising."""
    tree, root, waiting = at.tree, at.order[oi], lists.waiting
    smallest = lists.smallest[:t]
    held: int = np.int64(0)  # type: ignore[assignment]  # not a literal: numba would compile `insert` twice
    waiting[0] = 0
    depth = 1
    while depth > 0:
        depth -= 1
        x = waiting[depth]
        if held == t and _apart(tree, root, x) / eta + floor[x] >= smallest[t - 1]:
            continue
        if tree.left[x] >= 0:
            near, far = tree.left[x], tree.right[x]
            if _apart(tree, root, near) > _apart(tree, root, far):
                near, far = far, near
            waiting[depth] = far
            waiting[depth + 1] = near
            depth += 2
            continue
        for y in range(tree.begin[x], tree.end[x]):
            v = tree.record[y]
            if at.position[v] > oi:
                held = insert(smallest, held, _share(at, root, v, eta))
    total = 0.0
    for x in range(t):
        total += smallest[x]
    return total


@unchecked
def collect_below(at: Ordered, oi: int, eta: int, floor: Floats, fence: float, lists: Lists, count: int) -> int:
    """Append to `listed` everybody below the fence who is not in it; one more than fits where they are too many."""
    tree, root, waiting = at.tree, at.order[oi], lists.waiting
    waiting[0] = 0
    depth = 1
    while depth > 0:
        depth -= 1
        x = waiting[depth]
        if _apart(tree, root, x) / eta + floor[x] > fence:
            continue
        if tree.left[x] >= 0:
            waiting[depth] = tree.left[x]
            waiting[depth + 1] = tree.right[x]
            depth += 2
            continue
        for y in range(tree.begin[x], tree.end[x]):
            v = tree.record[y]
            if at.position[v] <= oi or lists.marked[v]:
                continue
            if _share(at, root, v, eta) <= fence:
                if count == lists.listed.size:
                    return count + 1
                lists.marked[v] = True
                lists.listed[count] = v
                count += 1
    return count
