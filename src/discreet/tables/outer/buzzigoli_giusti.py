"""The original shuttle (L. Buzzigoli and A. Giusti 1999): bounds travel between cells and released margins only.

    Lᵢ ← max(Lᵢ, n − Σ_{j≠i} Uⱼ)        Uᵢ ← min(Uᵢ, n − Σ_{j≠i} Lⱼ)

over the cells of every released count n, until none moves.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from discreet.tables.outer.shuttle import TOO_MUCH
from discreet.tables.table import Ints
from discreet.tables.theory.frechet_theorem_2 import spread
from discreet.tables.theory.graph import Axes

Shape = tuple[int, ...]
MORE_THAN_ANY = (1 << 62) + 1


def buzzigoli_giusti(shape: Shape, margins: Mapping[Axes, Ints]) -> tuple[Ints, Ints] | None:
    """Lower and upper bounds of the cells; None where no table has the margins."""
    k = len(shape)
    upper = np.full(shape, int(next(iter(margins.values())).sum()), np.int64)
    lower = np.zeros(shape, np.int64)
    counts = [(axes, spread(values, axes, k)) for axes, values in margins.items()]
    for _, known in counts:
        upper = np.minimum(upper, known)
    while True:
        before = lower, upper
        for axes, known in counts:
            drop = tuple(a for a in range(k) if a not in axes)
            lower = np.maximum(lower, known - _others(upper, drop))
            upper = np.minimum(upper, known - _others(lower, drop))
        if (lower > upper).any():
            return None
        if np.array_equal(lower, before[0]) and np.array_equal(upper, before[1]):
            return lower, upper


def _others(bounds: Ints, drop: Axes) -> Ints:
    """Of each cell, the sum of the others along the axes, or more than any count where it is larger than that."""
    rest = bounds.sum(axis=drop, keepdims=True) - bounds
    about = bounds.sum(axis=drop, keepdims=True, dtype=np.float64) - bounds
    return np.where(about > TOO_MUCH, MORE_THAN_ANY, rest)
