"""Paths through all records, to be cut by `path_cut` (Domingo-Ferrer, Martínez-Ballesté, Mateo-Sanz, Sebé,
2006).

Nearest point next starts at the record farthest from the centroid and goes on to the nearest record not yet
visited. `through_groups` does the same but, once in a group of a given partition, visits all of it before it
leaves: with the groups of MDAV or MD that is the order of MDAV-MHM and MD-MHM, and the tour of ICSM. As
every group is a run of this path, cutting it never yields a worse partition than the one it came from.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.microaggregation.constructions.maximum_distance import maximum_distance
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.constructions.remaining import mean_of
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.path_cut import cut_path
from discreet.microaggregation.problem import Floats, Labels


def run_npn(call: Call) -> Outcome:
    points, k = call.problem
    path = call.shared.once("nearest point next", lambda: nearest_point_next(points))
    return Outcome(cut_path(points, path, k), "npn-mhm")


def run_mdav(call: Call) -> Outcome:
    points, k = call.problem
    return Outcome(cut_path(points, through_groups(points, mdav(points, k)), k), "mdav-mhm")


def run_md(call: Call) -> Outcome:
    points, k = call.problem
    return Outcome(cut_path(points, through_groups(points, maximum_distance(points, k)), k), "md-mhm")


def nearest_point_next(points: Floats) -> Labels:
    return through_groups(points, np.arange(len(points)))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def through_groups(points: Floats, labels: Labels) -> Labels:
    n, d = points.shape
    groups = labels.max() + 1
    offset = np.zeros(groups + 1, np.int64)
    for x in range(n):
        offset[labels[x] + 1] += 1
    for p in range(groups):
        offset[p + 1] += offset[p]
    members, fill = np.empty(n, np.int64), offset.copy()
    for x in range(n):
        members[fill[labels[x]]] = x
        fill[labels[x]] += 1

    # The records not yet visited, packed in their original order.
    rest, ids, top = points.copy(), np.arange(n), n
    visited = np.zeros(n, np.bool_)
    center = mean_of(points)
    at, best = 0, -1.0
    for x in range(n):
        t = 0.0
        for l in range(d):
            t += (points[x, l] - center[l]) ** 2
        if t > best:
            best, at = t, x

    order = np.empty(n, np.int64)
    done = 0
    while True:
        p = labels[at]
        order[done] = at
        visited[at] = True
        done += 1
        for _ in range(offset[p + 1] - offset[p] - 1):
            best, nearest = np.inf, -1
            for a in range(offset[p], offset[p + 1]):
                y = members[a]
                if not visited[y]:
                    t = 0.0
                    for l in range(d):
                        t += (points[y, l] - points[at, l]) ** 2
                    if t < best:
                        best, nearest = t, y
            at = nearest
            order[done] = at
            visited[at] = True
            done += 1
        if done == n:
            return order
        best, nearest, kept = np.inf, -1, 0
        for a in range(top):
            y = ids[a]
            if visited[y]:
                continue
            t = 0.0
            for l in range(d):
                t += (rest[a, l] - points[at, l]) ** 2
            if t < best:
                best, nearest = t, y
            if kept < a:
                ids[kept] = y
                for l in range(d):
                    rest[kept, l] = rest[a, l]
            kept += 1
        top = kept
        at = nearest
