"""What is known of an atom: kept between questions, told to whoever asked, and counted for wanted cells only."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import all_ways, random_table

from discreet.tables.bounds.whole_table import solve
from discreet.tables.state.atom import AtomState
from discreet.tables.theory.lattice import Lattice


def test_the_state_can_be_saved_and_loaded() -> None:
    table = random_table(3, (2, 2, 2, 2), 6.0)
    state = solve(all_ways(table, 2)).parts[0].state
    again = AtomState(Lattice(state.lattice.shape, state.lattice.generators), state.margins)
    again.recall(state.to_arrays())
    assert not again.open_sides()
    assert np.array_equal(again.lower, state.lower)
    assert np.array_equal(again.upper, state.upper)


def test_tables_are_kept_as_far_as_they_fit() -> None:
    state = solve(all_ways(random_table(3, (2, 2, 2, 2), 6.0), 2)).parts[0].state
    row = 8 * state.lattice.size
    assert len(state.tables) > 3
    assert [len(state.to_arrays(limit)["tables"]) for limit in (0, row, 3 * row)] == [1, 1, 3]


def test_tables_of_other_margins_are_not_recalled() -> None:
    one, two = random_table(3, (2, 2, 2), 6.0), random_table(4, (2, 2, 2), 6.0)
    state, other = (solve(all_ways(table, 2)).parts[0].state for table in (one, two))
    again = AtomState(Lattice(state.lattice.shape, state.lattice.generators), state.margins)
    again.recall({**state.to_arrays(), "tables": other.to_arrays()["tables"]})
    assert not again.feasible


def test_only_wanted_cells_have_open_sides_and_every_move_is_told() -> None:
    table = random_table(5, (3, 3, 3), 2.0)
    margins = all_ways(table, 2)
    state = AtomState(Lattice(margins.shape, tuple(margins.values)), margins.values)
    told = []
    state.moved = lambda: told.append(state.open_count)
    state.wanted[:] = False
    state.wanted[[0, 7]] = True
    assert state.open_count == 4
    assert state.open_sides() == [(0, 1), (7, 1), (0, -1), (7, -1)]
    assert [state.is_open(cell, 1) for cell in (0, 1, 7)] == [True, False, True]
    assert state.shuttle()
    assert state.admit(table.dense().reshape(-1))
    assert not state.admit(table.dense().reshape(-1) + 1)
    state.bound_side(0, 1, int(state.inner_upper[0]))
    assert not state.is_open(0, 1)
    assert len(told) == 3
    assert told == sorted(told, reverse=True)


def test_counts_met_on_a_walk_come_with_the_table_where_it_ended() -> None:
    table = random_table(5, (2, 2, 2), 4.0)
    margins = all_ways(table, 2)
    state = AtomState(Lattice(margins.shape, tuple(margins.values)), margins.values)
    x = table.dense().reshape(-1)
    state.meet(x, x - 1, x + 2)
    assert np.array_equal(state.inner_lower, x - 1)
    assert np.array_equal(state.inner_upper, x + 2)
    assert np.array_equal(state.witness(0, 1), x)
    with pytest.raises(AssertionError, match="has left"):
        state.meet(x + 1, x, x)
