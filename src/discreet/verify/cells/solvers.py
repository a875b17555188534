"""Hints for the checker of cells: a linear program (HiGHS) and an integer program (CP-SAT, in its own process).

The linear program is about what cells exceed their least count by, in units that make this moderate, so that its
tolerances mean the same for counts of 10 and of 10^18. Its multipliers are only ever used through `Equations.proven`,
its vertices only after they were made whole and found to have the margins. CP-SAT is exact; that it finds no table is
taken as a proof, that it finds one is checked.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from discreet.verify.cells.equations import Equations, Floats, Ints

MODERATE = 2.0**20
# Larger systems are not repaired.
REPAIR = 4_000_000
# Beyond this CP-SAT refuses sums, and HiGHS's own integer programs are not to be trusted.
LARGE, FLOATING = 1 << 50, 1 << 24


class Relaxation:
    """Tables with fractions; one model, in which only the cost changes."""

    def __init__(self, equations: Equations) -> None:
        import highspy

        self._kinds = highspy.HighsModelStatus
        self._basic = highspy.HighsBasisStatus.kBasic
        self.equations = equations
        width = equations.top - equations.least
        self._open = np.flatnonzero(width > 0)
        self._place = np.full(equations.n, -1, np.int64)
        self._place[self._open] = np.arange(self._open.size)
        rows = equations.rows()
        lengths = np.array([row.size for row in rows], np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        whole = sp.csr_matrix((np.ones(int(starts[-1])), np.concatenate(rows), starts), (len(rows), equations.n))
        self._matrix = sp.csc_matrix(whole[:, self._open])
        self._unit = max(1.0, float(width.max(initial=0)) / MODERATE)
        self._width = width[self._open]
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = self._open.size, len(rows)
        program.col_cost_ = np.zeros(self._open.size)
        program.col_lower_ = np.zeros(self._open.size)
        program.col_upper_ = self._width / self._unit
        program.row_lower_ = program.row_upper_ = equations.left(equations.least) / self._unit
        program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        program.a_matrix_.start_ = self._matrix.indptr.astype(np.int32)
        program.a_matrix_.index_ = self._matrix.indices.astype(np.int32)
        program.a_matrix_.value_ = self._matrix.data
        self._model = highspy.Highs()
        for option, setting in (("output_flag", False), ("threads", 1), ("random_seed", 0), ("presolve", "off")):
            self._model.setOptionValue(option, setting)
        self._model.setOptionValue("simplex_strategy", 4)
        self._model.passModel(program)

    def extreme(self, cell: int, side: int, seconds: float) -> tuple[Floats, Ints | None] | None:
        """Multipliers for the bound on a cell, and the whole table at the vertex, if any; None where unanswered."""
        place, model = int(self._place[cell]), self._model
        if place < 0:
            return None
        model.changeColCost(place, -float(side))
        model.setOptionValue("time_limit", model.getRunTime() + seconds if np.isfinite(seconds) else np.inf)
        model.run()
        status = model.getModelStatus()
        solution, basis = model.getSolution(), model.getBasis()
        model.changeColCost(place, 0.0)
        if status != self._kinds.kOptimal:
            return None
        basic = np.array([kind == self._basic for kind in basis.col_status], np.bool_)
        values = np.asarray(solution.col_value) * self._unit
        return -side * np.asarray(solution.row_dual), self._made_whole(values, basic)

    def _made_whole(self, values: Floats, basic: Any) -> Ints | None:
        """The vertex in whole numbers: nonbasic cells as they are, basic ones corrected until every sum is exact."""
        equations = self.equations
        x = equations.least.copy()
        most = self._width.astype(np.float64)
        near = np.rint(np.clip(values, 0.0, most))
        x[self._open] += np.where(near >= most, self._width, near.astype(np.int64))
        columns = np.flatnonzero(basic)
        dense: Any = None
        for _ in range(4):
            left = equations.left(x)
            if not left.any():
                return x if equations.has(x) else None
            if left.size * columns.size > REPAIR or not columns.size:
                return None
            if dense is None:
                dense = self._matrix[:, columns].toarray()
            change = np.linalg.lstsq(dense, left.astype(np.float64), rcond=None)[0]
            if not (np.abs(change) < 2.0**61).all():
                return None
            x[self._open[columns]] += np.rint(change).astype(np.int64)
        return None


class IntegerQuestions:
    """Is there a table with a cell in a range? `exact` says whether the answer "infeasible" is that of CP-SAT."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.exact = importlib.util.find_spec("ortools") is not None
        self._child: subprocess.Popen[str] | None = None

    def ask(self, cell: int, low: int, high: int, seconds: float) -> tuple[str, Ints | None]:
        """ "feasible" with the table, "infeasible" or "unknown"."""
        equations = self.equations
        if not max(low, int(equations.least[cell])) <= min(high, int(equations.top[cell])):
            return "infeasible", None
        lower, upper = equations.least.copy(), equations.top.copy()
        lower[cell], upper[cell] = max(low, int(lower[cell])), min(high, int(upper[cell]))
        status, table = self._solved(lower, upper, max(0.1, min(20.0, seconds)))
        good = table is not None and equations.has(table) and lower[cell] <= table[cell] <= upper[cell]
        if status == "feasible" and not good:
            return "unknown", None
        return status, table

    def _solved(self, lower: Ints, upper: Ints, seconds: float) -> tuple[str, Ints | None]:
        width = float((upper - lower).astype(np.float64).sum())
        if self.exact:
            return self._by_cpsat(lower, upper, seconds) if width < LARGE else ("unknown", None)
        return self._by_highs(lower, upper, seconds) if width < FLOATING else ("unknown", None)

    def _by_cpsat(self, lower: Ints, upper: Ints, seconds: float) -> tuple[str, Ints | None]:
        question = {
            "lower": [0] * lower.size,
            "upper": (upper - lower).tolist(),
            "rows": [row.tolist() for row in self.equations.rows()],
            "sums": self.equations.left(lower).tolist(),
            "seconds": seconds,
        }
        try:
            if self._child is None:
                command = [sys.executable, str(Path(__file__).with_name("child.py"))]
                self._child = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
                )
            assert self._child.stdin is not None and self._child.stdout is not None
            self._child.stdin.write(json.dumps(question) + "\n")
            self._child.stdin.flush()
            answer = json.loads(self._child.stdout.readline())
        except (OSError, ValueError):
            self.close()
            return "unknown", None
        table = None if answer["table"] is None else lower + np.array(answer["table"], np.int64)
        return answer["status"], table

    def _by_highs(self, lower: Ints, upper: Ints, seconds: float) -> tuple[str, Ints | None]:
        import highspy

        rows = self.equations.rows()
        model = highspy.Highs()
        model.setOptionValue("output_flag", False)
        model.setOptionValue("threads", 1)
        model.setOptionValue("time_limit", seconds)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = lower.size, len(rows)
        program.col_cost_ = np.zeros(lower.size)
        program.col_lower_, program.col_upper_ = np.zeros(lower.size), (upper - lower).astype(np.float64)
        program.row_lower_ = program.row_upper_ = self.equations.left(lower).astype(np.float64)
        program.integrality_ = [highspy.HighsVarType.kInteger] * lower.size
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.concatenate([[0], np.cumsum([row.size for row in rows])]).astype(np.int32)
        program.a_matrix_.index_ = np.concatenate(rows).astype(np.int32)
        program.a_matrix_.value_ = np.ones(sum(row.size for row in rows))
        model.passModel(program)
        model.run()
        status = model.getModelStatus()
        if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
            return "infeasible", None
        if status != highspy.HighsModelStatus.kOptimal:
            return "unknown", None
        return "feasible", lower + np.rint(np.asarray(model.getSolution().col_value)).astype(np.int64)

    def close(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with suppress(OSError):  # a question that the dead process never read
                    stream.close()
        child.wait()
