"""The problem as the search sees it: matrix, reach of each cell, what must, may and can no longer be hidden."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Ints, Problem
from discreet.tabular.suppress.requirements import Requirements

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

# In larger tables linear programs look at so many of the cheapest cells of each relation.
_LARGE, _CHEAPEST = 5_000, 12


class Model:
    """`open` are the cells that may still be chosen: fixing by reduced costs closes them for good.

    `candidate` are those that linear programs of the intruder consider; inequalities always cover all of them.
    `up` and `down` are how far a cell may move from its value within what everybody knows of it.
    """

    def __init__(self, problem: Problem, requirements: Requirements) -> None:
        cells, relations = problem.cells, problem.relations
        self.problem, self.requirements = problem, requirements
        self.count = cells.n
        shape = (relations.n, self.count)
        self.matrix = sp.csr_matrix((relations.sign.astype(np.int64), relations.cell, relations.start), shape=shape)
        self.matrix.sum_duplicates()
        self.transposed = sp.csr_matrix(self.matrix.T)
        self.up: Ints = np.maximum(cells.upper - cells.value, 0)
        self.down: Ints = np.maximum(cells.value - cells.lower, 0)
        self.primary: Flags = cells.status == PRIMARY
        self.forced: Flags = cells.status <= SECONDARY
        self.free: Flags = cells.status == FREE
        self.open: Flags = self.free & ((self.up > 0) | (self.down > 0))
        self.cost: Floats = np.where(self.free, cells.cost, 0).astype(np.float64)
        self.constant = int(cells.cost[cells.status == SECONDARY].sum())
        self.candidate: Flags = self._cheapest() if self.count > _LARGE else np.ones(self.count, np.bool_)

    def cost_of(self, hidden: Flags) -> int:
        """What a pattern costs, beside the primaries."""
        return int(self.problem.cells.cost[hidden & ~self.primary].sum())

    def close(self, cells: Ints) -> None:
        self.open[cells] = False

    def _cheapest(self) -> Flags:
        chosen = self.forced.copy()
        start, index = self.matrix.indptr, self.matrix.indices
        for r in range(self.matrix.shape[0]):
            cells = index[start[r] : start[r + 1]]
            cells = cells[self.open[cells]]
            if cells.size > _CHEAPEST:
                order = np.lexsort((cells, self.cost[cells]))
                cells = cells[order[:_CHEAPEST]]
            chosen[cells] = True
        return chosen
