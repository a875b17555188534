"""The least sum of squared errors over all partitions into groups of at least k, by trying them all."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray


def least_sse(points: NDArray[np.float64], k: int) -> float:
    """Tries every group that holds the first record left, then every partition of the rest."""

    def cost(members: tuple[int, ...]) -> float:
        group = points[list(members)]
        return float(((group - group.mean(axis=0)) ** 2).sum())

    def best(left: tuple[int, ...]) -> float:
        if not left:
            return 0.0
        if len(left) < k:
            return float("inf")
        first, others = left[0], left[1:]
        found = float("inf")
        for size in range(k - 1, len(others) + 1):
            for chosen in combinations(others, size):
                rest = tuple(i for i in others if i not in chosen)
                found = min(found, cost((first, *chosen)) + best(rest))
        return found

    return best(tuple(range(len(points))))
