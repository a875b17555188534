"""A dictionary of the tables with given margins: some cells expressed by the others, in whole numbers.

The coordinates of the lattice are one. Where bounds pin cells, each pinned cell is exchanged for one that is not, by a
pivot of ±1, and its column left out, so that what remains describes the tables that agree on the pinned cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.tables.table import Ints
from discreet.tables.theory.lattice import Lattice

# Larger dictionaries are left to a sparse solver; so are entries that grow beyond all measure.
COORDINATES, ENTRIES, LARGEST_ENTRY = 1 << 20, 1 << 14, 1 << 12


class Dictionary(NamedTuple):
    """Whole numbers K with x_B − x°_B = K (x_N − x°_N) for any two tables with the margins and the pinned cells."""

    matrix: Ints
    basic: Ints
    nonbasic: Ints


def dictionary(lattice: Lattice, pinned: NDArray[np.bool_]) -> Dictionary | None:
    """The coordinates of the lattice without the pinned cells; None where they are too many."""
    free, fixed = lattice.degrees_of_freedom, int(np.count_nonzero(pinned))
    # Each pinned cell takes out a row or a column; the fewest entries are left at one end or the other.
    left = lattice.size - fixed
    fewest = min(columns * (left - columns) for columns in (max(0, free - fixed), min(free, left)))
    if lattice.size * free > COORDINATES or fewest > ENTRIES:
        return None
    matrix, basic, nonbasic, largest = _without_pinned(*lattice.matrix, free, pinned)
    if matrix.size > ENTRIES or largest > LARGEST_ENTRY:
        return None
    return Dictionary(matrix, basic, nonbasic)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _without_pinned(starts: Ints, cells: Ints, free: int, pinned: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints, int]:
    """The matrix, basic and nonbasic cells, and the largest entry."""
    n = pinned.size
    derived = np.zeros(n, np.bool_)
    for i in range(starts.size - 1):
        derived[cells[starts[i]]] = True
    # Rows of derived cells and columns of the others, those left out that are pinned.
    place = np.full(n, -1, np.int64)
    basic, nonbasic = np.empty(n - free, np.int64), np.empty(free, np.int64)
    i = j = 0
    for c in range(n):
        if derived[c]:
            basic[i], place[c] = c, i
            i += 1
        elif not pinned[c]:
            nonbasic[j], place[c] = c, j
            j += 1
    nonbasic = nonbasic[:j]
    matrix = np.zeros((n - free, j), np.int64)
    for i in range(starts.size - 1):
        row = matrix[place[cells[starts[i]]]]
        for p in range(starts[i] + 1, starts[i + 1]):
            c = cells[p]
            if derived[c]:
                other = matrix[place[c]]
                for j in range(nonbasic.size):
                    row[j] -= other[j]
            elif place[c] >= 0:
                row[place[c]] -= 1
    _take_out(matrix, basic, nonbasic, pinned)
    # What is left is moved to the front, entry by entry: arrays picked by arrays take long to compile.
    width, kept, largest = 0, 0, 0
    for j in range(nonbasic.size):
        if not pinned[nonbasic[j]]:
            nonbasic[width] = nonbasic[j]
            for i in range(basic.size):
                matrix[i, width] = matrix[i, j]
            width += 1
    for i in range(basic.size):
        most = 0
        for k in range(width):
            most = max(most, int(abs(matrix[i, k])))
        if most > 0 or not pinned[basic[i]]:
            basic[kept] = basic[i]
            for k in range(width):
                matrix[kept, k] = matrix[i, k]
            kept += 1
        largest = max(largest, most)
    found = np.empty((kept, width), np.int64)
    for i in range(kept):
        for k in range(width):
            found[i, k] = matrix[i, k]
    return found, basic[:kept], nonbasic[:width], largest


@inner
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
                row = matrix[i].copy()
                for other in range(basic.size):
                    factor = matrix[other, j]
                    if other == i or factor == 0:
                        continue
                    matrix[other, j] = 0
                    for k in range(nonbasic.size):
                        matrix[other, k] += factor * row[k]
                basic[i], nonbasic[j] = nonbasic[j], basic[i]
                break
