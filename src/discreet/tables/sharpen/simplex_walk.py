"""Walks along the edges of the polytope of tables: the greatest and least value of one cell after another.

The coordinates of the lattice are a first dictionary; from a known table the simplex method (`pivots`) walks to the end
of the linear program of each side, and the dictionary is carried from one side to the next. Where a walk ends at
fractions, whole tables are sought from there (`whole_tables`); where it ends short of the bound, the bound is moved,
with a proof in integers (`dual_proof`). The program is dense, for small tables; pinned cells are taken out of it before
(`theory/dictionary`).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.kernels.randoms import Random
from discreet.tables.sharpen.dual_proof import proof
from discreet.tables.sharpen.extremes import Extremes, attained, keep
from discreet.tables.sharpen.fibre_search import Sweep
from discreet.tables.sharpen.pivots import ATTAINED, FRACTIONAL, GIVEN_UP, STOPPED, WHOLE, Tableau, tableau_of, toward
from discreet.tables.sharpen.whole_tables import dive, nudge
from discreet.tables.table import Ints
from discreet.tables.theory.dictionary import Dictionary

Floats = NDArray[np.float64]


class SimplexWalk:
    """The program for one box; the dictionary is carried from one side to the next."""

    def __init__(self, known: Dictionary, lower: Ints, upper: Ints) -> None:
        self._first = known
        self._tableau = tableau_of(known, lower, upper)

    @property
    def entries(self) -> int:
        return self._tableau.dense.size

    def run(self, sweep: Sweep, limit: int, dives: int, state: Random) -> tuple[Ints, Floats]:
        """Extremize each side of the sweep that is open; how each ended, and the vertex that was met.

        Outer bounds of the sweep become those of the program, and its tables grow. `limit` is the number of steps
        after which a side is given up, `dives` that of the attempts to reach a whole table from fractions.
        """
        ends = np.full(sweep.cells.size, ATTAINED)
        vertices = np.zeros((sweep.cells.size, self._tableau.x.size))
        known = sweep.extremes()
        self._tableau.steps[0] = 0
        _extremize(known, sweep.cells, sweep.sides, self._first, self._tableau, ends, vertices, limit, dives, state)
        sweep.count, sweep.tried = int(known.found[0]), int(self._tableau.steps[0])
        return ends, vertices


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _extremize(
    known: Extremes,
    cells: Ints,
    sides: Ints,
    first: Dictionary,
    t: Tableau,
    ends: Ints,
    vertices: Floats,
    limit: int,
    dives: int,
    state: Random,
) -> None:
    for s in range(cells.size):
        c, side = cells[s], sides[s]
        if attained(known, c, side):
            continue
        start = known.tables[known.high_witness[c] if side > 0 else known.low_witness[c]]
        for b in range(start.size):
            t.x[b] = start[b]
        ends[s] = toward(t, c, float(known.upper[c] if side > 0 else known.lower[c]), limit)
        for b in range(start.size):
            vertices[s, b] = t.x[b]
        if ends[s] != GIVEN_UP:
            ends[s] = settle(known, first, t, known.tables[0], c, side, ends[s], limit, dives, state)


@inner
def settle(
    known: Extremes,
    first: Dictionary,
    t: Tableau,
    anchor: Ints,
    c: int,
    side: int,
    end: int,
    limit: int,
    dives: int,
    state: Random,
) -> int:
    """Where a walk was stopped, move the bound there, with a proof from any one table; then look for whole tables."""
    x, low, high, divisor = t.x, t.low, t.high, t.divisor[0]
    if end == STOPPED:
        value = proof(first, t.column, t.dense[t.row[c]], divisor, anchor, low, high, c, side)
        if side > 0:
            known.upper[c] = min(known.upper[c], value)
        else:
            known.lower[c] = max(known.lower[c], value)
    if attained(known, c, side):
        return ATTAINED
    bound, most = known.upper[c] if side > 0 else known.lower[c], 0.0
    for b in range(x.size):
        most = max(most, abs(x[b] - np.rint(x[b])))
    good = most <= WHOLE or nudge(t.dense, divisor, t.basic, t.nonbasic, x, low, high, c, bound)
    vertex = x.copy()
    for attempt in range(dives):
        if good:
            break
        for b in range(x.size):
            x[b] = vertex[b]
        good = dive(t, c, bound, attempt > 0, limit, state)
    if good and known.found[0] < known.tables.shape[0]:
        table = known.tables[known.found[0]]
        for b in range(table.size):
            table[b] = np.int64(np.rint(x[b]))
        keep(known)
    return ATTAINED if attained(known, c, side) else FRACTIONAL
