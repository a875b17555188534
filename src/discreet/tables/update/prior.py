"""Starting from what was known before one more margin was released.

Every table with the new margins has the old ones, so old outer bounds still hold. Old tables need not have the new
margin; completed by its equations they are integer tables with the margins, a few cells out of bounds, from which the
search soon finds proper ones that reach as far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints
from discreet.tables.theory.agreement import reduced_margins
from discreet.tables.theory.lattice import lattice_of
from discreet.tables.theory.margin_moves import MarginMoves, lift_table, margin_moves
from discreet.tables.theory.northwest_corner import join_all
from discreet.tables.update.margin_walk import WALK_UP_TO

if TYPE_CHECKING:
    from discreet.tables.bounds.whole_table import Solution
    from discreet.tables.theory.graph import Axes


class Prior:
    """Tables of the old fibre, which of them was furthest at each side of each cell, and how they are lifted."""

    def __init__(self, old: AtomState, tables: Ints) -> None:
        self.old = old
        self._lift: MarginMoves | None = None
        self.tables = tables

    def lift(self, state: AtomState) -> MarginMoves:
        """What brings the tables to the margins of `state`."""
        if self._lift is None:
            self._lift = margin_moves(state.lattice, self.old.lattice, state.margins)
        return self._lift

    def lifted(self, state: AtomState, cell: int, side: int, low: Ints, high: Ints) -> Ints:
        """The table that was furthest at a side, with the margins of `state`; cells may be outside the box."""
        witness = self.old.high_witness if side > 0 else self.old.low_witness
        x = self.tables[int(witness[cell])].copy()
        lift_table(x, low, high, self.lift(state))
        return x

    def source(self, cells: Ints, sides: Ints) -> Ints:
        """The table that was furthest at each of the sides."""
        return np.where(sides > 0, self.old.high_witness[cells], self.old.low_witness[cells])


def prior_of_atom(state: AtomState, atom: Axes, previous: Solution) -> Prior | None:
    """Give a fresh state the old bounds inside the atom, and the old tables that have the new margins too.

    Returns the old tables for those that do not, where they are over the same cells.
    """
    for part in previous.parts:
        if part.state is not None and part.axes == atom:
            state.lattice.borrow(part.state.lattice)
            tables = part.state.stack()
            state.adopt(part.state, tables)
            return Prior(part.state, tables) if part.state.feasible else None
    shape = state.lattice.shape
    if len(atom) == len(previous.margins.shape):
        state.tighten(previous.lower.reshape(-1), previous.upper.reshape(-1))
        return None
    for part in previous.parts:
        if part.state is not None and set(part.axes) <= set(atom):
            sizes = [shape[i] if a in part.axes else 1 for i, a in enumerate(atom)]
            upper = np.broadcast_to(part.state.upper.reshape(sizes), shape).reshape(-1)
            state.tighten(np.zeros(state.lattice.size, np.int64), upper)
    return None


def prior_of_parts(state: AtomState, previous: Solution) -> Prior | None:
    """Tables over all variables, joined from those of the parts that a new margin has made one.

    None where the state is of some of the variables only, or too large to carry tables, or needs none.
    """
    shape = previous.margins.shape
    if state.lattice.size > WALK_UP_TO or state.lattice.shape != shape or np.array_equal(state.lower, state.upper):
        return None
    parts = []
    for part in previous.parts:
        if part.counts is not None:
            counts = part.counts.reshape(1, -1)
            parts.append((counts, *(np.zeros(counts.size, np.int64),) * 2))
        elif part.state is not None and part.state.feasible:
            parts.append((part.state.stack(), part.state.high_witness, part.state.low_witness))
        else:
            return None
    old = AtomState(lattice_of(shape, previous.tree.generators, reduced=True), reduced_margins(previous.margins))
    old.tighten(previous.lower.reshape(-1), previous.upper.reshape(-1))
    old.admit_all(join_all(shape, previous.tree, parts))
    old.compact()
    return Prior(old, old.stack())
