"""Which originals lie in which published box: range queries on a kd-tree of the distinct originals.

Equal originals, and equal boxes, are one node each, with their number. A node of the tree knows the lowest and
highest code of each attribute among its originals; a box with runs of codes is disjoint from it, holds it whole, or
must look below. Originals stand in the order of the tree, so that a node held whole is one run of originals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Small = NDArray[np.int32]

LEAF = 8
OUTSIDE, PARTLY, INSIDE = 0, 1, 2


class Tree(NamedTuple):
    """Originals in tree order; per node its range of originals, first child (−1 for a leaf; the second follows)."""

    points: Small
    begin: Integers
    end: Integers
    child: Integers
    low: Small
    high: Small


class Boxes(NamedTuple):
    """`texts[b, a]` names the published text of box b on attribute a; its runs stand from `ends[a, text]` on."""

    texts: Integers
    first_text: Integers
    ends: Integers
    low: Integers
    high: Integers


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def build(points: Small) -> tuple[Integers, Tree]:
    """The order of the originals in the tree, and the tree over them. Splits at the mean of the widest attribute."""
    n, d = points.shape
    order, part = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    most = 2 * n + 2
    begin, end, child = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    low, high = np.empty((most, d), np.int32), np.empty((most, d), np.int32)
    begin[0], end[0] = 0, n
    nodes, node = 1, 0
    spread = np.empty(d, np.float64)
    while node < nodes:
        first, last = begin[node], end[node]
        child[node] = -1
        for a in range(d):
            least, most_code = points[order[first], a], points[order[first], a]
            for q in range(first + 1, last):
                code = points[order[q], a]
                least, most_code = min(least, code), max(most_code, code)
            low[node, a], high[node, a] = least, most_code
            if node == 0:
                spread[a] = max(np.float64(most_code - least), 1.0)
        if last - first > LEAF:
            widest, best = -1, 0.0
            for a in range(d):
                width = (high[node, a] - low[node, a]) / spread[a]
                if width > best:
                    widest, best = a, width
            if widest >= 0:
                total, left = 0, 0
                for q in range(last - first):
                    part[q] = order[first + q]
                    total += points[part[q], widest]
                middle = total // (last - first) + 1  # above the mean: neither side is empty
                for q in range(last - first):
                    left += points[part[q], widest] < middle
                near, far = first, first + left
                for q in range(last - first):
                    if points[part[q], widest] < middle:
                        order[near] = part[q]
                        near += 1
                    else:
                        order[far] = part[q]
                        far += 1
                child[node] = nodes
                begin[nodes], end[nodes] = first, first + left
                begin[nodes + 1], end[nodes + 1] = first + left, last
                nodes += 2
        node += 1
    ordered = np.empty((n, d), np.int32)
    for i in range(n):
        for a in range(d):
            ordered[i, a] = points[order[i], a]
    return order, Tree(ordered, begin[:nodes], end[:nodes], child[:nodes], low[:nodes], high[:nodes])


@njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _relation(boxes: Boxes, text: int, low: int, high: int) -> int:
    """How the runs of a text lie to the codes low … high. Code −1 lies in every box."""
    if high < 0:
        return INSIDE
    relation = OUTSIDE if low >= 0 else PARTLY
    least = max(low, 0)
    for q in range(boxes.ends[text], boxes.ends[text + 1]):
        if boxes.low[q] <= least and boxes.high[q] >= high:
            return INSIDE
        if boxes.low[q] <= high and boxes.high[q] >= least:
            relation = PARTLY
    return relation


@njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _inside_box(boxes: Boxes, box: int, low: Small, high: Small) -> int:
    relation = INSIDE
    for a in range(low.shape[0]):
        one = _relation(boxes, boxes.first_text[a] + boxes.texts[box, a], low[a], high[a])
        if one == OUTSIDE:
            return OUTSIDE
        relation = min(relation, one)
    return relation


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def query(tree: Tree, boxes: Boxes, first: int, last: int, caps: Integers, seed: int) -> tuple[Integers, Small, bool]:
    """Originals in each of the boxes first … last−1, at most `caps` (a random choice); whether all were listed."""
    counts = np.empty(last - first, np.int64)
    found = np.empty(1 << 12, np.int32)
    runs = np.empty((tree.points.shape[0] + 1, 2), np.int64)
    stack = np.empty(4096, np.int64)
    used, complete = 0, True
    random = np.uint64(seed)
    for box in range(first, last):
        depth, held, total = 1, 0, 0
        stack[0] = 0
        while depth > 0:
            depth -= 1
            node = stack[depth]
            relation = _inside_box(boxes, box, tree.low[node], tree.high[node])
            if relation == OUTSIDE:
                continue
            if relation == PARTLY and tree.child[node] >= 0:
                stack[depth], stack[depth + 1] = tree.child[node] + 1, tree.child[node]
                depth += 2
                continue
            for q in range(tree.begin[node], tree.end[node]):
                if relation == INSIDE or _inside_box(boxes, box, tree.points[q], tree.points[q]) == INSIDE:
                    stop = tree.end[node] if relation == INSIDE else q + 1
                    if held > 0 and runs[held - 1, 1] == q:
                        runs[held - 1, 1] = stop
                    else:
                        runs[held, 0], runs[held, 1] = q, stop
                        held += 1
                    total += stop - q
                    if relation == INSIDE:
                        break
        take = min(total, caps[box])
        complete &= take == total
        while used + take > found.shape[0]:
            wider = np.empty(2 * found.shape[0], np.int32)
            for q in range(used):
                wider[q] = found[q]
            found = wider
        counts[box - first] = take
        seen, left = 0, take  # choose `take` of `total` in order (selection sampling)
        for r in range(held):
            for q in range(runs[r, 0], runs[r, 1]):
                random = random * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
                draw = float(random >> np.uint64(11)) / 9007199254740992.0
                if left == total - seen or draw * (total - seen) < left:
                    found[used] = q
                    used += 1
                    left -= 1
                seen += 1
    return counts, found[:used], complete
