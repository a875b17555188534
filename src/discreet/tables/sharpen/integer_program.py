"""Is there an integer table inside these bounds? Asked of CP-SAT, in the coordinates of the lattice.

Only the free cells are variables; each other cell is an affine function of them and becomes a row (see `lattice`).
That is far smaller than one variable per cell and one row per margin count, and needs no first table.
"""

from __future__ import annotations

import time
from functools import cached_property
from typing import Literal

import numpy as np

from discreet.solvers import cpsat
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints

NEEDS_EXTRA = (
    "some sides need an integer solver to be closed: install the extra `exact` (pip install 'discreet[exact]')"
)


TOO_LARGE = "an atom is too large for the integer solver: sides that need it stay open"
TOO_LARGE_COUNTS = "counts are too large for the integer solver: sides that need it stay open"
COORDINATES_LIMIT = 1 << 26

Feasibility = Literal["feasible", "infeasible", "unknown"]


class IntegerSearch:
    """Feasibility questions on tables of one lattice; `available` is False where OR-Tools is not installed."""

    def __init__(self, *, allowed: bool = True, limit: float = 20.0) -> None:
        self._allowed = allowed
        self._limit = limit
        self._model: cpsat.IntegerModel | None = None
        self._rows: Ints = np.zeros(0, np.int64)
        self._origin: Ints = np.zeros(0, np.int64)
        self._exact = True

    @cached_property
    def available(self) -> bool:
        return self._allowed and cpsat.available()

    def table(self, state: AtomState, low: Ints, high: Ints, remaining: float) -> Feasibility:
        """Admit a table with low ≤ x ≤ high; "feasible", "infeasible" (proven) or "unknown"."""
        if not self.available:
            state.reasons.add(NEEDS_EXTRA)
            return "unknown"
        lattice = state.lattice
        if lattice.size * lattice.degrees_of_freedom > COORDINATES_LIMIT:
            state.reasons.add(TOO_LARGE)
            return "unknown"
        began = time.monotonic()
        if self._model is None:
            self._prepare(state)
        assert self._model is not None
        if not self._exact:
            state.reasons.add(TOO_LARGE_COUNTS)
            return "unknown"
        remaining -= time.monotonic() - began
        shift = self._origin[self._rows]
        answer = cpsat.shared_worker().solve(
            self._model,
            low[lattice.free],
            high[lattice.free],
            low[self._rows] - shift,
            high[self._rows] - shift,
            time_limit=max(0.05, min(self._limit, remaining)),
        )
        state.work["integer programs"] += 1
        if answer.x is None:
            return "infeasible" if answer.status == "infeasible" else "unknown"
        x = self._origin + lattice.coordinates @ answer.x
        return "feasible" if state.admit(x) else "unknown"

    def _prepare(self, state: AtomState) -> None:
        lattice = state.lattice
        self._origin = lattice.complete(np.zeros(lattice.size, np.int64), state.right_side)
        # Sums with signs may exceed every count; in floats they cannot wrap around.
        about = lattice.complete(np.zeros(lattice.size), state.right_side.astype(np.float64))
        self._exact = bool(np.abs(about).max(initial=0.0) < 2.0**60)
        self._rows = lattice.derived
        matrix = lattice.coordinates[self._rows]
        rows, columns = np.nonzero(matrix)
        starts = np.searchsorted(rows, np.arange(self._rows.size + 1)).astype(np.int64)
        self._model = cpsat.IntegerModel(
            f"cells {lattice.shape} {lattice.generators}", starts, columns.astype(np.int64), matrix[rows, columns]
        )
