"""One linear program, many objectives: the least or greatest value of single variables, by HiGHS.

    extremize x_c   subject to   A x = b,   lower ≤ x ≤ upper          (A has whole entries, 0 and 1 unless given)

Variables that their bounds pin are taken out of the model. Changing only the cost keeps the last basis primal
feasible, so the primal simplex continues from there. The duals are floating point; `certified_bound` turns any duals
into a bound that holds exactly: for every λ

    x_c = λ·b + Σ_i r_i x_i,   r = e_c − Aᵀλ,   hence   x_c ≤ λ·b + Σ_i max(r_i lower_i, r_i upper_i)

which is evaluated in integers after scaling λ. Nothing is trusted but integer arithmetic, whatever the solver did. The
program is solved in units in which numbers are of moderate size: its tolerances are absolute.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Denominators of the duals of such programs are small: a multiple of them keeps the scaled duals exact.
_SCALE = 5040
# The least scale first: it makes most duals whole, and smaller numbers are quicker.
_SCALES = (1, 12)
_MODERATE = 2.0**24
# Larger systems are not repaired.
_REPAIR = 1_000_000


@dataclass(frozen=True)
class LpSolution:
    """`duals` are of the rows, for the bound on x_c itself."""

    status: Literal["optimal", "infeasible", "unknown"]
    x: Floats
    duals: Floats


class ExtremeLp:
    """The program above, kept warm between objectives."""

    def __init__(
        self, starts: Ints, columns: Ints, right_side: Ints, lower: Ints, upper: Ints, entries: Ints | None = None
    ) -> None:
        import highspy

        self._kinds = highspy.HighsModelStatus
        self._rows, self._n = right_side.size, lower.size
        data = np.ones(columns.size) if entries is None else entries.astype(np.float64)
        matrix = sp.csr_matrix((data, columns, starts), shape=(self._rows, self._n))
        self._open = np.nonzero(lower < upper)[0]
        self._place = np.full(self._n, -1, np.int64)
        self._place[self._open] = np.arange(self._open.size)
        self._fixed = lower.astype(np.float64)
        self._pinned, self._low, self._high = lower, lower, upper
        self._basic = highspy.HighsBasisStatus.kBasic
        largest = max(float(upper.max(initial=0)), -float(lower.min(initial=0)))
        self._unit = max(1.0, largest / _MODERATE)
        reduced = matrix[:, self._open].tocsr()
        self._kept = np.nonzero(np.diff(reduced.indptr))[0]
        reduced = reduced[self._kept].tocsr()
        self._reduced = sp.csr_matrix(reduced.astype(np.int64))
        rest = lower.copy()
        rest[self._open] = 0
        # In whole numbers: beyond 2^53 a difference of floats is not that of the counts.
        self._left = (right_side - matrix.astype(np.int64) @ rest)[self._kept]
        model = highspy.Highs()
        for option, setting in (
            ("output_flag", False),
            ("threads", 1),
            ("random_seed", 0),
            ("presolve", "off"),
            ("simplex_strategy", 4),
        ):
            model.setOptionValue(option, setting)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = self._open.size, self._kept.size
        program.col_cost_ = np.zeros(self._open.size)
        program.col_lower_ = lower[self._open] / self._unit
        program.col_upper_ = upper[self._open] / self._unit
        program.row_lower_ = program.row_upper_ = self._left / self._unit
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = reduced.indptr.astype(np.int32)
        program.a_matrix_.index_ = reduced.indices.astype(np.int32)
        program.a_matrix_.value_ = reduced.data.astype(np.float64)
        model.passModel(program)
        self._model = model

    def extreme(self, cell: int, side: int, time_limit: float | None = None) -> LpSolution:
        """The greatest (side 1) or least (side −1) value of one variable."""
        place = int(self._place[cell])
        if place >= 0:
            self._model.changeColCost(place, -float(side))
        solution = self._run(time_limit, -side)
        if place >= 0:
            self._model.changeColCost(place, 0.0)
        return solution

    def whole(self, x: Floats) -> Ints | None:
        """The last solution in whole numbers that satisfy every equation; None where it has none next to it.

        Rounding does for counts of moderate size. Beyond, basic variables are corrected by what the equations miss.
        """
        found = self._pinned.copy()
        low, high = self._low[self._open], self._high[self._open]
        near = np.rint(x[self._open])
        values = np.where(near >= high.astype(np.float64), high, np.where(near <= low, low, near.astype(np.int64)))
        left = self._left - self._reduced @ values
        if left.any():
            if self._unit == 1.0:
                return None
            basic = np.flatnonzero([kind == self._basic for kind in self._model.getBasis().col_status])
            if left.size * basic.size > _REPAIR or not basic.size:
                return None
            dense = self._reduced[:, basic].toarray().astype(np.float64)
            for _ in range(4):
                change = np.linalg.lstsq(dense, left.astype(np.float64), rcond=None)[0]
                if not (np.abs(change) < 2.0**61).all():
                    return None
                values[basic] += np.rint(change).astype(np.int64)
                left = self._left - self._reduced @ values
                if not left.any():
                    break
            else:
                return None
        found[self._open] = values
        return found

    def _run(self, time_limit: float | None, sign: int) -> LpSolution:
        model = self._model
        limit = float("inf") if time_limit is None else model.getRunTime() + max(time_limit, 0.0)
        model.setOptionValue("time_limit", limit)
        model.run()
        status = model.getModelStatus()
        x, duals = self._fixed.copy(), np.zeros(self._rows)
        if status in (self._kinds.kInfeasible, self._kinds.kUnboundedOrInfeasible):
            return LpSolution("infeasible", x, duals)
        if status != self._kinds.kOptimal:
            return LpSolution("unknown", x, duals)
        solution = model.getSolution()
        x[self._open] = np.asarray(solution.col_value) * self._unit
        duals[self._kept] = solution.row_dual
        return LpSolution("optimal", x, sign * duals)


def certified_bound(
    transposed: sp.csr_matrix,
    right_side: Ints,
    lower: Ints,
    upper: Ints,
    duals: Floats,
    cell: int,
    side: int,
    enough: int | None = None,
) -> tuple[int, int]:
    """An exact bound on x_cell from any duals, as (numerator, positive denominator): no table exceeds it.

    `transposed` is Aᵀ with integer entries, of any sign, as are right sides and boxes. For side 1 the bound is from
    above, for −1 from below. Whole numbers that go with it are `np.rint(duals * denominator)`. Where the whole number
    `enough` is as good as any bound can be, scales are tried no further than it takes to reach it.
    """
    if not np.isfinite(duals).all() or np.abs(duals).max(initial=0.0) > 2.0**20:
        return int(upper[cell] if side > 0 else lower[cell]), 1
    # In floats, which cannot wrap around.
    widest = np.maximum(np.abs(lower), np.abs(upper)).astype(np.float64)
    # Rounding moves a scaled dual by at most a half, and with it each residual by at most half the entries of its row.
    weights = np.asarray(abs(transposed).sum(axis=1)).reshape(-1)
    residual = np.abs(transposed @ duals) + weights + 1.0
    sides = np.abs(right_side.astype(np.float64))
    magnitude = float((np.abs(duals) + 1.0) @ sides + residual @ widest + residual.sum() + 1.0)
    scale = _SCALE
    while scale * 2 * magnitude < 2.0**61 and scale < 2**36:
        scale *= 2
    found = None
    for s in (*_SCALES, scale):
        value = _bound_at(transposed, right_side, lower, upper, duals, s, s * magnitude < 2.0**61, cell, side)
        if found is None or side * (value * found[1] - found[0] * s) < 0:
            found = value, s
        if enough is not None and side * (floor_bound(found, side) - enough) <= 0:
            break
    assert found is not None
    return found


def _bound_at(
    transposed: sp.csr_matrix,
    right_side: Ints,
    lower: Ints,
    upper: Ints,
    duals: Floats,
    scale: int,
    small: bool,
    cell: int,
    side: int,
) -> int:
    scaled = np.rint(duals * scale)
    if not small:
        return _bound_in_big_integers(transposed, right_side, lower, upper, scaled, scale, cell, side)
    multipliers = scaled.astype(np.int64)
    rest = -(transposed @ multipliers)
    rest[cell] += scale
    ends = rest * lower, rest * upper
    greatest = np.maximum(*ends) if side > 0 else np.minimum(*ends)
    return int(multipliers @ right_side + greatest.sum())


def _bound_in_big_integers(
    transposed: sp.csr_matrix,
    right_side: Ints,
    lower: Ints,
    upper: Ints,
    scaled: Floats,
    scale: int,
    cell: int,
    side: int,
) -> int:
    multipliers = [int(v) for v in scaled]
    rest = []
    for i in range(lower.size):
        own = slice(transposed.indptr[i], transposed.indptr[i + 1])
        rows, entries = transposed.indices[own], transposed.data[own]
        rest.append((scale if i == cell else 0) - sum(multipliers[r] * int(v) for r, v in zip(rows, entries)))
    pick = max if side > 0 else min
    value = sum(m * int(b) for m, b in zip(multipliers, right_side))
    value += sum(pick(r * int(a), r * int(b)) for r, a, b in zip(rest, lower, upper))
    return value


def floor_bound(bound: tuple[int, int], side: int) -> int:
    """The whole number that a bound allows: rounded down for side 1, up for side −1."""
    value, scale = bound
    return value // scale if side > 0 else -(-value // scale)
