"""A linear program that is solved again and again after small changes, each time from the last basis, by HiGHS.

    minimize c·x   subject to   row_lower ≤ A x ≤ row_upper,   lower ≤ x ≤ upper

Costs, boxes of columns and rows change in between. One thread, no presolve, a fixed seed: the same calls give the same
answers. Row duals y and reduced costs d have the signs of d = c − Aᵀ y.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Status = Literal["optimal", "infeasible", "unbounded", "unknown"]


class WarmSolution(NamedTuple):
    """`status` is "unknown" where a limit was reached."""

    status: Status
    value: float
    x: Floats
    duals: Floats
    reduced: Floats


class Box(NamedTuple):
    """Lower and upper limits of columns or rows."""

    lower: Floats
    upper: Floats


class WarmLp:
    def __init__(self, matrix: sp.csr_matrix, cost: Floats, columns: Box, rows: Box, *, strategy: int = 1) -> None:
        """`strategy` is HiGHS's: 1 dual simplex, 4 primal simplex."""
        import highspy

        self._kinds = highspy.HighsModelStatus
        self._model = highspy.Highs()
        for option, setting in (
            ("output_flag", False),
            ("threads", 1),
            ("random_seed", 0),
            ("presolve", "off"),
            ("solver", "simplex"),
            ("simplex_strategy", strategy),
        ):
            self._model.setOptionValue(option, setting)
        program = highspy.HighsLp()
        program.num_row_, program.num_col_ = matrix.shape
        program.col_cost_ = np.asarray(cost, np.float64)
        program.col_lower_, program.col_upper_ = columns
        program.row_lower_, program.row_upper_ = rows
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = matrix.indptr.astype(np.int32)
        program.a_matrix_.index_ = matrix.indices.astype(np.int32)
        program.a_matrix_.value_ = matrix.data.astype(np.float64)
        self._model.passModel(program)
        self._all = np.arange(matrix.shape[1], dtype=np.int32)

    def set_boxes(self, lower: Floats, upper: Floats, columns: Ints | None = None) -> None:
        where = self._all if columns is None else columns.astype(np.int32)
        if where.size:
            self._model.changeColsBounds(where.size, where, lower, upper)

    def set_box(self, column: int, lower: float, upper: float) -> None:
        self._model.changeColBounds(column, lower, upper)

    def set_costs(self, costs: Floats) -> None:
        self._model.changeColsCost(self._all.size, self._all, costs)

    def set_cost(self, column: int, cost: float) -> None:
        self._model.changeColCost(column, cost)

    def add_row(self, lower: float, columns: Ints, values: Floats) -> None:
        """Σ values · x[columns] ≥ lower."""
        self._model.addRow(lower, np.inf, columns.size, columns.astype(np.int32), values)

    def basis(self) -> Any:
        return self._model.getBasis()

    def restore(self, basis: Any) -> None:
        self._model.setBasis(basis)

    def forget(self) -> None:
        """Begin from the slack basis next time: better where little moves, and moved elsewhere before."""
        self._model.setBasis()

    def run(self, iterations: int | None = None) -> WarmSolution:
        """Solve, or go on for at most so many iterations."""
        model = self._model
        if iterations is not None:
            model.setOptionValue("simplex_iteration_limit", iterations)
        model.run()
        status = model.getModelStatus()
        if status == self._kinds.kUnknown:
            # The simplex method lost its way from the old basis: once more from scratch.
            model.clearSolver()
            model.run()
            status = model.getModelStatus()
        if iterations is not None:
            model.setOptionValue("simplex_iteration_limit", 2**31 - 1)
        info, found = model.getInfo(), model.getSolution()
        words: dict[Any, Status] = {self._kinds.kOptimal: "optimal", self._kinds.kInfeasible: "infeasible"}
        words |= {self._kinds.kUnbounded: "unbounded", self._kinds.kUnboundedOrInfeasible: "infeasible"}
        return WarmSolution(
            words.get(status, "unknown"),
            float(info.objective_function_value),
            np.array(found.col_value, np.float64),
            np.array(found.row_dual, np.float64),
            np.array(found.col_dual, np.float64),
        )

    def ray(self) -> Floats | None:
        """After "infeasible": row multipliers that prove it, if HiGHS has them; their sign is not fixed."""
        _, there, values = self._model.getDualRay()
        return np.array(values, np.float64) if there else None
