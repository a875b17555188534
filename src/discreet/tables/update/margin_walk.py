"""Old tables walked to one margin more, along the edges of the old polytope.

The counts of the new margin that old ones do not imply are r sums of cells (one per face that is new and levels other
than the first on it, see `theory/lattice`). Written into the old dictionary they are r more basic cells, so that
nothing has to be worked out anew. For one side after another: start at the old table that was furthest there, with the
wanted cell kept at its bound, and walk each of those sums to its released count (`sharpen/pivots`), where it is kept.
Mostly a few steps lead to a whole table with the new margin that reaches as far as before. Where they do not, the bound
has moved: the cell is let go, the sums are brought home all the same, and from there the cell walks to the end of the
linear program over the old bounds and the new margin, which is proven in whole numbers as any other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.kernels.randoms import Random
from discreet.tables.sharpen.extremes import Extremes, attained, keep
from discreet.tables.sharpen.fibre_search import Sweep
from discreet.tables.sharpen.pivots import ATTAINED, GIVEN_UP, Tableau, tableau_of, toward
from discreet.tables.sharpen.simplex_walk import settle
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints
from discreet.tables.theory.dictionary import ENTRIES, Dictionary, dictionary
from discreet.tables.theory.margin_moves import MarginMoves, lift_within, margin_moves

Floats = NDArray[np.float64]
# On larger tables old tables are sooner repaired by moves than walked along edges.
WALK_UP_TO = 200
# How a side ended that was not looked at; sides whose steps may be spent in advance.
LEFT, AHEAD = -2, 24


class OldTables(NamedTuple):
    """Tables without the new margin, those of them that are furthest at each side, and what no sum exceeds."""

    tables: Ints
    low_witness: Ints
    high_witness: Ints
    total: int


class MarginWalk:
    """The program over the old bounds and the new sums; the dictionary is carried from one side to the next."""

    def __init__(self, state: AtomState, old: AtomState, tables: Ints) -> None:
        self._lift = margin_moves(state.lattice, old.lattice, state.margins)
        known = old.known or dictionary(old.lattice, old.lower == old.upper)
        n, r = state.lattice.size, self._lift.targets.size
        self.possible = known is not None and known.nonbasic.size * (known.basic.size + r) <= ENTRIES
        if known is None or not self.possible:
            return
        total = min(int(state.upper.max(initial=0)) * n, 1 << 62)
        self._old = OldTables(tables, old.low_witness, old.high_witness, total)
        matrix, basic = _with_sums(known, n, self._lift)
        self._first = Dictionary(matrix, basic, known.nonbasic)
        low, high = np.zeros(n + r, np.int64), np.full(n + r, total, np.int64)
        low[:n], high[:n] = old.lower, old.upper
        self._tableau = tableau_of(self._first, low, high)

    @property
    def entries(self) -> int:
        return self._tableau.dense.size

    def run(self, sweep: Sweep, limit: int, dives: int, random: Random, patience: int) -> Ints:
        """Settle each side of the sweep that is open; how each ended. Its outer bounds move and its tables grow.

        `limit` is the number of steps after which a side is given up, `dives` that of the attempts to reach a whole
        table from fractions. Sides are left where those before took more than `patience` steps each.
        """
        ends = np.full(sweep.cells.size, ATTAINED)
        known = sweep.extremes()
        self._tableau.steps[0] = 0
        _walk(
            known, sweep.cells, sweep.sides, self._old, self._lift, self._first, self._tableau, ends, limit, dives,
            patience, random,
        )  # fmt: skip
        sweep.count, sweep.tried = int(known.found[0]), int(self._tableau.steps[0])
        return ends


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _with_sums(known: Dictionary, n: int, lift: MarginMoves) -> tuple[Ints, Ints]:
    """The rows of a dictionary of n cells, and below them those of the sums of its cells; then the basic cells.

    Sums are numbered from the cells on.
    """
    matrix, basic, nonbasic = known.matrix, known.basic, known.nonbasic
    starts, widths = lift.starts, lift.widths
    rows, sums = basic.size, starts.size - 1
    full, cells = np.zeros((rows + sums, nonbasic.size), np.int64), np.empty(rows + sums, np.int64)
    # Entry by entry: arrays assigned to slices take seconds to compile, for the text of an error.
    row, column = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    for i in range(rows):
        row[basic[i]], cells[i] = i, basic[i]
        for j in range(nonbasic.size):
            full[i, j] = matrix[i, j]
    for j in range(nonbasic.size):
        column[nonbasic[j]] = j
    for e in range(sums):
        line = full[rows + e]
        cells[rows + e] = n + e
        for p in range(starts[e] + widths[e] - 1, starts[e + 1], widths[e]):
            c = lift.corners[p]
            if row[c] >= 0:
                for j in range(nonbasic.size):
                    line[j] += matrix[row[c], j]
            elif column[c] >= 0:
                line[column[c]] += 1
    return full, cells


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _walk(
    known: Extremes,
    cells: Ints,
    sides: Ints,
    old: OldTables,
    lift: MarginMoves,
    first: Dictionary,
    t: Tableau,
    ends: Ints,
    limit: int,
    dives: int,
    patience: int,
    random: Random,
) -> None:
    n, size = known.lower.size, t.x.size
    anchor, y = np.empty(size, np.int64), np.empty(size, np.int64)
    for b in range(n):
        anchor[b] = old.tables[0, b]
    _add_sums(anchor, lift)
    # The point of the last table that was found; it begins with a negative count while there is none.
    last = np.full(size, -1.0)
    for s in range(cells.size):
        if t.steps[0] > patience * (s + AHEAD):
            for later in range(s, cells.size):
                ends[later] = LEFT
            return
        c, side = cells[s], sides[s]
        if attained(known, c, side):
            continue
        bound = known.upper[c] if side > 0 else known.lower[c]
        if _lifted(y, old, lift, t, c, side, bound):
            for b in range(n):
                known.tables[known.found[0], b] = y[b]
            keep(known)
            continue
        _add_sums(y, lift)
        home = _start(known, old, lift.targets, t, y, last, c, side, bound)
        ends[s] = _bring_to_bound(t, lift.targets, home, c, bound, limit)
        if ends[s] == GIVEN_UP:
            continue
        before = known.found[0]
        ends[s] = settle(known, first, t, anchor, c, side, ends[s], limit, dives, random)
        if known.found[0] > before:
            for b in range(size):
                last[b] = t.x[b]


@inner
def _add_sums(x: Ints, lift: MarginMoves) -> None:
    """The sums that the new margin counts, behind the cells."""
    r = lift.targets.size
    for e in range(r):
        total = np.int64(0)
        for p in range(lift.starts[e] + lift.widths[e] - 1, lift.starts[e + 1], lift.widths[e]):
            total += x[lift.corners[p]]
        x[x.size - r + e] = total


@inner
def _lifted(y: Ints, old: OldTables, lift: MarginMoves, t: Tableau, c: int, side: int, bound: int) -> bool:
    """The old table that is furthest at a side, given the new margin as far as cells stay inside their bounds.

    Whether it has both then, the bound and the margin.
    """
    furthest = old.high_witness[c] if side > 0 else old.low_witness[c]
    for b in range(old.tables.shape[1]):
        y[b] = old.tables[furthest, b]
    low, high, reached = t.low[c], t.high[c], y[c] == bound
    if reached:
        t.low[c] = t.high[c] = bound
    done = lift_within(y, t.low, t.high, lift)
    t.low[c], t.high[c] = low, high
    return bool(done and reached)


@inner
def _start(
    known: Extremes,
    old: OldTables,
    targets: Ints,
    t: Tableau,
    y: Ints,
    last: Floats,
    c: int,
    side: int,
    bound: int,
) -> int:
    """Begin at y, or at a table with the new margin where that is nearer; how many sums are kept at their targets."""
    x, r = t.x, targets.size
    n, off = x.size - r, 0.0
    for b in range(x.size):
        x[b] = y[b]
    for e in range(r):
        off += abs(x[n + e] - targets[e])
    near = known.high_witness[c] if side > 0 else known.low_witness[c]
    if near < 0 or (r <= 1 and 2 * abs(known.tables[near, c] - bound) > off):
        for e in range(r):
            t.low[n + e], t.high[n + e] = 0, old.total
        return 0
    # Several sums are a longer way than from a table that has them; the last one fits the dictionary best.
    for b in range(n):
        x[b] = last[b] if r > 1 and last[0] > -0.5 else known.tables[near, b]
    for e in range(r):
        t.low[n + e] = t.high[n + e] = targets[e]
        x[n + e] = targets[e]
    return r


@inner
def _bring_to_bound(t: Tableau, targets: Ints, home: int, c: int, bound: int, limit: int) -> int:
    """Walk cell c to its bound and the sums to their targets: first all of that, else c as near as the sums let it."""
    end = toward(t, c, float(bound), limit)
    if home == 0 and end == ATTAINED:
        low, high = t.low[c], t.high[c]
        t.low[c] = t.high[c] = bound
        home = _bring_home(t, targets, home, limit)
        t.low[c], t.high[c] = low, high
    if end == GIVEN_UP or home == targets.size:
        return end
    if _bring_home(t, targets, home, limit) < targets.size:
        return GIVEN_UP
    return toward(t, c, float(bound), limit)


@inner
def _bring_home(t: Tableau, targets: Ints, done: int, limit: int) -> int:
    """Walk the sums from `done` on to their targets and keep them there; the first that cannot, or their number."""
    n = t.x.size - targets.size
    for e in range(done, targets.size):
        if toward(t, n + e, float(targets[e]), limit) != ATTAINED:
            return e
        t.low[n + e] = t.high[n + e] = targets[e]
    return targets.size
