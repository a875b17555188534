from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.table_cases import small_tables

from discreet.tables.state.atom import AtomState
from discreet.tables.table import Margins, Table
from discreet.tables.theory.dictionary import dictionary
from discreet.tables.theory.lattice import Lattice


def known_state(table: Table, margins: Margins) -> AtomState:
    lattice = Lattice(margins.shape, tuple(margins.values))
    state = AtomState(lattice, {g: margins.values[g] for g in lattice.generators})
    assert state.shuttle()
    assert state.admit(table.dense().reshape(-1))
    return state


@given(small_tables())
@settings(max_examples=80, deadline=None)
def test_the_dictionary_spans_what_leaves_margins_and_pinned_cells_alone(case: tuple[Table, Margins]) -> None:
    table, margins = case
    state = known_state(table, margins)
    pinned = state.lower == state.upper
    known = dictionary(state.lattice, pinned)
    assert known is not None
    directions = np.zeros((known.nonbasic.size, state.lattice.size), np.int64)
    directions[np.arange(known.nonbasic.size), known.nonbasic] = 1
    directions[:, known.basic] = known.matrix.T
    for direction in directions:
        assert not state.lattice.multiply(direction).any()
    # Directions that change pinned cells are left out exactly where the pinned basic cells say so.
    rest = [b for b in known.basic if pinned[b]]
    kernel = state.lattice.coordinates.T
    free = kernel.shape[0] - np.linalg.matrix_rank(kernel[:, pinned]) if pinned.any() else kernel.shape[0]
    assert known.nonbasic.size - (np.linalg.matrix_rank(directions[:, rest]) if rest else 0) == free
