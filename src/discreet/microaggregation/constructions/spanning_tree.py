"""MST: minimum spanning tree partitioning (Laszlo and Mukherjee, 2005).

The edges of a minimum spanning tree are visited by falling length; an edge is cut if both parts it separates
keep at least k records. Parts of 2k or more records are then partitioned by a fixed-size method; with
maximum distance, as here, the whole is the paper's M-d.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.microaggregation.constructions.endings import split_large
from discreet.microaggregation.constructions.maximum_distance import maximum_distance
from discreet.microaggregation.constructions.remaining import by_falling
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels


def run(call: Call) -> Outcome:
    points, k = call.problem
    tree = call.shared.once("spanning tree", lambda: spanning_tree(points))
    parts = cut_tree(*tree, k)
    labels = split_large(points, parts, k, maximum_distance)
    return Outcome(labels, "mst", detail={"parts of the tree": int(parts.max()) + 1})


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def spanning_tree(points: Floats) -> tuple[Labels, Floats]:
    """Prim's algorithm from record 0: the parent of every record (−1: none) and the squared length of that
    edge."""
    n, d = points.shape
    parent, length = np.full(n, 0, np.int64), np.full(n, np.inf)
    inside = np.zeros(n, np.bool_)
    at = 0
    parent[0] = -1
    for _ in range(n - 1):
        inside[at] = True
        best, nearest = np.inf, -1
        for x in range(n):
            if inside[x]:
                continue
            t = 0.0
            for l in range(d):
                t += (points[x, l] - points[at, l]) ** 2
            if t < length[x]:
                length[x], parent[x] = t, at
            if nearest < 0 or length[x] < best:
                best, nearest = length[x], x
        at = nearest
    length[0] = -1.0
    return parent, length


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def cut_tree(parent: Labels, length: Floats, k: int) -> Labels:
    """Cut by falling length where both sides keep k records. `below` counts what hangs on a record, itself
    included."""
    n = parent.size
    depth = np.full(n, -1.0)
    path = np.empty(n, np.int64)
    for x in range(n):
        m, y = 0, x
        while y >= 0 and depth[y] < 0:
            path[m] = y
            m += 1
            y = parent[y]
        base = depth[y] if y >= 0 else -1.0
        for a in range(m - 1, -1, -1):
            base += 1.0
            depth[path[a]] = base
    below = np.ones(n, np.int64)
    for x in by_falling(depth):
        if parent[x] >= 0:
            below[parent[x]] += below[x]
    cut = np.zeros(n, np.bool_)
    for x in by_falling(length):
        if parent[x] < 0 or below[x] < k:
            continue
        root = parent[x]
        while parent[root] >= 0 and not cut[root]:
            root = parent[root]
        if below[root] - below[x] < k:
            continue
        cut[x] = True
        y = parent[x]
        while True:
            below[y] -= below[x]
            if parent[y] < 0 or cut[y]:
                break
            y = parent[y]
    labels = np.full(n, -1, np.int64)
    groups = 0
    for x in by_falling(depth)[::-1]:
        if parent[x] < 0 or cut[x]:
            labels[x] = groups
            groups += 1
        else:
            labels[x] = labels[parent[x]]
    return labels
