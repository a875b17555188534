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

from discreet.tables.chance import Random
from discreet.tables.sharpen.dual_proof import proof
from discreet.tables.sharpen.fibre_search import Sweep
from discreet.tables.sharpen.pivots import ATTAINED, FRACTIONAL, GIVEN_UP, STOPPED, toward
from discreet.tables.sharpen.whole_tables import dive, nudge, record, whole
from discreet.tables.table import Ints
from discreet.tables.theory.dictionary import Dictionary

Floats = NDArray[np.float64]


class SimplexWalk:
    """The program for one box; the dictionary is carried from one side to the next."""

    def __init__(self, known: Dictionary, lower: Ints, upper: Ints) -> None:
        self._known = known
        self._dense = known.matrix.astype(np.float64)
        self._basic, self._nonbasic = known.basic.copy(), known.nonbasic.copy()
        self._divisor = np.ones(1)
        self._low, self._high = lower.copy(), upper.copy()

    @property
    def entries(self) -> int:
        return self._dense.size

    def run(self, sweep: Sweep, limit: int, dives: int, state: Random) -> tuple[Ints, Floats]:
        """Extremize each side of the sweep that is open; how each ended, and the vertex that was met.

        Outer bounds of the sweep become those of the program, and its tables grow. `limit` is the number of steps
        after which a side is given up, `dives` that of the attempts to reach a whole table from fractions.
        """
        known = self._known
        ends = np.full(sweep.cells.size, ATTAINED)
        vertices = np.zeros((sweep.cells.size, self._low.size))
        counts = np.array([sweep.count, 0], np.int64)
        _extremize(
            self._dense, self._divisor, self._basic, self._nonbasic, known.matrix, known.basic, known.nonbasic,
            self._low, self._high, sweep.cells, sweep.sides, sweep.lower, sweep.upper,
            sweep.inner_lower, sweep.inner_upper, sweep.low_witness, sweep.high_witness, sweep.tables,
            counts, ends, vertices, limit, dives, state,
        )  # fmt: skip
        sweep.count, sweep.tried = int(counts[0]), int(counts[1])
        return ends, vertices


@njit(cache=True, nogil=True)
def _extremize(
    dense: Floats,
    divisor: Floats,
    basic: Ints,
    nonbasic: Ints,
    matrix: Ints,
    first_basic: Ints,
    first_nonbasic: Ints,
    low: Ints,
    high: Ints,
    cells: Ints,
    sides: Ints,
    lower: Ints,
    upper: Ints,
    inner_lower: Ints,
    inner_upper: Ints,
    low_witness: Ints,
    high_witness: Ints,
    tables: Ints,
    counts: Ints,
    ends: Ints,
    vertices: Floats,
    limit: int,
    dives: int,
    state: Random,
) -> None:
    """`counts` is the number of tables and of steps."""
    n = low.size
    row, column = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    for i in range(basic.size):
        row[basic[i]] = i
    for j in range(nonbasic.size):
        column[nonbasic[j]] = j
    x = np.empty(n)
    residual = np.zeros(nonbasic.size, np.int64)
    for s in range(cells.size):
        c, side = cells[s], sides[s]
        bound = upper[c] if side > 0 else lower[c]
        if (inner_upper[c] >= bound) if side > 0 else (inner_lower[c] <= bound):
            continue
        witness = high_witness[c] if side > 0 else low_witness[c]
        for b in range(n):
            x[b] = tables[witness, b]
        ends[s] = toward(dense, divisor, basic, nonbasic, row, column, x, low, high, c, float(bound), limit, counts)
        if ends[s] == STOPPED:
            value = proof(
                matrix, first_basic, first_nonbasic, column, dense[row[c]], divisor[0], tables[0], low, high, c, side,
                residual,
            )  # fmt: skip
            if side > 0:
                upper[c] = min(upper[c], value)
            else:
                lower[c] = max(lower[c], value)
            bound = upper[c] if side > 0 else lower[c]
        for b in range(n):
            vertices[s, b] = x[b]
        if ends[s] == GIVEN_UP or counts[0] == tables.shape[0]:
            continue
        met = inner_upper[c] >= bound if side > 0 else inner_lower[c] <= bound
        good = met or whole(x) or nudge(dense, divisor[0], basic, nonbasic, x, low, high, c, bound)
        for attempt in range(dives):
            if good:
                break
            for b in range(n):
                x[b] = vertices[s, b]
            good = dive(
                dense, divisor, basic, nonbasic, row, column, x, low, high, c, bound, attempt > 0, limit, counts, state
            )
        if good and not met:
            record(x, inner_lower, inner_upper, low_witness, high_witness, tables, counts)
            met = inner_upper[c] >= bound if side > 0 else inner_lower[c] <= bound
        ends[s] = ATTAINED if met else FRACTIONAL
