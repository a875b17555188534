"""V-MDAV: variable-size MDAV (Solanas and Martínez-Ballesté, 2006).

While at least k records are left, the one farthest from the centroid of all records and its k−1 nearest form
a group. The group then grows: with u the record left that is nearest to any member, at distance d_in, and
d_out the distance from u to its nearest record left, u joins if d_in < γ·d_out, up to 2k−1 members. At the
end fewer than k records may be left; they join the groups of nearest centroid, and a group that reaches 2k
is split.

γ weighs tight groups against many: 0 is a fixed-size method, about 0.2 suits scattered data, about 1.1
clustered data.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.kernels.distance import between
from discreet.microaggregation.constructions.endings import join_nearest, split_large
from discreet.microaggregation.constructions.remaining import drop_labeled, mean_of, nearest_left
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels


def run(call: Call) -> Outcome:
    points, k = call.problem
    gamma = float(call.options.get("gamma", 0.2))
    return Outcome(split_large(points, vmdav(points, k, gamma), k), "v-mdav", detail={"gamma": gamma})


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def vmdav(points: Floats, k: int, gamma: float) -> Labels:
    n = points.shape[0]
    labels = np.full(n, -1, np.int64)
    center = mean_of(points)
    radius = np.empty(n)
    for x in range(n):
        radius[x] = between(points[x], center)
    rest, alive, groups = np.arange(n), n, 0
    distance = np.empty(n)
    while alive >= k:
        seed = 0
        for a in range(1, alive):
            if radius[rest[a]] > radius[rest[seed]]:
                seed = a
        members = nearest_left(points, rest, alive, rest[seed], -1, k)
        for x in members:
            labels[x] = groups
        alive = drop_labeled(rest, alive, labels)
        # From here on: the squared distance of every record left to its nearest member.
        for a in range(alive):
            distance[a] = np.inf
            for y in members:
                distance[a] = min(distance[a], between(points[rest[a]], points[y]))
        size = k
        while size < 2 * k - 1 and alive > 0:
            nearest = 0
            for a in range(1, alive):
                if distance[a] < distance[nearest]:
                    nearest = a
            u = rest[nearest]
            outside = np.inf
            for a in range(alive):
                if a != nearest:
                    outside = min(outside, between(points[rest[a]], points[u]))
            if alive == 1 or np.sqrt(distance[nearest]) >= gamma * np.sqrt(outside):
                break
            labels[u] = groups
            size += 1
            for a in range(nearest + 1, alive):
                distance[a - 1] = distance[a]
            alive = drop_labeled(rest, alive, labels)
            for a in range(alive):
                distance[a] = min(distance[a], between(points[rest[a]], points[u]))
        groups += 1
    if alive > 0:
        join_nearest(points, labels, groups)
    return labels
