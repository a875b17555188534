"""From a vertex with fractions to a whole table: a step beside it, or a dive.

A step of one nonbasic cell often makes all basic ones whole (`nudge`). A dive walks one cell after another to a whole
number next to it and keeps it there, the wanted cell at its bound first. That soon gives a whole table, or does not:
then others must search.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.kernels.randoms import Random, scaled_below
from discreet.tables.sharpen.pivots import ATTAINED, WHOLE, Tableau, toward
from discreet.tables.table import Ints

Floats = NDArray[np.float64]

DIVES = 3
# How far one cell is moved to make the others whole.
STEPS = 64


# Woven into its one caller: on its own, all that it calls would be compiled once more.
@njit(cache=True, nogil=True, inline="always")
def dive(t: Tableau, c: int, target: int, at_random: bool, limit: int, state: Random) -> bool:
    """From fractions to a whole table with x_c = target; whether that succeeded."""
    x, low, high = t.x, t.low, t.high
    n = x.size
    old_low, old_high = low.copy(), high.copy()
    cell, wanted = c, float(target)
    done = False
    for _ in range(n):
        other = np.floor(x[cell]) if wanted > x[cell] else np.ceil(x[cell])
        found = toward(t, cell, wanted, limit)
        if found != ATTAINED and cell != c:
            wanted = other
            found = toward(t, cell, wanted, limit)
        if found != ATTAINED:
            break
        low[cell] = high[cell] = np.int64(np.rint(wanted))
        cell, nearest, seen = -1, 2.0, 0
        for b in range(n):
            part = abs(x[b] - np.rint(x[b]))
            if part < WHOLE:
                continue
            seen += 1
            if (scaled_below(state, seen) == 0) if at_random else part < nearest:
                cell, nearest = b, part
        if cell < 0:
            done = True
            break
        wanted = np.rint(x[cell])
    for b in range(n):
        low[b], high[b] = old_low[b], old_high[b]
    return done


@inner
def nudge(
    dense: Floats,
    divisor: float,
    basic: Ints,
    nonbasic: Ints,
    x: Floats,
    low: Ints,
    high: Ints,
    c: int,
    target: int,
) -> bool:
    """Make x whole with x_c = target by a whole step of one nonbasic cell; whether that is possible. Those are whole.

    Fractions of the basic cells are multiples of 1/divisor: they form a finite group, which few steps of one cell
    mostly run through (Gomory 1969).
    """
    at = -1
    for i in range(basic.size):
        if abs(x[basic[i]] - np.rint(x[basic[i]])) > WHOLE:
            at = i
            break
    if at < 0:
        return bool(abs(x[c] - target) < WHOLE)
    for j in range(nonbasic.size):
        b = nonbasic[j]
        if b == c or low[b] == high[b] or dense[at, j] == 0:
            continue
        for way in (1, -1):
            room = min(high[b] - x[b] if way > 0 else x[b] - low[b], divisor - 1, STEPS)
            for step in range(1, np.int64(room) + 1):
                length = way * step / divisor
                value = x[basic[at]] + length * dense[at, j]
                if abs(value - np.rint(value)) > WHOLE:
                    continue
                fits = True
                for i in range(basic.size):
                    value = x[basic[i]] + length * dense[i, j]
                    near = np.rint(value)
                    if abs(value - near) > WHOLE or near < low[basic[i]] or near > high[basic[i]]:
                        fits = False
                        break
                    if basic[i] == c and near != target:
                        fits = False
                        break
                if fits:
                    x[b] += way * step
                    for i in range(basic.size):
                        x[basic[i]] = np.rint(x[basic[i]] + length * dense[i, j])
                    return True
    return False
