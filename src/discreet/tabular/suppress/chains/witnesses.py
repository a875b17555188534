"""Witnesses of sensitive cells, as sums of chain moves, and the cells that are hidden for them.

A witness of cell p has two moves, one that raises p by as much as its level asks and one that lowers it. A single
product of chains that has room for both is taken where there is one; else products are added up, each by the room that
the ones before it leave. A cell is hidden while some witness uses it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.tabular.problem import FIXED, FREE, SECONDARY, Ints, Problem
from discreet.tabular.suppress.chains.lattice import Lattice, balanced
from discreet.tabular.suppress.chains.moves import BAD, Leeway, cheapest, spelled, work_of

Flags = NDArray[np.bool_]
# Products that are added up for one cell, at most.
_TERMS = 16
_NONE = np.zeros(0, np.int64)


class Witness(NamedTuple):
    """For sensitive cell `owner` the cells that move, by how much when it rises and when it falls.

    Cells whose moves a linear program found have no changes in whole numbers here: the audit looks for them.
    """

    owner: int
    cell: Ints
    rise: Ints | None
    fall: Ints | None


def wanted(problem: Problem, cell: int) -> tuple[int, int]:
    """How far a cell must be able to rise and to fall; what a sliding level asks beyond that is put where room is."""
    cells = problem.cells
    above, below = int(cells.above[cell]), int(cells.below[cell])
    more = int(cells.sliding[cell]) - above - below
    if more > 0:
        rise = min(more, max(0, int(cells.upper[cell] - cells.value[cell]) - above))
        above, below = above + rise, below + more - rise
    return above, below


class Pattern:
    """Which cells witnesses use, and what that costs."""

    def __init__(self, problem: Problem, lattice: Lattice | None, seed: int) -> None:
        cells, relations = problem
        self.problem, self.lattice, self._seed = problem, lattice, seed
        self.forced: Flags = cells.status <= SECONDARY
        self.cost: Ints = np.where(cells.status == FREE, cells.cost, 0)
        price = np.where(self.forced, 0.0, np.where(cells.status == FIXED, BAD, self.cost.astype(np.float64)))
        self.room = Leeway(price, np.maximum(cells.upper - cells.value, 0), np.maximum(cells.value - cells.lower, 0))
        self.uses = np.zeros(cells.n, np.int64)
        self._work = None if lattice is None else work_of(lattice)
        shape = relations.n, cells.n
        rows = sp.csr_matrix((relations.sign.astype(np.int64), relations.cell, relations.start), shape).tocsc()
        self._rows = rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data
        self._sums = np.zeros(relations.n, np.int64)

    @property
    def hidden(self) -> Flags:
        return np.asarray(self.forced | (self.uses > 0))

    def add(self, witness: Witness) -> None:
        self.uses[witness.cell] += 1
        self.room.price[witness.cell] = 0.0

    def drop(self, witness: Witness) -> int:
        """Let a witness go; what is published again then, in costs."""
        self.uses[witness.cell] -= 1
        freed = witness.cell[(self.uses[witness.cell] == 0) & ~self.forced[witness.cell]]
        self.room.price[freed] = self.cost[freed]
        return int(self.cost[freed].sum())

    def price_of(self, witness: Witness) -> float:
        """What a witness would cost in addition."""
        return float(self.room.price[witness.cell].sum())

    def find(self, owner: int, want: tuple[int, int], barred: Ints = _NONE, starts: int = 4) -> Witness | None:
        """A cheap witness in which the cells `barred` do not move; None where none was found."""
        up, down = self.room.up[barred].copy(), self.room.down[barred].copy()
        self.room.up[barred] = self.room.down[barred] = 0
        try:
            return self._whole(owner, want, starts) or self._parts(owner, want, starts)
        finally:
            self.room.up[barred], self.room.down[barred] = up, down

    def _product(self, owner: int, want: tuple[int, int], whole: bool, starts: int) -> tuple[Ints, Ints] | None:
        """The cells of the best product and their signs, if it keeps every relation."""
        if self.lattice is None or self._work is None:
            return None
        asked = np.array(want, np.int64)
        seed = (self._seed * 1_000_003 + owner) & 0x7FFFFFFF
        if cheapest(self.lattice, self.room, self._work, owner, asked, whole, starts, seed) >= BAD / max(1, sum(want)):
            return None
        size = spelled(self.lattice, self._work, owner)
        cell, sign = self._work.cell[:size].copy(), self._work.move[:size].copy()
        return (cell, sign) if balanced(*self._rows, cell, sign, self._sums) else None

    def _whole(self, owner: int, want: tuple[int, int], starts: int) -> Witness | None:
        found = self._product(owner, want, True, starts)
        if found is None:
            return None
        cell, sign = found
        return Witness(owner, cell, sign * want[0], -sign * want[1])

    def _parts(self, owner: int, want: tuple[int, int], starts: int) -> Witness | None:
        """Several products one after the other, each in the room that is left."""
        rise: dict[int, int] = {}
        fall: dict[int, int] = {}
        kept: dict[int, tuple[float, int, int]] = {}
        room, left = self.room, list(want)
        try:
            for _ in range(_TERMS):
                found = self._product(owner, (left[0], left[1]), False, starts)
                if found is None:
                    return None
                self._take(found, left, rise, fall, kept)
                if not any(left):
                    cell = np.array(sorted(kept), np.int64)
                    changes = (np.array([own.get(i, 0) for i in cell.tolist()], np.int64) for own in (rise, fall))
                    return Witness(owner, cell, *changes)
            return None
        finally:
            for i, (price, up, down) in kept.items():
                room.price[i], room.up[i], room.down[i] = price, up, down

    def _take(
        self,
        found: tuple[Ints, Ints],
        left: list[int],
        rise: dict[int, int],
        fall: dict[int, int],
        kept: dict[int, tuple[float, int, int]],
    ) -> None:
        """Add a product to both moves as far as each has room, and leave that much less of it.

        A cell has one room up and one down, while the two moves use them apart: what is left for one is what the other
        may have as well, so that rooms are those of the more used one.
        """
        room = self.room
        cell, sign = found
        ahead = np.where(sign > 0, room.up[cell], room.down[cell])
        back = np.where(sign > 0, room.down[cell], room.up[cell])
        amounts = min(left[0], int(ahead.min())), min(left[1], int(back.min()))
        for i, s in zip(cell.tolist(), sign.tolist()):
            kept.setdefault(i, (float(room.price[i]), int(room.up[i]), int(room.down[i])))
            rise[i] = rise.get(i, 0) + s * amounts[0]
            fall[i] = fall.get(i, 0) - s * amounts[1]
            _, up, down = kept[i]
            room.up[i] = min(up - rise[i], up - fall[i])
            room.down[i] = min(down + rise[i], down + fall[i])
            room.price[i] = 0.0
        left[0], left[1] = left[0] - amounts[0], left[1] - amounts[1]
