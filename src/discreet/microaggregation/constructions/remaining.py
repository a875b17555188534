"""What constructions that take group after group share: the records left, in order, and the nearest of them.

Ties go to the record that comes first.
"""

from __future__ import annotations

import numpy as np

from discreet.kernels import unchecked
from discreet.kernels.distance import between
from discreet.kernels.sorting import stable_order
from discreet.microaggregation.problem import Floats, Labels


@unchecked
def mean_of(points: Floats) -> Floats:
    n, d = points.shape
    center = np.zeros(d)
    for x in range(n):
        for l in range(d):
            center[l] += points[x, l]
    for l in range(d):
        center[l] /= n
    return center


@unchecked
def drop_labeled(rest: Labels, alive: int, labels: Labels) -> int:
    """Pack the records of rest[:alive] that have no label (−1) yet; returns how many there are."""
    kept = 0
    for a in range(alive):
        if labels[rest[a]] < 0:
            rest[kept] = rest[a]
            kept += 1
    return kept


@unchecked
def nearest_left(points: Floats, rest: Labels, alive: int, seed: int, never: int, k: int) -> Labels:
    """`seed` and the k−1 records of rest[:alive] nearest to it, except the record `never`, by rising
    distance."""
    out, near = np.empty(k, np.int64), np.empty(k)
    out[0], near[0] = seed, -1.0
    held = 1
    for a in range(alive):
        x = rest[a]
        if x in (seed, never):
            continue
        t = between(points[x], points[seed])
        if held == k and (k == 1 or t > near[k - 1] or (t == near[k - 1] and x > out[k - 1])):
            continue
        at = held if held < k else k - 1
        while near[at - 1] > t or (near[at - 1] == t and out[at - 1] > x):
            near[at], out[at] = near[at - 1], out[at - 1]
            at -= 1
        near[at], out[at] = t, x
        if held < k:
            held += 1
    return out


@unchecked
def by_falling(values: Floats) -> Labels:
    """Indices by falling value; equal values stay in order."""
    turned = np.empty(values.size)
    for x in range(values.size):
        turned[x] = -values[x]
    return stable_order(turned)
