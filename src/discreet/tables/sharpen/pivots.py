"""Steps of the simplex method with bounds, on a dictionary in whole numbers over a common divisor.

Let the dictionary D express basic cells by nonbasic ones, x_B − x°_B = D (x_N − x°_N). To bring x_c, c basic, nearer a
target the reduced costs are row c of D: as long as a nonbasic cell can move so that x_c does, it moves until it or a
basic cell meets its bound, which then leaves the basis. Nonbasic cells may be strictly between their bounds, so any
table is a start. D is kept fraction-free (every division is exact), so nothing drifts however long the walk.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.tables.table import Ints
from discreet.tables.theory.dictionary import Dictionary

Floats = NDArray[np.float64]

TINY, WHOLE = 1e-9, 1e-6
# Rows of at most this many entries are changed even where nothing changes.
SHORT = 64
ATTAINED, STOPPED, FRACTIONAL, GIVEN_UP = 2, 1, 0, -1


class Tableau(NamedTuple):
    """The dictionary dense / divisor[0] under work, the box, a point x in it, and the number of steps so far.

    Cell basic[i] has row i, cell nonbasic[j] column j; `row` and `column` say the same by cell, −1 for none.
    """

    dense: Floats
    divisor: Floats
    basic: Ints
    nonbasic: Ints
    row: Ints
    column: Ints
    low: Ints
    high: Ints
    x: Floats
    steps: Ints


def tableau_of(known: Dictionary, low: Ints, high: Ints) -> Tableau:
    """A copy of a dictionary to work on; the point is yet to be chosen."""
    row, column = np.full(low.size, -1, np.int64), np.full(low.size, -1, np.int64)
    row[known.basic], column[known.nonbasic] = np.arange(known.basic.size), np.arange(known.nonbasic.size)
    return Tableau(
        known.matrix.astype(np.float64), np.ones(1), known.basic.copy(), known.nonbasic.copy(), row, column,
        low.copy(), high.copy(), np.zeros(low.size), np.zeros(1, np.int64),
    )  # fmt: skip


@inner
def toward(t: Tableau, c: int, target: float, limit: int) -> int:
    """Move cell c to `target` inside the box; ATTAINED, STOPPED where no table is nearer, GIVEN_UP after many steps."""
    dense, divisor, basic, nonbasic, x, low, high = t.dense, t.divisor, t.basic, t.nonbasic, t.x, t.low, t.high
    row, column = t.row, t.column
    side = 1 if target > x[c] else -1
    idle = 0
    for _ in range(limit):
        if abs(x[c] - target) < TINY:
            x[c] = target
            return ATTAINED
        enter, way = _entering(t, c, side, idle > 20)
        if enter < 0:
            return STOPPED
        t.steps[0] += 1
        rate = 1.0 if row[c] < 0 else abs(dense[row[c], enter]) / divisor[0]
        leave, length = _ratio(t, enter, way, abs(target - x[c]) / rate)
        idle = idle + 1 if length < TINY else 0
        if length > 0:
            change = way * length / divisor[0]
            for i in range(basic.size):
                x[basic[i]] += change * dense[i, enter]
            x[nonbasic[enter]] += way * length
        into = nonbasic[enter]
        if leave < 0 and abs(x[into] - np.rint(x[into])) > WHOLE:
            # The target was met between two whole numbers: keep nonbasic cells whole.
            leave = row[c]
            x[c] = target
        if leave >= 0:
            out = basic[leave]
            if out != c or abs(x[c] - target) > TINY:
                x[out] = low[out] if x[out] - low[out] < high[out] - x[out] else high[out]
            divisor[0] = _pivot(dense, leave, enter, divisor[0])
            basic[leave], nonbasic[enter] = into, out
            row[into], column[into], row[out], column[out] = leave, -1, -1, enter
    return GIVEN_UP


@inner
def _entering(t: Tableau, c: int, side: int, careful: bool) -> tuple[int, int]:
    """A nonbasic cell whose change lets cell c go that way, and which way; the first such cell if `careful`."""
    dense, nonbasic, x, low, high = t.dense, t.nonbasic, t.x, t.low, t.high
    row, column = t.row[c], t.column[c]
    if row < 0:
        free = x[c] < high[c] - TINY if side > 0 else x[c] > low[c] + TINY
        return (column, side) if free else (-1, 0)
    best, enter, way = 0.0, -1, 0
    for j in range(nonbasic.size):
        rate = side * dense[row, j]
        b = nonbasic[j]
        # Both rooms are looked up: a jump that cannot be foreseen costs more.
        up, down = high[b] - x[b], x[b] - low[b]
        if (abs(rate) > best) & ((up if rate > 0 else down) > TINY):
            if careful:
                if enter < 0 or b < nonbasic[enter]:
                    enter, way = j, (1 if rate > 0 else -1)
            else:
                best, enter, way = abs(rate), j, (1 if rate > 0 else -1)
    return enter, way


@inner
def _ratio(t: Tableau, enter: int, way: int, room: float) -> tuple[int, float]:
    """How far the entering cell can move, at most `room`, and the basic cell that stops it (−1: none does)."""
    dense, divisor, basic, x, low, high = t.dense, t.divisor[0], t.basic, t.x, t.low, t.high
    cell = t.nonbasic[enter]
    length = min(room, high[cell] - x[cell] if way > 0 else x[cell] - low[cell])
    leave, size = -1, 0.0
    for i in range(basic.size):
        slope = way * dense[i, enter]
        b = basic[i]
        # What is left to the bound, times the divisor: no division but where a nearer stop is found. Nothing is nearer
        # than a slope of 0.
        up, down = high[b] - x[b], x[b] - low[b]
        reach = max(0.0, up if slope > 0 else down) * divisor
        slope = abs(slope)
        if reach < (length - TINY) * slope or (leave >= 0 and slope > size and reach < (length + TINY) * slope):
            length, leave, size = min(reach / slope, length), i, slope
    return leave, length


@inner
def _pivot(dense: Floats, leave: int, enter: int, divisor: float) -> float:
    """Exchange a basic and a nonbasic cell in whole numbers; the new divisor. Every division is exact."""
    pivot = dense[leave, enter]
    sign = 1.0 if pivot > 0 else -1.0
    size, inverse = sign * pivot, 1.0 / divisor
    f = dense.shape[1]
    # A copy: what cannot overlap is worked on several entries at a time. Short rows are not worth a question.
    pivot_row = dense[leave].copy()
    skip = divisor == size and f > SHORT
    for i in range(dense.shape[0]):
        factor = sign * dense[i, enter]
        if i == leave or (skip and factor == 0):
            continue
        if divisor == 1 and size == 1:
            for k in range(f):
                dense[i, k] -= factor * pivot_row[k]
        else:
            for k in range(f):
                dense[i, k] = np.rint((size * dense[i, k] - factor * pivot_row[k]) * inverse)
        dense[i, enter] = factor
    for k in range(f):
        dense[leave, k] = -sign * pivot_row[k]
    dense[leave, enter] = sign * divisor
    return size
