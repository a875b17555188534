"""From fractional to whole: the rounding heuristics of Gentile, Spagnolo-Arrizabalaga and Castro (2020)."""

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


def rounding_mst(n: int, k: int, members: Ints, x: Floats) -> list[Labels]:
    """RoundingMSTHeuristic: glue groups along pairs of falling z_ij = Σ_{C ∋ i,j} x_C, up to a largest size.

    One partition for every largest size k+1 .. 2k−1 (k where that is all there is) in which every group has k records.
    """
    together: dict[tuple[int, int], float] = {}
    for g in np.flatnonzero(x > 0.0):
        row = [int(v) for v in members[g] if v >= 0]
        for a, i in enumerate(row):
            for j in row[a + 1 :]:
                together[i, j] = together.get((i, j), 0.0) + float(x[g])
    pairs = sorted(together, key=lambda pair: (-together[pair], pair))
    found = []
    for most in range(min(k + 1, 2 * k - 1), 2 * k):
        parent = list(range(n))
        size = [1] * n

        def leader(v: int, parent: list[int] = parent) -> int:
            while parent[v] != v:
                parent[v] = parent[parent[v]]
                v = parent[v]
            return v

        for i, j in pairs:
            a, b = leader(i), leader(j)
            if a != b and size[a] + size[b] <= most:
                parent[b] = a
                size[a] += size[b]
        leaders = np.array([leader(v) for v in range(n)])
        _, labels = np.unique(leaders, return_inverse=True)
        if np.bincount(labels).min() >= k:
            found.append(labels.astype(np.int64))
    return found
