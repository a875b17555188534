"""A first table is found from the margins alone, or it is proven that there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracles.table_cases import small_tables
from oracles.tables import margin_of

from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen import first_table as first
from discreet.tables.sharpen.first_table import first_table
from discreet.tables.sharpen.integer_program import IntegerSearch
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Margins, Table
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline

THREE = ((0, 1), (1, 2), (0, 2))


@given(small_tables())
@settings(max_examples=40, deadline=None)
def test_found_where_there_is_one_and_it_has_the_margins(case: tuple[Table, Margins]) -> None:
    _, margins = case
    state = whole_state(margins)
    assert first_table(state, IntegerSearch(allowed=False), Deadline(60)) == "found"
    x = state.tables[0]
    assert x.min() >= 0
    assert all(np.array_equal(margin_of(x.reshape(margins.shape), g), v) for g, v in margins.values.items())


def pinned(diagonal: int) -> AtomState:
    """Bounds that meet at one array, whatever its margins are."""
    state = AtomState(Lattice((2, 2), ((0,), (1,))), {(0,): np.array([3, 3]), (1,): np.array([3, 3])})
    value = np.array([diagonal, 3 - diagonal, 3 - diagonal, diagonal])
    state.lower[:], state.upper[:] = value, value
    return state


def test_bounds_that_meet_are_the_table_or_there_is_none() -> None:
    state = pinned(1)
    assert first_table(state, IntegerSearch(allowed=False), Deadline(60)) == "found"
    assert state.tables[0].tolist() == [1, 2, 2, 1]
    state = pinned(1)
    state.lower[0] = state.upper[0] = 2
    assert first_table(state, IntegerSearch(allowed=False), Deadline(60)) == "none"


def test_without_time_nothing_is_said() -> None:
    table = Table.from_array(np.array([[2, 1], [1, 2]]))
    state = whole_state(table.margins([["V1"], ["V2"]]))
    assert first_table(state, IntegerSearch(allowed=False), Deadline(0)) == "unknown"
    assert not state.feasible


def test_that_there_is_none_is_proven_by_the_integer_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pair of variables is opposed, which three cannot be; without the solver nothing is proven."""
    pytest.importorskip("ortools")
    monkeypatch.setattr(first, "BUDGET", 10_000)
    odd = np.array([[0, 1], [1, 0]])
    state = AtomState(Lattice((2, 2, 2), THREE), dict.fromkeys(THREE, odd))
    state.lower[:], state.upper[:] = 0, 1
    assert first_table(state, IntegerSearch(allowed=False), Deadline(None)) == "unknown"
    assert first_table(state, IntegerSearch(), Deadline(60)) == "none"
