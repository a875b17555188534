"""The common form of every additive table: cells that are whole numbers, and relations that hold between them.

A cell has a value in the smallest unit (persons, cents), what an intruder knows of it beforehand (`lower` ≤ y ≤
`upper`), a cost of hiding it, and a status. Relation r says Σ sign · y = right[r] over its cells: a total and its parts
have signs -1 and +1 and right side 0. Published tables that were rounded cell by cell have right sides of one or two
units.

A sensitive cell p is protected when an intruder who knows all published cells and all boxes must think it possible that
y_p ≥ a_p + above, that y_p ≤ a_p - below, and when the two ends of what is possible are at least `sliding` apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Codes = NDArray[np.int8]

# The codes of `Cells.status`, and the letters that files use for them.
PRIMARY, SECONDARY, FREE, FIXED = 0, 1, 2, 3
LETTERS = "umsz"


class Relations(NamedTuple):
    """Sparse rows: relation r has the cells `cell[start[r]:start[r + 1]]`, with signs (+1, -1) at the same places."""

    start: Ints
    cell: Ints
    sign: Codes
    right: Ints

    @property
    def n(self) -> int:
        return self.right.size

    def residuals(self, values: Ints) -> Ints:
        """What each relation misses: Σ sign · y - right. Exact while the sums of magnitudes stay below 2^63."""
        terms = self.sign.astype(np.int64) * values[self.cell]
        sums = np.zeros(terms.size + 1, np.int64)
        np.cumsum(terms, out=sums[1:])
        return sums[self.start[1:]] - sums[self.start[:-1]] - self.right


class Cells(NamedTuple):
    """One entry a cell, all whole numbers."""

    value: Ints
    lower: Ints
    upper: Ints
    cost: Ints
    status: Codes
    below: Ints
    above: Ints
    sliding: Ints

    @property
    def n(self) -> int:
        return self.value.size

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Cells that are not published: primaries and secondaries."""
        return self.status <= SECONDARY


class Problem(NamedTuple):
    """Cells and what holds between them."""

    cells: Cells
    relations: Relations

    @property
    def totals(self) -> NDArray[np.bool_]:
        """Cells that are the total of a relation: the others are innermost."""
        found = np.zeros(self.cells.n, np.bool_)
        found[self.relations.cell[self.relations.sign < 0]] = True
        return found
