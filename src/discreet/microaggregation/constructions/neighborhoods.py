"""Every record's neighborhood among the records left, renewed as groups are taken away: what DBA and GSMS share.

The neighborhood of a record is the record itself and its k−1 nearest. It changes only when one of its members is taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.microaggregation.constructions.remaining import nearest_left
from discreet.microaggregation.problem import Floats, Labels


class Neighborhoods(NamedTuple):
    """By record: its neighborhood, its own number first, then by rising distance; the mean of it, and its SSE."""

    members: Labels
    means: Floats
    spread: Floats


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def neighborhoods(points: Floats, k: int) -> Neighborhoods:
    """The neighborhoods among all records."""
    n, d = points.shape
    around = Neighborhoods(np.empty((n, k), np.int64), np.empty((n, d)), np.empty(n))
    everyone = np.empty(n, np.int64)
    for x in range(n):
        everyone[x] = x
    for x in range(n):
        _look(points, everyone, n, x, around)
    return around


@unchecked
def renew(points: Floats, rest: Labels, alive: int, labels: Labels, around: Neighborhoods) -> None:
    """Look around anew from the records of rest[:alive] that lost a neighbor, who has a label now."""
    k = around.members.shape[1]
    for a in range(alive):
        for b in range(k):
            if labels[around.members[rest[a], b]] >= 0:
                _look(points, rest, alive, rest[a], around)
                break


@unchecked
def _look(points: Floats, rest: Labels, alive: int, x: int, around: Neighborhoods) -> None:
    k = around.members.shape[1]
    nearest = nearest_left(points, rest, alive, x, -1, k)
    s = 0.0
    for l in range(points.shape[1]):
        mean = 0.0
        for a in range(k):
            mean += points[nearest[a], l]
        mean /= k
        around.means[x, l] = mean
        for a in range(k):
            s += (points[nearest[a], l] - mean) ** 2
    around.spread[x] = s
    for a in range(k):
        around.members[x, a] = nearest[a]
