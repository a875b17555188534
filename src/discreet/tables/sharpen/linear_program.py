"""The linear program of a state, in a sparse solver: bounds proven in whole numbers, and tables at whole vertices."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.lp import ExtremeLp, certified_bound, floor_bound
from discreet.tables.state.atom import AtomState
from discreet.work import Deadline

Floats = NDArray[np.float64]


class LinearProgram:
    """The linear program of a state in a sparse solver, for the bounds it had at first."""

    def __init__(self, state: AtomState) -> None:
        starts, cells = state.lattice.matrix
        self._state = state
        self._low, self._high = state.lower.copy(), state.upper.copy()
        self._lp = ExtremeLp(starts, cells, state.right_side, self._low, self._high)
        ones = np.ones(cells.size, np.int64)
        matrix = sp.csr_matrix((ones, cells, starts), shape=(state.right_side.size, state.lattice.size))
        self._transposed = sp.csr_matrix(matrix.T)

    def extreme(self, cell: int, side: int, deadline: Deadline) -> Floats | None:
        """Cut the bound of a side and take a whole vertex into account; the vertex, None where time was up."""
        state = self._state
        solution = self._lp.extreme(cell, side, None if deadline.limit is None else deadline.remaining)
        state.work["linear programs"] += 1
        if solution.status != "optimal":
            return None
        bound = certified_bound(self._transposed, state.right_side, self._low, self._high, solution.duals, cell, side)
        state.bound_side(cell, side, floor_bound(bound, side))
        vertex = self._lp.whole(solution.x)
        if vertex is not None:
            state.admit(vertex)
        return solution.x
