"""The checker's own search for tables that protect a sensitive cell, where nobody showed one.

    maximize side · f_p   subject to   A f = 0,   low ≤ f ≤ high

by HiGHS, in these few lines; its answer is only a hint. Its duals, rounded to whole multipliers, may prove that the
cell cannot reach its level. Else a move is looked for in multiples of a unit (the level itself, a 64th of it, 1), with
boxes rounded inwards to such multiples: rounded to whole numbers of that unit it is a witness if it keeps every
relation, and where it does not, an integer program is asked. What neither proves, branch and bound with exact leaves
may (branching.py); the rest stays undecided.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from discreet.verify.tabular.branching import settle
from discreet.verify.tabular.moves import Hidden

SCALES = (1, 12, 5040, 5040 << 12)
MODERATE = 2.0**24
# No move needs to be that many units long.
FAR = 1 << 20
PATIENCE = 20.0


class Search:
    """One linear program over the hidden cells, asked for many of them."""

    def __init__(self, hidden: Hidden, boxes: tuple[dict[int, int], dict[int, int]], end: float | None) -> None:
        self.hidden, self.boxes, self.end = hidden, boxes, end
        low, high = boxes
        self.cells = [cell for cell in hidden.cells if low[cell] < high[cell]]
        self.place = {cell: i for i, cell in enumerate(self.cells)}
        self.relations = [r for r, terms in hidden.rows.items() if any(cell in self.place for cell, _ in terms)]
        self.model: Any = None

    @property
    def seconds(self) -> float:
        return float("inf") if self.end is None else max(0.0, self.end - time.monotonic())

    def extreme(self, cell: int, side: int, need: int) -> tuple[dict[int, int] | None, int | None]:
        """A move that reaches `need`, or a bound in whole numbers; each None where it was not found."""
        if cell not in self.place or self.seconds <= 0:
            return None, None
        duals = self._duals(cell, side)
        bound = None if duals is None else self._bound(cell, side, duals)
        if bound is not None and side * bound < need:
            return None, bound
        for unit in dict.fromkeys((need, -(-need // 64), 1)):
            for integer in (False, True):
                move = self._move(cell, side, need, unit, integer)
                if move is not None:
                    return move, bound
        move, none = settle(self, cell, side, side * need)
        return move, side * (need - 1) if none else bound

    def _bound(self, cell: int, side: int, duals: Any) -> int | None:
        found: int | None = None
        for scale in SCALES:
            multipliers = {r: round(float(v) * scale) for r, v in zip(self.relations, duals) if round(float(v) * scale)}
            value = self.hidden.bound(cell, side, scale, multipliers, self.boxes)
            found = value if found is None or side * (value - found) < 0 else found
        return found

    def _program(self, integer: bool, low: Any, high: Any) -> Any:
        import highspy

        model = highspy.Highs()
        settings = (("output_flag", False), ("threads", 1), ("random_seed", 0))
        for option, given in settings if integer else (*settings, ("presolve", "off"), ("simplex_strategy", 4)):
            model.setOptionValue(option, given)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = len(self.cells), len(self.relations)
        program.col_cost_ = np.zeros(len(self.cells))
        program.col_lower_, program.col_upper_ = low, high
        program.row_lower_ = program.row_upper_ = np.zeros(len(self.relations))
        start: list[int] = [0]
        index: list[int] = []
        value: list[float] = []
        for relation in self.relations:
            for cell, sign in self.hidden.rows[relation]:
                if cell in self.place:
                    index.append(self.place[cell])
                    value.append(float(sign))
            start.append(len(index))
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.array(start, np.int32)
        program.a_matrix_.index_ = np.array(index, np.int32)
        program.a_matrix_.value_ = np.array(value)
        if integer:
            program.integrality_ = [highspy.HighsVarType.kInteger] * len(self.cells)
        model.passModel(program)
        return model

    def _duals(self, cell: int, side: int) -> Any:
        """Multipliers of the relations for the furthest that the cell can go; None where the solver gives none."""
        import highspy

        low, high = (np.array([box[c] for c in self.cells], np.float64) for box in self.boxes)
        if self.model is None:
            unit = max(1.0, float(np.maximum(np.abs(low), np.abs(high)).max(initial=0.0)) / MODERATE)
            self.model = self._program(False, low / unit, high / unit)
        model, column = self.model, self.place[cell]
        model.changeColCost(column, -float(side))
        model.setOptionValue("time_limit", model.getRunTime() + self.seconds)
        model.run()
        # Read before the cost goes back: a changed model has no status and no duals any more.
        found = model.getModelStatus() == highspy.HighsModelStatus.kOptimal
        duals = -side * np.array(model.getSolution().row_dual) if found else None
        model.changeColCost(column, 0.0)
        return duals

    def _move(self, cell: int, side: int, need: int, unit: int, integer: bool) -> dict[int, int] | None:
        """A move of at least `need` in multiples of `unit`."""
        if self.seconds <= 0:
            return None
        least, most = self.boxes
        low = np.array([max(-(-least[c] // unit), -FAR) for c in self.cells], np.float64)
        high = np.array([min(most[c] // unit, FAR) for c in self.cells], np.float64)
        column, wanted = self.place[cell], -(-need // unit)
        if side > 0:
            low[column] = wanted
        else:
            high[column] = -wanted
        if low[column] > high[column]:
            return None
        model = self._program(integer, low, high)
        model.setOptionValue("mip_max_nodes", 200)
        model.setOptionValue("time_limit", min(self.seconds, PATIENCE))
        model.run()
        if model.getInfo().primal_solution_status != 2:
            return None
        values = np.rint(np.array(model.getSolution().col_value))
        move = {c: int(v) * unit for c, v in zip(self.cells, values) if v}
        return move if side * move.get(cell, 0) >= need and self.hidden.possible(move) else None
