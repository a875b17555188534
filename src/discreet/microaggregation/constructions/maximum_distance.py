"""MD: maximum distance (Domingo-Ferrer and Mateo-Sanz, 2002).

While at least 2k records remain, r and s are the two most distant of them; r with its k−1 nearest and s with
its k−1 nearest form two groups. If k .. 2k−1 records are left then, they are the last group; fewer join the
nearest groups.

The most distant pair is found without looking at all pairs: with ρ(x) the distance to the centroid of all
records, |x − y| ≤ ρ(x) + ρ(y), so pairs are taken by falling ρ and the search ends when the bound drops
below the best pair. Ties go to the pair whose first, then second, record comes first.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.kernels.distance import between
from discreet.microaggregation.constructions.endings import join_nearest
from discreet.microaggregation.constructions.remaining import by_falling, drop_labeled, mean_of, nearest_left
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels


def run(call: Call) -> Outcome:
    points, k = call.problem
    return Outcome(maximum_distance(points, k), "md")


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def maximum_distance(points: Floats, k: int) -> Labels:
    n = points.shape[0]
    labels = np.full(n, -1, np.int64)
    center = mean_of(points)
    radius = np.empty(n)
    for x in range(n):
        radius[x] = np.sqrt(between(points[x], center))
    # Sorted by falling radius throughout: packing keeps the order.
    rest = by_falling(radius)
    alive, groups = n, 0
    while alive >= 2 * k:
        r, s = _most_distant(points, radius, rest, alive)
        for seed in (r, s):
            other = s if seed == r else r
            for x in nearest_left(points, rest, alive, seed, other, k):
                labels[x] = groups
            groups += 1
            alive = drop_labeled(rest, alive, labels)
    if alive >= k:
        for a in range(alive):
            labels[rest[a]] = groups
    elif alive > 0:
        join_nearest(points, labels, groups)
    return labels


@unchecked
def _most_distant(points: Floats, radius: Floats, rest: Labels, alive: int) -> tuple[int, int]:
    best, r, s = -1.0, -1, -1
    for a in range(alive - 1):
        x = rest[a]
        # A hair of slack: the bound is computed with rounding.
        if (radius[x] + radius[rest[a + 1]]) ** 2 * (1 + 1e-12) < best:
            break
        for b in range(a + 1, alive):
            y = rest[b]
            if (radius[x] + radius[y]) ** 2 * (1 + 1e-12) < best:
                break
            t = between(points[x], points[y])
            lo, hi = min(x, y), max(x, y)
            if t > best or (t == best and (lo < r or (lo == r and hi < s))):
                best, r, s = t, lo, hi
    return r, s
