"""A table with the margins inside one of several boxes, by jumps from a first table: found, or perhaps overlooked."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from discreet.kernels.randoms import seeded
from discreet.tables.sharpen.fibre_search import jump
from discreet.tables.sharpen.first_table import first_table
from discreet.tables.sharpen.integer_program import IntegerSearch
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints
from discreet.tables.theory.basic_moves import basic_moves
from discreet.work import Deadline

# Cells evaluated by a jump.
JUMP_WORK = 2_000_000


def table_in_box(state: AtomState, boxes: Iterable[tuple[Ints, Ints]], deadline: Deadline) -> Ints | None:
    """A table inside one of the boxes (least and greatest counts); None where none was found.

    With a `WorkLimit` what is found is a function of the margins and the boxes.
    """
    if first_table(state, IntegerSearch(allowed=False), deadline) != "found":
        return None
    moves, random = basic_moves(state.lattice, state.lower == state.upper), seeded(20)
    for low, high in boxes:
        if deadline.passed:
            break
        deadline.spend(low.size)
        x = state.tables[0].copy()
        box = np.maximum(low, state.lower), np.minimum(high, state.upper)
        if (box[0] <= box[1]).all() and jump(x, *box, moves, JUMP_WORK, random, deadline):
            return x
    return None
