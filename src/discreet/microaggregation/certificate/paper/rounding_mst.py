"""RoundingMSTHeuristic of Gentile, Spagnolo-Arrizabalaga and Castro (2020), section 5.2: pairs by weight."""

from __future__ import annotations

import numpy as np

from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.problem import Labels


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
