"""What pricing needs to know of the points: all squared distances, the neighbors of every record by distance.

SSE(C) = Σ_{pairs of C} d² / |C| (Gentile, Spagnolo-Arrizabalaga and Castro 2020, equation 8): distances alone decide.
The tables take 12·n² bytes, so that column generation fits up to some ten thousand records.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.microaggregation.groups import Groups

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Space(NamedTuple):
    """`near[v]` lists the other records by rising distance; `near_sum[v, t]` adds up the t least distances."""

    distance: Floats
    near: Ints
    near_sum: Floats
    dimension: int


def measure(points: Floats, k: int) -> Space:
    """All distances between the rows of `points`, ready for groups of up to 2k−1 records."""
    points = np.ascontiguousarray(points, np.float64)
    distance = _distances(points)
    n = len(points)
    key = distance.copy()
    np.fill_diagonal(key, -1.0)
    # Stable: equal distances in the order of the records, so that the same points give the same lists.
    near = np.argsort(key, axis=1, kind="stable")[:, 1:].astype(np.int32)
    depth = min(2 * k, n - 1)
    near_sum = np.zeros((n, 2 * k + 1))
    sums = np.cumsum(np.take_along_axis(distance, near[:, :depth].astype(np.int64), axis=1), axis=1)
    near_sum[:, 1 : depth + 1] = sums
    near_sum[:, depth + 1 :] = np.inf
    return Space(distance, np.ascontiguousarray(near), near_sum, points.shape[1])


def groups_in(space: Space, members: Ints, sizes: Ints) -> Groups:
    """Groups with their SSE."""
    return Groups(members, sizes, group_costs(space.distance, members, sizes))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _distances(points: Floats) -> Floats:
    n, d = points.shape
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            s = 0.0
            for l in range(d):
                t = points[i, l] - points[j, l]
                s += t * t
            out[i, j] = s
            out[j, i] = s
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def group_costs(distance: Floats, members: Ints, sizes: Ints) -> Floats:
    """SSE of each group; row g of `members` lists `sizes[g]` records."""
    out = np.empty(sizes.size)
    for g in range(sizes.size):
        s = 0.0
        for a in range(sizes[g]):
            for b in range(a):
                s += distance[members[g, a], members[g, b]]
        out[g] = s / sizes[g]
    return out
