"""SimpleRoundingHeuristic of Gentile, Spagnolo-Arrizabalaga and Castro (2020), section 5.2: groups by weight."""

from __future__ import annotations

import numpy as np

from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.problem import Labels


def simple_rounding(points: Floats, k: int, members: Ints, x: Floats) -> Labels | None:
    """SimpleRoundingHeuristic: take the group of largest weight that meets none taken, while 2k records are left.

    Of the rest, k .. 2k−1 records become a group; fewer go to the groups with the nearest centroids that have room
    (a group that would reach 2k is passed over, so that sizes stay within k .. 2k−1). None where the columns give out
    before fewer than 2k records are left, or no group has room.
    """
    n = len(points)
    labels = np.full(n, -1, np.int64)
    groups: list[Ints] = []
    left = n
    for g in np.argsort(-x, kind="stable"):
        if left < 2 * k:
            break
        row = members[g][members[g] >= 0]
        if (labels[row] >= 0).any():
            continue
        labels[row] = len(groups)
        groups.append(row)
        left -= len(row)
    rest = np.flatnonzero(labels < 0)
    if len(rest) >= 2 * k:
        return None
    if len(rest) >= k:
        labels[rest] = len(groups)
        return labels
    return add_remaining(points, k, labels, groups, rest)


def add_remaining(points: Floats, k: int, labels: Labels, groups: list[Ints], rest: Labels) -> Labels | None:
    """AddRemainingNodes: each record to the group with the nearest centroid."""
    if not len(rest):
        return labels
    centroids = np.array([points[row].mean(axis=0) for row in groups])
    sizes = np.array([len(row) for row in groups])
    for v in rest:
        distance = np.square(centroids - points[v]).sum(axis=1)
        distance[sizes >= 2 * k - 1] = np.inf
        nearest = int(np.argmin(distance))
        if not np.isfinite(distance[nearest]):
            return None
        labels[v] = nearest
        sizes[nearest] += 1
    return labels
