"""One linear program, many objectives: the least or greatest value of single variables, by HiGHS.

    extremize x_c   subject to   A x = b,   lower ≤ x ≤ upper          (A has entries 0 and 1)

Variables that their bounds pin are taken out of the model. Changing only the cost keeps the last basis primal
feasible, so the primal simplex continues from there. The duals are floating point; `certified_bound` turns any duals
into a bound that holds exactly: for every λ

    x_c = λ·b + Σ_i r_i x_i,   r = e_c − Aᵀλ,   hence   x_c ≤ λ·b + Σ_i max(r_i lower_i, r_i upper_i)

which is evaluated in integers after scaling λ. Nothing is trusted but integer arithmetic, whatever the solver did.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Denominators of the duals of such programs are small: a multiple of them keeps the scaled duals exact.
_SCALE = 5040


@dataclass(frozen=True)
class LpSolution:
    """`status` is "optimal", "infeasible" or "unknown"; `duals` are of the rows, for the bound on x_c itself."""

    status: str
    x: Floats
    duals: Floats


class ExtremeLp:
    """The program above, kept warm between objectives."""

    def __init__(self, starts: Ints, columns: Ints, right_side: Ints, lower: Ints, upper: Ints) -> None:
        import highspy

        self._kinds = highspy.HighsModelStatus
        self._rows, self._n = right_side.size, lower.size
        matrix = sp.csr_matrix((np.ones(columns.size), columns, starts), shape=(self._rows, self._n))
        self._open = np.nonzero(lower < upper)[0]
        self._place = np.full(self._n, -1, np.int64)
        self._place[self._open] = np.arange(self._open.size)
        self._fixed = lower.astype(np.float64)
        reduced = matrix[:, self._open].tocsr()
        self._kept = np.nonzero(np.diff(reduced.indptr))[0]
        reduced = reduced[self._kept].tocsr()
        rest = self._fixed.copy()
        rest[self._open] = 0
        value = (right_side - matrix @ rest)[self._kept]
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
        program.col_lower_ = lower[self._open].astype(np.float64)
        program.col_upper_ = upper[self._open].astype(np.float64)
        program.row_lower_ = program.row_upper_ = value.astype(np.float64)
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

    def restrict(self, cell: int, low: int, high: int) -> None:
        """Change the bounds of one variable that was not pinned when the model was made."""
        self._model.changeColBounds(int(self._place[cell]), float(low), float(high))

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
        x[self._open] = solution.col_value
        duals[self._kept] = solution.row_dual
        return LpSolution("optimal", x, sign * duals)


def certified_bound(
    transposed: sp.csr_matrix, right_side: Ints, lower: Ints, upper: Ints, duals: Floats, cell: int, side: int
) -> tuple[int, int]:
    """An exact bound on x_cell from any duals, as (numerator, positive denominator): no table exceeds it.

    `transposed` is Aᵀ with integer entries. For side 1 the bound is from above, for −1 from below.
    """
    residual = -(transposed @ duals)
    residual[cell] += 1.0
    widest = np.maximum(np.abs(lower), np.abs(upper))
    magnitude = float(np.abs(duals) @ np.abs(right_side) + np.abs(residual) @ widest + widest.sum() + 1.0)
    scale = _SCALE
    while scale * 2 * magnitude < 2.0**61 and scale < 2**44:
        scale *= 2
    scaled = np.rint(duals * scale)
    if scale * magnitude >= 2.0**61:
        return _bound_in_big_integers(transposed, right_side, lower, upper, scaled, scale, cell, side)
    multipliers = scaled.astype(np.int64)
    rest = -(transposed @ multipliers)
    rest[cell] += scale
    ends = rest * lower, rest * upper
    reach = np.maximum(*ends) if side > 0 else np.minimum(*ends)
    return int(multipliers @ right_side + reach.sum()), scale


def _bound_in_big_integers(
    transposed: sp.csr_matrix,
    right_side: Ints,
    lower: Ints,
    upper: Ints,
    scaled: Floats,
    scale: int,
    cell: int,
    side: int,
) -> tuple[int, int]:
    multipliers = [int(v) for v in scaled]
    rest = []
    for i in range(lower.size):
        rows = transposed.indices[transposed.indptr[i] : transposed.indptr[i + 1]]
        rest.append((scale if i == cell else 0) - sum(multipliers[r] for r in rows))
    pick = max if side > 0 else min
    value = sum(m * int(b) for m, b in zip(multipliers, right_side))
    value += sum(pick(r * int(a), r * int(b)) for r, a, b in zip(rest, lower, upper))
    return value, scale


def floor_bound(bound: tuple[int, int], side: int) -> int:
    """The whole number that a bound allows: rounded down for side 1, up for side −1."""
    value, scale = bound
    return value // scale if side > 0 else -(-value // scale)
