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

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.chance import Random
from discreet.tables.sharpen.dual_proof import proof
from discreet.tables.sharpen.fibre_search import Sweep
from discreet.tables.sharpen.pivots import ATTAINED, FRACTIONAL, GIVEN_UP, STOPPED, toward
from discreet.tables.sharpen.whole_tables import dive, nudge, record, whole
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints
from discreet.tables.theory.dictionary import ENTRIES, dictionary
from discreet.tables.theory.margin_moves import lift_within, margin_moves

Floats = NDArray[np.float64]
# On larger tables old tables are sooner repaired by moves than walked along edges.
WALK_UP_TO = 200
# How a side ended that was not looked at; sides whose steps may be spent in advance.
LEFT, AHEAD = -2, 24


class MarginWalk:
    """The program over the old bounds and the new sums; the dictionary is carried from one side to the next."""

    def __init__(self, state: AtomState, old: AtomState, tables: Ints) -> None:
        self._old = old
        self._lift = margin_moves(state.lattice, old.lattice, state.margins)
        known = old.known or dictionary(old.lattice, old.lower == old.upper)
        n, r = state.lattice.size, self._lift.targets.size
        self.possible = known is not None and known.nonbasic.size * (known.basic.size + r) <= ENTRIES
        if known is None or not self.possible:
            return
        lift, total = self._lift, min(int(state.upper.max(initial=0)) * n, 1 << 62)
        self._nonbasic = known.nonbasic
        self._matrix, self._dense, self._basic, self._low, self._high = _with_sums(
            known.matrix, known.basic, known.nonbasic, old.lower, old.upper, total,
            lift.starts, lift.widths, lift.corners,
        )  # fmt: skip
        self._now = self._basic.copy(), self._nonbasic.copy()
        self._divisor = np.ones(1)
        self._tables = tables

    @property
    def entries(self) -> int:
        return self._dense.size

    def run(self, sweep: Sweep, limit: int, dives: int, random: Random, patience: int) -> Ints:
        """Settle each side of the sweep that is open; how each ended. Its outer bounds move and its tables grow.

        `limit` is the number of steps after which a side is given up, `dives` that of the attempts to reach a whole
        table from fractions. Sides are left where those before took more than `patience` steps each.
        """
        ends = np.full(sweep.cells.size, ATTAINED)
        counts = np.array([sweep.count, 0], np.int64)
        lift = self._lift
        _walk(
            lift.starts, lift.widths, lift.corners, lift.signs, lift.targets,
            self._dense, self._divisor, *self._now, self._matrix, self._basic, self._nonbasic,
            self._low, self._high, self._tables, self._old.low_witness, self._old.high_witness,
            sweep.cells, sweep.sides, sweep.lower, sweep.upper, sweep.inner_lower, sweep.inner_upper,
            sweep.low_witness, sweep.high_witness, sweep.tables, counts, ends, limit, dives, random, patience,
        )  # fmt: skip
        sweep.count, sweep.tried = int(counts[0]), int(counts[1])
        return ends


@njit(cache=True, nogil=True)
def _with_sums(
    matrix: Ints,
    basic: Ints,
    nonbasic: Ints,
    lower: Ints,
    upper: Ints,
    total: int,
    starts: Ints,
    widths: Ints,
    corners: Ints,
) -> tuple[Ints, Floats, Ints, Ints, Ints]:
    """The rows of a dictionary, and below them those of the sums of its cells: twice, in whole numbers and to work on.

    Then the basic cells, least and greatest values, sums among them, which are numbered from the cells on.
    """
    rows, sums, n = basic.size, starts.size - 1, lower.size
    full, cells = np.zeros((rows + sums, nonbasic.size), np.int64), np.empty(rows + sums, np.int64)
    low, high = np.zeros(n + sums, np.int64), np.full(n + sums, total, np.int64)
    # Entry by entry: arrays assigned to slices take seconds to compile, for the text of an error.
    for c in range(n):
        low[c], high[c] = lower[c], upper[c]
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
            c = corners[p]
            if row[c] >= 0:
                for j in range(nonbasic.size):
                    line[j] += matrix[row[c], j]
            elif column[c] >= 0:
                line[column[c]] += 1
    return full, full.astype(np.float64), cells, low, high


@njit(cache=True, nogil=True)
def _walk(
    lift_starts: Ints,
    lift_widths: Ints,
    lift_corners: Ints,
    lift_signs: Ints,
    targets: Ints,
    dense: Floats,
    divisor: Floats,
    basic: Ints,
    nonbasic: Ints,
    matrix: Ints,
    first_basic: Ints,
    first_nonbasic: Ints,
    old_low: Ints,
    old_high: Ints,
    old_tables: Ints,
    old_low_witness: Ints,
    old_high_witness: Ints,
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
    limit: int,
    dives: int,
    random: Random,
    patience: int,
) -> None:
    """`counts` is the number of tables and of steps."""
    n, r = lower.size, targets.size
    row, column = np.full(n + r, -1, np.int64), np.full(n + r, -1, np.int64)
    for i in range(basic.size):
        row[basic[i]] = i
    for j in range(nonbasic.size):
        column[nonbasic[j]] = j
    low, high = old_low.copy(), old_high.copy()
    x, vertex, residual = np.empty(n + r), np.empty(n + r), np.zeros(nonbasic.size, np.int64)
    anchor = np.empty(n + r, np.int64)
    for b in range(n):
        anchor[b] = old_tables[0, b]
    for e in range(r):
        anchor[n + e] = 0
        for p in range(lift_starts[e] + lift_widths[e] - 1, lift_starts[e + 1], lift_widths[e]):
            anchor[n + e] += anchor[lift_corners[p]]
    y, last, ready = np.empty(n, np.int64), np.empty(n + r), False
    for s in range(cells.size):
        if counts[1] > patience * (s + AHEAD):
            ends[s:] = LEFT
            return
        c, side = cells[s], sides[s]
        bound = upper[c] if side > 0 else lower[c]
        if (inner_upper[c] >= bound) if side > 0 else (inner_lower[c] <= bound):
            continue
        furthest = old_high_witness[c] if side > 0 else old_low_witness[c]
        for b in range(n):
            y[b] = old_tables[furthest, b]
        reached = y[c] == bound
        if reached:
            low[c] = high[c] = bound
        done = lift_within(y, low, high, lift_starts, lift_widths, lift_corners, lift_signs, targets)
        low[c], high[c] = old_low[c], old_high[c]
        if done and reached:
            record(y, inner_lower, inner_upper, low_witness, high_witness, tables, counts)
            continue
        off = 0.0
        for b in range(n):
            x[b] = y[b]
        for e in range(r):
            x[n + e] = 0.0
            for p in range(lift_starts[e] + lift_widths[e] - 1, lift_starts[e + 1], lift_widths[e]):
                x[n + e] += x[lift_corners[p]]
            off += abs(x[n + e] - targets[e])
        near = high_witness[c] if side > 0 else low_witness[c]
        home = 0
        if near >= 0 and (r > 1 or 2 * abs(tables[near, c] - bound) <= off):
            # Several sums are a longer way than from a table that has them; the last one fits the dictionary best.
            home = r
            for b in range(n):
                x[b] = last[b] if ready and r > 1 else tables[near, b]
            for e in range(r):
                low[n + e] = high[n + e] = targets[e]
                x[n + e] = targets[e]
        else:
            for e in range(r):
                low[n + e], high[n + e] = old_low[n + e], old_high[n + e]
        ends[s] = toward(dense, divisor, basic, nonbasic, row, column, x, low, high, c, float(bound), limit, counts)
        if home == 0 and ends[s] == ATTAINED:
            low[c] = high[c] = bound
            home = _bring_home(
                dense, divisor, basic, nonbasic, row, column, x, low, high, n, home, targets, limit, counts
            )
            low[c], high[c] = old_low[c], old_high[c]
        if ends[s] == GIVEN_UP:
            continue
        if home < r:
            home = _bring_home(
                dense, divisor, basic, nonbasic, row, column, x, low, high, n, home, targets, limit, counts
            )
            ends[s] = GIVEN_UP
            if home < r:
                continue
            ends[s] = toward(dense, divisor, basic, nonbasic, row, column, x, low, high, c, float(bound), limit, counts)
            if ends[s] == GIVEN_UP:
                continue
        if ends[s] == STOPPED:
            value = proof(
                matrix, first_basic, first_nonbasic, column, dense[row[c]], divisor[0], anchor, low, high, c, side,
                residual,
            )  # fmt: skip
            if side > 0:
                upper[c] = min(upper[c], value)
            else:
                lower[c] = max(lower[c], value)
            bound = upper[c] if side > 0 else lower[c]
        met = inner_upper[c] >= bound if side > 0 else inner_lower[c] <= bound
        good = met or whole(x) or nudge(dense, divisor[0], basic, nonbasic, x, low, high, c, bound)
        if not good:
            for b in range(n + r):
                vertex[b] = x[b]
        for attempt in range(dives):
            if good:
                break
            for b in range(n + r):
                x[b] = vertex[b]
            good = dive(
                dense, divisor, basic, nonbasic, row, column, x, low, high, c, bound, attempt > 0, limit, counts, random
            )
        if good and not met:
            record(x[:n], inner_lower, inner_upper, low_witness, high_witness, tables, counts)
            met = inner_upper[c] >= bound if side > 0 else inner_lower[c] <= bound
            for b in range(n + r):
                last[b] = x[b]
            ready = True
        ends[s] = ATTAINED if met else FRACTIONAL


@njit(cache=True, nogil=True)
def _bring_home(
    dense: Floats,
    divisor: Floats,
    basic: Ints,
    nonbasic: Ints,
    row: Ints,
    column: Ints,
    x: Floats,
    low: Ints,
    high: Ints,
    n: int,
    done: int,
    targets: Ints,
    limit: int,
    counts: Ints,
) -> int:
    """Walk the sums from `done` on to their targets and keep them there; the first that cannot, or their number."""
    for e in range(done, targets.size):
        found = toward(
            dense, divisor, basic, nonbasic, row, column, x, low, high, n + e, float(targets[e]), limit, counts
        )
        if found != ATTAINED:
            return e
        low[n + e] = high[n + e] = targets[e]
    return targets.size
