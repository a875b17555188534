"""Small problems that need the kernels of one step: where nothing is compiled yet, each has its process."""

from __future__ import annotations

import numpy as np

from discreet.kernels.randoms import seeded
from discreet.tables.sharpen.fibre_search import Sweep, descend, jump
from discreet.tables.table import Ints, Table
from discreet.tables.theory.lattice import Lattice, lattice_of

COUNTS = np.array([1, 0, 2, 3, 1, 0, 4, 2, 1, 3, 0, 2])
SHAPE, PAIRS = (3, 2, 2), ((0, 1), (0, 2), (1, 2))
MOST = int(COUNTS.sum())


def _lattice() -> Lattice:
    return lattice_of(SHAPE, PAIRS)


def _nothing_pinned() -> np.ndarray:
    return np.zeros(COUNTS.size, bool)


def compile_shuttle() -> None:
    """Outer bounds, a first table, and what a state keeps of both."""
    from discreet.tables.bounds.whole_table import first_tables
    from discreet.work import Deadline, Reporter

    table = Table.from_array(COUNTS.reshape(SHAPE))
    margins = table.margins([[table.names[axis] for axis in pair] for pair in PAIRS])
    for part in first_tables(margins, Deadline(None), Reporter(None)).parts:
        if part.state is not None:
            part.state.open_arrays()
            part.state.admit_all(COUNTS[None])
            part.state.compact()


def compile_walk() -> None:
    """Walks along edges, from a table of counts to the ends of two cells."""
    from discreet.tables.sharpen.simplex_walk import SimplexWalk
    from discreet.tables.theory.dictionary import dictionary

    known = dictionary(_lattice(), _nothing_pinned())
    assert known is not None
    lower, upper = _bounds()
    SimplexWalk(known, lower, upper).run(_sweep(), 100, 3, seeded(0))


def compile_jumps() -> None:
    """Moves, and searches by them."""
    from discreet.tables.theory.basic_moves import basic_moves

    moves = basic_moves(_lattice(), _nothing_pinned())
    lower, upper = _bounds()
    descend(COUNTS.copy(), COUNTS + 0.5, np.ones(COUNTS.size), moves, 1000, seeded(0))
    jump(COUNTS.copy(), lower, upper, moves, 1000, seeded(0))


def _bounds() -> tuple[Ints, Ints]:
    return np.zeros(COUNTS.size, np.int64), np.full(COUNTS.size, MOST)


def _sweep() -> Sweep:
    lower, upper = _bounds()
    tables = np.zeros((4, COUNTS.size), np.int64)
    tables[0] = COUNTS
    none = np.zeros(COUNTS.size, np.int64)
    return Sweep(
        np.array([0, 1]), np.array([1, -1]), lower, upper, COUNTS.copy(), COUNTS.copy(), none, none.copy(), tables, 1, 1
    )
