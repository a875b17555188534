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

from discreet.microaggregation.endings import join_nearest
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels
from discreet.microaggregation.remaining import between, drop_labeled, mean_of, nearest_left


def run(call: Call) -> Outcome:
    points, k = call.problem
    return Outcome(maximum_distance(points, k), "md")


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def by_falling(values: Floats) -> Labels:
    """Indices by falling value; equal values stay in order, as merging is stable."""
    n = values.size
    order, other = np.arange(n), np.empty(n, np.int64)
    width = 1
    while width < n:
        for lo in range(0, n, 2 * width):
            middle, hi = min(lo + width, n), min(lo + 2 * width, n)
            a, b = lo, middle
            for at in range(lo, hi):
                if b >= hi or (a < middle and values[order[a]] >= values[order[b]]):
                    other[at] = order[a]
                    a += 1
                else:
                    other[at] = order[b]
                    b += 1
        order, other = other, order
        width *= 2
    return order
