"""A dictionary of the tables with given margins: some cells expressed by the others, in whole numbers.

The coordinates of the lattice are one. Where bounds pin cells, each pinned cell is exchanged for one that is not, by a
pivot of ±1, and its column left out, so that what remains describes the tables that agree on the pinned cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.lattice import Lattice
from discreet.tables.table import Ints

# Larger dictionaries are left to a sparse solver; so are entries that grow beyond all measure.
COORDINATES, ENTRIES, LARGEST_ENTRY = 1 << 20, 1 << 14, 1 << 12


@dataclass(frozen=True)
class Dictionary:
    """Whole numbers K with x_B − x°_B = K (x_N − x°_N) for any two tables with the margins and the pinned cells."""

    matrix: Ints
    basic: Ints
    nonbasic: Ints


def dictionary(lattice: Lattice, pinned: NDArray[np.bool_]) -> Dictionary | None:
    """The coordinates of the lattice without the pinned cells; None where they are too many."""
    free, fixed = lattice.degrees_of_freedom, int(pinned.sum())
    # Each pinned cell takes out a row or a column; the fewest entries are left at one end or the other.
    left = lattice.size - fixed
    fewest = min(columns * (left - columns) for columns in (max(0, free - fixed), min(free, left)))
    if lattice.size * free > COORDINATES or fewest > ENTRIES:
        return None
    matrix = lattice.coordinates[lattice.derived]
    basic, nonbasic = lattice.derived.copy(), lattice.free.copy()
    _take_out(matrix, basic, nonbasic, pinned)
    columns = ~pinned[nonbasic]
    matrix = matrix[:, columns]
    rows = ~pinned[basic] | matrix.any(axis=1)
    matrix = np.ascontiguousarray(matrix[rows])
    if matrix.size > ENTRIES or np.abs(matrix).max(initial=0) > LARGEST_ENTRY:
        return None
    return Dictionary(matrix, basic[rows], nonbasic[columns])


@njit(cache=True, nogil=True)
def _take_out(matrix: Ints, basic: Ints, nonbasic: Ints, pinned: NDArray[np.bool_]) -> None:
    """Exchange pinned basic cells for others, where that is possible by ±1."""
    for i in range(basic.size):
        if not pinned[basic[i]]:
            continue
        for j in range(nonbasic.size):
            pivot = matrix[i, j]
            if (pivot == 1 or pivot == -1) and not pinned[nonbasic[j]]:
                # dx_i = Σ K_ik dx_k, hence dx_j = ±(dx_i − Σ_{k≠j} K_ik dx_k).
                for k in range(nonbasic.size):
                    matrix[i, k] = -pivot * matrix[i, k]
                matrix[i, j] = pivot
                for other in range(basic.size):
                    factor = matrix[other, j]
                    if other == i or factor == 0:
                        continue
                    matrix[other, j] = 0
                    for k in range(nonbasic.size):
                        matrix[other, k] += factor * matrix[i, k]
                basic[i], nonbasic[j] = nonbasic[j], basic[i]
                break
