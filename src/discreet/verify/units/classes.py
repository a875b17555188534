"""Classes of units: published units that show the same rows, each as often, in whatever order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import Classes, combine
from discreet.verify.units.behind import shared
from discreet.verify.units.unit import Units

Integers = NDArray[np.int64]


def small_unit_classes(groups: Classes, after: Units, k: int, words: tuple[str, str]) -> list[str]:
    """Whether every class of units has k of them, and every class of rows without a unit k rows."""
    one, several = words
    held = shared(groups.of_row, after)
    short = (held < k) & (after.of_row >= 0)
    failures = []
    if short.any():
        units = np.unique(after.of_row[short]).size
        failures.append(f"{units} {several} show rows, taken together, that fewer than {k} {several} show")
    bare = int((held[after.loose] < k).sum())
    if bare:
        failures.append(f"{bare} rows that belong to no {one} are in classes of fewer than {k} rows")
    return failures


def aligned_classes(groups: Classes, after: Units) -> Classes:
    """Rows that cannot be told apart: alike, in units that are alike. Each class counts its rows."""
    held = np.zeros(groups.of_row.size, np.int64)
    total = 0
    for size in np.unique(after.sizes).tolist():
        rows = after.members(np.flatnonzero(after.sizes == size), size)
        lines = np.sort(groups.of_row[rows], axis=1)
        kind = combine([lines[:, j] for j in range(size)])
        held[rows] = total + kind[:, None]
        total += int(kind.max()) + 1
    held[after.loose] = total
    of_row = combine([held, groups.of_row])
    return Classes(of_row, np.bincount(of_row).astype(np.int64))
