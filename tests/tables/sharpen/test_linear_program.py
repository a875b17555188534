"""Bounds that the sparse program cuts against one dense program per side."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import linear_bounds, margin_of

from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen.linear_program import LinearProgram
from discreet.tables.table import Margins, Table
from discreet.work import Deadline


@given(small_tables())
@settings(max_examples=15, deadline=None)
def test_every_side_is_cut_to_the_whole_number_inside_the_program(case: tuple[Table, Margins]) -> None:
    _, margins = case
    state = whole_state(margins)
    program = LinearProgram(state)
    low, high = linear_bounds(margins.shape, margins.values)
    asked = 0
    for cell in np.flatnonzero(state.lower < state.upper).tolist():
        for side, bound in ((1, high), (-1, low)):
            vertex = program.extreme(cell, side, Deadline(None))
            asked += 1
            assert vertex is not None
            assert abs(vertex[cell] - bound[cell]) < 1e-6
    assert np.array_equal(state.upper, np.floor(high + 1e-6))
    assert np.array_equal(state.lower, np.ceil(low - 1e-6))
    assert state.work["linear programs"] == asked
    for x in state.tables:
        assert x.min() >= 0
        assert all(np.array_equal(margin_of(x.reshape(margins.shape), g), v) for g, v in margins.values.items())


def test_a_whole_vertex_is_a_witness_of_its_side() -> None:
    margins = all_ways(random_table(1, (3, 4), 4.0), 1)
    state = whole_state(margins)
    program = LinearProgram(state)
    cell = int(np.flatnonzero(state.lower < state.upper)[0])
    assert state.is_open(cell, 1)
    vertex = program.extreme(cell, 1, Deadline(None))  # two-way tables have whole vertices only
    assert vertex is not None
    assert not state.is_open(cell, 1)
    assert state.witness(cell, 1)[cell] == state.upper[cell]
