"""A linear program that grows: columns and rows are added in place and the simplex method goes on from its last basis.

    minimize c·x   subject to   row_lower ≤ A x ≤ row_upper,   x ≥ 0

HiGHS, one thread, with a dual tolerance tight enough for the multipliers of a certificate.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class LpSolution(NamedTuple):
    """`solved` is False where HiGHS stopped early; duals are then still multipliers, but of nothing in particular."""

    value: float
    duals: Floats
    x: Floats
    solved: bool


class Basis(NamedTuple):
    """Where the simplex method stands: the basic columns j and rows i, as j and −1−i, of so many columns and rows."""

    basic: Ints
    columns: int
    rows: int


class MasterLP:
    def __init__(self, row_lower: Floats, row_upper: Floats, *, tolerance: float = 1e-9) -> None:
        import highspy

        self._model = highspy.Highs()
        self._set("output_flag", False)
        self._set("threads", 1)
        self._set("random_seed", 0)
        self._tolerance = tolerance
        self._set("dual_feasibility_tolerance", tolerance)
        self._set("primal_feasibility_tolerance", 1e-8)
        self._set("solver", "simplex")
        self._interior = False
        self.rows = 0
        self.columns = 0
        # Where a row rests that is not basic.
        self._resting: list[Any] = []
        # The basis that was given out or restored last, where the simplex method has not gone on from it.
        self._stands: Basis | None = None
        nothing = np.zeros(0, np.int32)
        self.add_rows(row_lower, row_upper, np.zeros(len(row_lower) + 1, np.int32), nothing, np.zeros(0))

    def add_columns(self, costs: Floats, start: Ints, index: Ints, value: Floats) -> None:
        """Columns j with entries index/value[start[j] : start[j+1]]."""
        m = len(costs)
        self._model.addCols(
            m,
            np.ascontiguousarray(costs, np.float64),
            np.zeros(m),
            np.full(m, np.inf),
            len(index),
            np.ascontiguousarray(start[:-1], np.int32),
            np.ascontiguousarray(index, np.int32),
            np.ascontiguousarray(value, np.float64),
        )
        self.columns += m

    def add_rows(self, lower: Floats, upper: Floats, start: Ints, index: Ints, value: Floats) -> None:
        import highspy

        m = len(lower)
        self._model.addRows(
            m,
            np.ascontiguousarray(lower, np.float64),
            np.ascontiguousarray(upper, np.float64),
            len(index),
            np.ascontiguousarray(start[:-1], np.int32),
            np.ascontiguousarray(index, np.int32),
            np.ascontiguousarray(value, np.float64),
        )
        self.rows += m
        status = highspy.HighsBasisStatus
        self._resting += [status.kUpper if open_below else status.kLower for open_below in np.isneginf(lower).tolist()]

    def delete_rows(self, rows: Ints) -> None:
        if len(rows):
            self._model.deleteRows(len(rows), np.ascontiguousarray(rows, np.int32))
            self.rows -= len(rows)
            self._stands = None
            gone = set(rows.tolist())
            self._resting = [status for i, status in enumerate(self._resting) if i not in gone]

    def close_columns(self, columns: Ints, *, reopen: bool = False) -> None:
        """Hold columns at zero, or let them be any number from zero on again."""
        if len(columns):
            self._model.changeColsBounds(
                len(columns),
                np.ascontiguousarray(columns, np.int32),
                np.zeros(len(columns)),
                np.full(len(columns), np.inf if reopen else 0.0),
            )

    def basis(self) -> Basis:
        """Where the simplex method stands; `restore` returns to it, also after rows and columns were added.

        Before anything was solved, that is at the rows alone.
        """
        import highspy

        if self._stands is not None and self._stands[1:] == (self.columns, self.rows):
            return self._stands
        status, basic = self._model.getBasicVariables()
        if status != highspy.HighsStatus.kOk:
            basic = -1 - np.arange(self.rows, dtype=np.int32)
        self._stands = Basis(np.asarray(basic, np.int32), self.columns, self.rows)
        return self._stands

    def restore(self, basis: Basis) -> None:
        """Rows that came later are basic, columns are not."""
        import highspy

        if basis is self._stands:
            # What the simplex method knows of its basis would be lost.
            return
        status = highspy.HighsBasisStatus
        columns, rows = [status.kLower] * self.columns, self._resting.copy()
        for basic in basis.basic.tolist():
            if basic >= 0:
                columns[basic] = status.kBasic
            else:
                rows[-1 - basic] = status.kBasic
        rows[basis.rows :] = [status.kBasic] * (self.rows - basis.rows)
        statuses = highspy.HighsBasis()
        statuses.valid, statuses.alien = True, False
        statuses.col_status, statuses.row_status = columns, rows
        self._model.setBasis(statuses)
        self._stands = basis

    def is_basic(self, basis: Basis) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which columns and rows are basic."""
        columns, rows = np.zeros(self.columns, np.bool_), np.zeros(self.rows, np.bool_)
        columns[basis.basic[basis.basic >= 0]] = True
        rows[-1 - basis.basic[basis.basic < 0]] = True
        rows[basis.rows :] = True
        return columns, rows

    def part_of(self, basis: Basis, columns: NDArray[np.int64], rows: NDArray[np.int64]) -> Basis:
        """The basis of a program with these columns and rows alone: a basis where all else is columns that are not
        basic and rows that are."""
        of_columns, of_rows = self.is_basic(basis)
        basic = [np.flatnonzero(of_columns[columns]), -1 - np.flatnonzero(of_rows[rows])]
        return Basis(np.concatenate(basic).astype(np.int32), len(columns), len(rows))

    def glance(self, iterations: int) -> float:
        """The objective after at most so many simplex steps; infinite where the program has no solution."""
        import highspy

        self._stands = None
        self._set("simplex_iteration_limit", iterations)
        self._model.run()
        self._set("simplex_iteration_limit", 2**31 - 1)
        if self._model.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            return float("inf")
        return float(self._model.getInfo().objective_function_value)

    def solve(self, time_limit: float | None = None, *, interior: bool = False) -> LpSolution:
        """Solve by the simplex method, or for duals in the middle of the optimal face by an interior point method."""
        import highspy

        if interior != self._interior:
            self._set("solver", "ipm" if interior else "simplex")
            self._set("run_crossover", "off" if interior else "on")
            self._interior = interior
        if time_limit is not None and np.isfinite(time_limit):
            # HiGHS counts the seconds of all its runs together.
            self._set("time_limit", float(self._model.getRunTime() + max(time_limit, 0.0)))
        self._stands = None
        self._model.run()
        if self._model.getModelStatus() == highspy.HighsModelStatus.kUnknown:
            # The simplex method lost its way from the old basis, at this tolerance: once more from scratch.
            self._model.clearSolver()
            self._model.run()
        if self._model.getModelStatus() == highspy.HighsModelStatus.kUnknown:
            self._model.clearSolver()
            self._set("dual_feasibility_tolerance", 1e-7)
            self._set("primal_feasibility_tolerance", 1e-7)
            self._model.run()
            self._set("dual_feasibility_tolerance", self._tolerance)
            self._set("primal_feasibility_tolerance", 1e-8)
        solution = self._model.getSolution()
        return LpSolution(
            float(self._model.getInfo().objective_function_value),
            np.array(solution.row_dual, np.float64),
            np.array(solution.col_value, np.float64),
            self._model.getModelStatus() == highspy.HighsModelStatus.kOptimal,
        )

    def _set(self, option: str, value: bool | int | float | str) -> None:
        self._model.setOptionValue(option, value)


def interior_point(
    costs: Floats,
    rows: int,
    start: Ints,
    index: Ints,
    value: Floats,
    *,
    tolerance: float,
    time_limit: float | None = None,
) -> LpSolution:
    """minimize c·x subject to A x = 1, x ≥ 0, by HiGHS's sparse interior point method without crossover.

    Its duals lie in the middle of the optimal face, good to about `tolerance`; `solved` says whether HiGHS agrees.
    """
    import highspy

    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    model.setOptionValue("solver", "ipm")
    model.setOptionValue("run_crossover", "off")
    model.setOptionValue("ipm_optimality_tolerance", max(tolerance, 1e-12))
    if time_limit is not None and np.isfinite(time_limit):
        model.setOptionValue("time_limit", float(max(time_limit, 0.0)))
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(costs), rows
    program.col_cost_ = np.ascontiguousarray(costs, np.float64)
    program.col_lower_, program.col_upper_ = np.zeros(len(costs)), np.full(len(costs), np.inf)
    program.row_lower_ = program.row_upper_ = np.ones(rows)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = np.ascontiguousarray(start, np.int32)
    program.a_matrix_.index_ = np.ascontiguousarray(index, np.int32)
    program.a_matrix_.value_ = np.ascontiguousarray(value, np.float64)
    model.passModel(program)
    model.run()
    solution = model.getSolution()
    return LpSolution(
        float(model.getInfo().objective_function_value),
        np.array(solution.row_dual, np.float64),
        np.array(solution.col_value, np.float64),
        model.getModelStatus() == highspy.HighsModelStatus.kOptimal,
    )
