"""The master program: choose cells at the least cost under the inequalities found so far, as a linear program.

Reduced-cost fixing: costs are whole, so a cell is in no pattern cheaper than the incumbent if the bound with that cell
chosen exceeds the incumbent's cost − 1. It is tested in whole numbers and the cell leaves every program.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from discreet.solvers.warm_lp import Box, WarmLp, WarmSolution
from discreet.tabular.problem import Ints
from discreet.tabular.suppress.capacity import Cut, stronger
from discreet.tabular.suppress.model import Flags, Floats, Model
from discreet.tabular.suppress.pool import Pool
from discreet.tabular.suppress.proof import Proof, proof_of

_BRIDGES = 500  # rows at once
_STRENGTHENED = 300  # likewise


class Master:
    """`cells` are the columns, `rows` the numbers of the inequalities in the program.

    `fixings` are the proofs by which cells were closed, in order: each holds where the earlier ones do.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.pool = Pool(model)
        self.rows: list[int] = []
        self.fixings: list[tuple[Proof, Ints]] = []
        self._build()

    def _build(self) -> None:
        """The program over the cells that are still open."""
        self.cells = np.flatnonzero(self.model.open)
        self.place = np.full(self.model.count, -1, np.int64)
        self.place[self.cells] = np.arange(self.cells.size)
        k = self.cells.size
        nothing = np.zeros(0)
        box = Box(np.zeros(k), np.ones(k))
        self._lp = WarmLp(sp.csr_matrix((0, k)), self.model.cost[self.cells], box, Box(nothing, nothing))
        kept, self.rows = self.rows, []
        for number in kept:
            self._enter(number)

    def _enter(self, number: int) -> None:
        row = self.pool.row(number)
        at = self.place[row.cell]
        self._lp.add_row(row.right, at[at >= 0], row.value[at >= 0])
        self.rows.append(number)

    def matrix(self) -> tuple[sp.csr_matrix, Floats]:
        """Rows and right sides of the program."""
        rows = [self.pool.row(number) for number in self.rows]
        at = [self.place[row.cell] for row in rows]
        values = np.concatenate([row.value[a >= 0] for row, a in zip(rows, at)] or [np.zeros(0)])
        index = np.concatenate([a[a >= 0] for a in at] or [np.zeros(0, np.int64)])
        start = np.concatenate(([0], np.cumsum([int((a >= 0).sum()) for a in at])))
        shape = (len(rows), self.cells.size)
        return sp.csr_matrix((values, index, start), shape=shape), np.array([row.right for row in rows])

    def solve(self, iterations: int | None = None) -> WarmSolution:
        return self._lp.run(iterations)

    def restrict(self, zero: Flags, one: Flags) -> None:
        """Hold cells at 0 or 1, and only those."""
        low = one[self.cells].astype(np.float64)
        high = (self.model.open & ~zero)[self.cells].astype(np.float64)
        self._lp.set_boxes(low, np.maximum(low, high))

    def basis(self) -> Any:
        return self._lp.basis()

    def restore(self, basis: Any) -> None:
        self._lp.restore(basis)

    def hold(self, cell: int, low: float, high: float) -> None:
        self._lp.set_box(int(self.place[cell]), low, high)

    def ray(self) -> Floats | None:
        return self._lp.ray()

    def spread(self, x: Floats) -> Floats:
        """A solution for all cells of the table: 1 on those that must be hidden."""
        everywhere = self.model.forced.astype(np.float64)
        everywhere[self.cells] = np.clip(x, 0.0, 1.0)
        return everywhere

    def add(self, cut: Cut | None) -> bool:
        """A new row, unless it is there already."""
        number = self.pool.add(cut)
        if number is None:
            return False
        self._enter(number)
        return True

    def add_bridges(self, x: Floats) -> int:
        """Bridge rows that x violates, the most violated first."""
        model = self.model
        start, cell = model.matrix.indptr, model.matrix.indices
        total = np.concatenate(([0.0], np.cumsum(x[cell])))
        hidden = np.concatenate(([0], np.cumsum(model.forced[cell])))
        sums, blocked = total[start[1:]] - total[start[:-1]], hidden[start[1:]] > hidden[start[:-1]]
        relation = np.repeat(np.arange(start.size - 1), np.diff(start))
        violation = np.where(model.open[cell] & ~blocked[relation], 2 * x[cell] - sums[relation], 0.0)
        found = np.flatnonzero(violation > 0.05)
        found = found[np.argsort(-violation[found], kind="stable")][:_BRIDGES]
        added = 0
        for at in found.tolist():
            number = self.pool.add_bridge(int(relation[at]), int(cell[at]))
            if number is not None:
                self._enter(number)
                added += 1
        return added

    def strengthen(self, x: Floats) -> int:
        """Covers and roundings of the rows in the program that x violates."""
        numbers = [number for number in self.rows if number >= 0]
        added = 0
        for number in numbers:
            added += self.add(stronger(self.model, self.pool.cuts[number], x))
            if added >= _STRENGTHENED:
                break
        return added

    def fix(self, solution: WarmSolution, incumbent: float) -> int:
        """Close cells that no pattern cheaper than the incumbent uses; how many."""
        target = incumbent - self.model.constant - 1
        likely = self.cells[(solution.x < 1e-9) & (solution.reduced > max(target - solution.value, 0.0) + 1e-6)]
        likely = likely[self.model.open[likely]]
        if not likely.size:
            return 0
        proof = proof_of(self.pool, self.rows, solution.duals)
        if proof is None:
            return 0
        bound = proof.bound(~self.model.open, np.zeros(self.model.count, np.bool_))
        gone = likely[bound + np.maximum(proof.reduced[likely], 0) > int(target) * proof.denominator]
        if gone.size:
            self.model.close(gone)
            self.fixings.append((proof, gone))
            at = self.place[gone]
            self._lp.set_boxes(np.zeros(at.size), np.zeros(at.size), at)
            if 2 * int(self.model.open[self.cells].sum()) < self.cells.size:
                self._build()
        return int(gone.size)
