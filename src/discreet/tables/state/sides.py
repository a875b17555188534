"""Compiled loops over the two sides of every cell: which move, which are open, which tables they need.

On small tables the single array operations that would do the same cost more than the work in them.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.table import Ints

Flags = NDArray[np.bool_]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def tighten(lower: Ints, upper: Ints, low: Ints, high: Ints) -> None:
    """Take over, in place, those bounds that are tighter."""
    for c in range(lower.size):
        lower[c] = max(lower[c], low[c])
        upper[c] = min(upper[c], high[c])


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def count_open(wanted: Flags, lower: Ints, upper: Ints, inner_lower: Ints, inner_upper: Ints) -> int:
    """How many sides of wanted cells no table reaches."""
    count = 0
    for c in range(lower.size):
        if not wanted[c]:
            continue
        if inner_upper[c] < upper[c]:
            count += 1
        if inner_lower[c] > lower[c]:
            count += 1
    return count


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def list_open(wanted: Flags, lower: Ints, upper: Ints, inner_lower: Ints, inner_upper: Ints) -> tuple[Ints, Ints]:
    """Sides of wanted cells that no table reaches: cells, and 1 for upper or −1 for lower ones, which come last."""
    count = count_open(wanted, lower, upper, inner_lower, inner_upper)
    cells, sides = np.empty(count, np.int64), np.empty(count, np.int64)
    at = 0
    for side in (1, -1):
        for c in range(lower.size):
            if wanted[c] and ((inner_upper[c] < upper[c]) if side > 0 else (inner_lower[c] > lower[c])):
                cells[at], sides[at] = c, side
                at += 1
    return cells, sides


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def keep_needed(tables: int, low_witness: Ints, high_witness: Ints) -> Ints:
    """Which of the tables some side needs; witnesses are numbered among those, in place. −1 is no table."""
    place = np.full(tables, -1, np.int64)
    for c in range(low_witness.size):
        if low_witness[c] >= 0:
            place[low_witness[c]] = 0
        if high_witness[c] >= 0:
            place[high_witness[c]] = 0
    used, count = np.empty(tables, np.int64), 0
    for t in range(tables):
        if place[t] == 0:
            used[count], place[t] = t, count
            count += 1
    for c in range(low_witness.size):
        if low_witness[c] >= 0:
            low_witness[c] = place[low_witness[c]]
        if high_witness[c] >= 0:
            high_witness[c] = place[high_witness[c]]
    return used[:count]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def take_tables(
    tables: Ints, first: int, inner_lower: Ints, inner_upper: Ints, low_witness: Ints, high_witness: Ints
) -> None:
    """Take the tables, numbered from `first` on, into account where they go further than those before."""
    for t in range(tables.shape[0]):
        for c in range(tables.shape[1]):
            value = tables[t, c]
            if value > inner_upper[c]:
                inner_upper[c], high_witness[c] = value, first + t
            if value < inner_lower[c]:
                inner_lower[c], low_witness[c] = value, first + t
