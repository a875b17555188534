"""Walks along the edges of the polytope of tables: the greatest and least value of one cell after another.

Let the dictionary D express basic cells by nonbasic ones, x_B − x°_B = D (x_N − x°_N); the coordinates of the lattice
are one. To maximize x_c with c basic the reduced costs are row c of D: as long as a nonbasic cell can move so that x_c
grows, it moves until it or a basic cell meets its bound, which then leaves the basis. This is the simplex method with
bounds; it starts at any table, so nonbasic cells may be strictly between their bounds. D is kept in whole numbers over
a common divisor (fraction-free elimination: every division is exact), so nothing drifts however long the walk.

Where it ends at fractions, it dives: one cell after another is walked to a whole number next to it and kept there, the
wanted cell at its bound first. That soon gives a whole table, or does not: then others must search.

Proof of a bound, in integers only: take any whole numbers R on the basic cells of the first dictionary K and let
r_N = s·K_c − Kᵀ R elsewhere. Then s·x_c = s·x°_c + Σ r (x − x°) for every table x with the margins, hence

    s·x_c  ≤  s·x°_c + Σ_i max(r_i (lower_i − x°_i), r_i (upper_i − x°_i)).

With R from the last reduced costs, scaled and rounded, that is the value of the linear program. The program is dense,
for small tables; pinned cells are taken out of it before (`dictionary`).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.chance import State, below
from discreet.tables.dictionary import Dictionary
from discreet.tables.fibre import Sweep
from discreet.tables.table import Ints

Floats = NDArray[np.float64]

# Denominators of reduced costs are small: a multiple of them keeps the scaled ones exact.
SCALE = 5040 * 64
LARGEST_COST = 1 << 20
TINY, WHOLE = 1e-9, 1e-6
DIVES = 3
# Rows of at most this many entries are changed even where nothing changes.
SHORT = 64
# How far one cell is moved to make the others whole.
STEPS = 64
ATTAINED, STOPPED, FRACTIONAL, GIVEN_UP = 2, 1, 0, -1


class Walk:
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

    def run(self, sweep: Sweep, limit: int, dives: int, state: State) -> tuple[Ints, Floats]:
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
    state: State,
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


@njit(cache=True, nogil=True)
def toward(
    dense: Floats,
    divisor: Floats,
    basic: Ints,
    nonbasic: Ints,
    row: Ints,
    column: Ints,
    x: Floats,
    low: Ints,
    high: Ints,
    c: int,
    target: float,
    limit: int,
    counts: Ints,
) -> int:
    """Move cell c to `target` inside the box; ATTAINED, STOPPED where no table is nearer, GIVEN_UP after many steps."""
    side = 1 if target > x[c] else -1
    idle = 0
    for _ in range(limit):
        if abs(x[c] - target) < TINY:
            x[c] = target
            return ATTAINED
        enter, way = _entering(dense, row[c], column[c], nonbasic, x, low, high, side, idle > 20)
        if enter < 0:
            return STOPPED
        counts[1] += 1
        rate = 1.0 if row[c] < 0 else abs(dense[row[c], enter]) / divisor[0]
        room = abs(target - x[c]) / rate
        leave, length = _ratio(dense, divisor[0], basic, nonbasic[enter], enter, way, x, low, high, room)
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


@njit(cache=True, nogil=True)
def dive(
    dense: Floats,
    divisor: Floats,
    basic: Ints,
    nonbasic: Ints,
    row: Ints,
    column: Ints,
    x: Floats,
    low: Ints,
    high: Ints,
    c: int,
    target: int,
    at_random: bool,
    limit: int,
    counts: Ints,
    state: State,
) -> bool:
    """From fractions to a whole table with x_c = target; whether that succeeded."""
    n = x.size
    old_low, old_high = low.copy(), high.copy()
    cell, wanted = c, float(target)
    done = False
    for _ in range(n):
        other = np.floor(x[cell]) if wanted > x[cell] else np.ceil(x[cell])
        found = toward(dense, divisor, basic, nonbasic, row, column, x, low, high, cell, wanted, limit, counts)
        if found != ATTAINED and cell != c:
            wanted = other
            found = toward(dense, divisor, basic, nonbasic, row, column, x, low, high, cell, wanted, limit, counts)
        if found != ATTAINED:
            break
        low[cell] = high[cell] = np.int64(np.rint(wanted))
        cell, nearest, seen = -1, 2.0, 0
        for b in range(n):
            part = abs(x[b] - np.rint(x[b]))
            if part < WHOLE:
                continue
            seen += 1
            if (below(state, seen) == 0) if at_random else part < nearest:
                cell, nearest = b, part
        if cell < 0:
            done = True
            break
        wanted = np.rint(x[cell])
    for b in range(n):
        low[b], high[b] = old_low[b], old_high[b]
    return done


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _entering(
    dense: Floats,
    row: int,
    column: int,
    nonbasic: Ints,
    x: Floats,
    low: Ints,
    high: Ints,
    side: int,
    careful: bool,
) -> tuple[int, int]:
    """A nonbasic cell whose change lets the wanted one grow, and which way; the first such cell if `careful`."""
    if row < 0:
        j = nonbasic[column]
        free = x[j] < high[j] - TINY if side > 0 else x[j] > low[j] + TINY
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


@njit(cache=True, nogil=True)
def _ratio(
    dense: Floats,
    divisor: float,
    basic: Ints,
    cell: int,
    enter: int,
    way: int,
    x: Floats,
    low: Ints,
    high: Ints,
    room: float,
) -> tuple[int, float]:
    """How far the entering cell can move, at most `room`, and the basic cell that stops it (−1: none does)."""
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def whole(x: Floats) -> bool:
    most = 0.0
    for b in range(x.size):
        most = max(most, abs(x[b] - np.rint(x[b])))
    return bool(most <= WHOLE)


@njit(cache=True, nogil=True)
def record(
    x: Floats,
    inner_lower: Ints,
    inner_upper: Ints,
    low_witness: Ints,
    high_witness: Ints,
    tables: Ints,
    counts: Ints,
) -> None:
    place = counts[0]
    for b in range(x.size):
        value = np.int64(np.rint(x[b]))
        tables[place, b] = value
        if value > inner_upper[b]:
            inner_upper[b], high_witness[b] = value, place
        if value < inner_lower[b]:
            inner_lower[b], low_witness[b] = value, place
    counts[0] += 1


@njit(cache=True, nogil=True)
def proof(
    matrix: Ints,
    basic: Ints,
    nonbasic: Ints,
    column: Ints,
    costs: Floats,
    divisor: float,
    table: Ints,
    low: Ints,
    high: Ints,
    c: int,
    side: int,
    residual: Ints,
) -> int:
    """The whole number beyond which no table goes at cell c; `basic` and `nonbasic` are of the first dictionary."""
    residual[:] = 0
    # Sizes are followed in floats, which cannot wrap around: where whole numbers might, nothing is proven.
    total, size, own, spread = np.int64(0), 0.0, -1, float(SCALE)
    for i in range(basic.size):
        b = basic[i]
        if b == c:
            own = i
        if column[b] < 0 or costs[column[b]] == 0:
            continue
        if not abs(costs[column[b]]) <= LARGEST_COST * divisor:
            return high[c] if side > 0 else low[c]
        factor = np.int64(np.rint(costs[column[b]] * SCALE / divisor))
        largest = np.int64(1)
        for j in range(nonbasic.size):
            residual[j] -= factor * matrix[i, j]
            largest = max(largest, abs(matrix[i, j]))
        spread += abs(float(factor)) * float(largest)
        total += _most(factor, low[b] - table[b], high[b] - table[b], side)
        size += abs(float(factor)) * (float(abs(low[b] - table[b])) + float(abs(high[b] - table[b])))
    for j in range(nonbasic.size):
        b = nonbasic[j]
        factor = residual[j] + (SCALE * matrix[own, j] if own >= 0 else (SCALE if b == c else 0))
        total += _most(factor, low[b] - table[b], high[b] - table[b], side)
        size += abs(float(factor)) * (float(abs(low[b] - table[b])) + float(abs(high[b] - table[b])))
    if spread > 2.0**61:
        return high[c] if side > 0 else low[c]
    if size + float(SCALE) * table[c] > 2.0**62:
        return high[c] if side > 0 else low[c]
    total += SCALE * table[c]
    return total // SCALE if side > 0 else -((-total) // SCALE)


@njit(cache=True, nogil=True)
def _most(factor: int, low: int, high: int, side: int) -> int:
    return max(factor * low, factor * high) if side > 0 else min(factor * low, factor * high)
