"""All inequalities found so far, each once: capacity rows and their roundings, and bridge rows.

A bridge row says Σ_{i in relation, i ≠ h} x_i ≥ x_h: a hidden cell that is alone in a relation is known exactly, so
publishing it changes nothing, and some cheapest pattern has no such cell. It holds where h is a choice and nothing in
the relation must be hidden.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.tabular.problem import Ints
from discreet.tabular.suppress.capacity import Cut
from discreet.tabular.suppress.model import Floats, Model


class Row(NamedTuple):
    """Σ value · x[cell] ≥ right, over all cells that are a choice."""

    cell: Ints
    value: Floats
    right: float


class Pool:
    """Inequalities have numbers: a cut its place from 0 on, a bridge −1 − its place."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.cuts: list[Cut] = []
        self.bridges: list[tuple[int, int]] = []
        self._seen: set[bytes | tuple[int, int]] = set()

    def add(self, cut: Cut | None) -> int | None:
        """The number of a row that is new."""
        if cut is None or not cut.cell.size:
            return None
        key = cut.cell.tobytes() + np.round(cut.scaled, 7).tobytes()
        if key in self._seen:
            return None
        self._seen.add(key)
        self.cuts.append(cut)
        return len(self.cuts) - 1

    def add_bridge(self, relation: int, alone: int) -> int | None:
        if (relation, alone) in self._seen:
            return None
        self._seen.add((relation, alone))
        self.bridges.append((relation, alone))
        return -len(self.bridges)

    def row(self, number: int) -> Row:
        if number >= 0:
            cut = self.cuts[number]
            return Row(cut.cell, cut.scaled, 1.0)
        relation, alone = self.bridges[-1 - number]
        matrix = self.model.matrix
        cells = matrix.indices[matrix.indptr[relation] : matrix.indptr[relation + 1]].astype(np.int64)
        cells = cells[self.model.free[cells]]
        return Row(cells, np.where(cells == alone, -1.0, 1.0), 0.0)

    def fine(self, number: int, bits: int) -> tuple[Ints, Ints, int]:
        """Cells, coefficients in units of 2^-bits rounded up, and right side: whole numbers throughout."""
        cells, value, _ = self.row(number)
        if number < 0:
            return cells, value.astype(np.int64) << bits, 0
        cut = self.cuts[number]
        # A float is off by less than the addition.
        near = np.floor(value * 2.0**bits + 1e-5).astype(np.int64) + 1
        return cells, np.where(cut.coefficient == cut.right, 1 << bits, near), 1
