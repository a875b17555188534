from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import all_tables

from discreet.tables.draw.counting import Enumeration, _estimate
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Margins, Table
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline, Reporter


def state_of(table: Table, margins: Margins) -> AtomState:
    lattice = Lattice(margins.shape, tuple(margins.values))
    state = AtomState(lattice, {g: margins.values[g] for g in lattice.generators})
    assert state.shuttle()
    assert state.admit(table.dense().reshape(-1))
    return state


@given(small_tables())
@settings(max_examples=60)
def test_every_table_is_counted_once(case: tuple[Table, Margins]) -> None:
    table, margins = case
    state = state_of(table, margins)
    search = Enumeration(state.lattice, state.right_side, state.lower, state.upper)
    expected = {tuple(x.reshape(-1).tolist()) for x in all_tables(margins.shape, margins.values)}
    assert search.count() == len(expected)
    found = search.tables(np.arange(len(expected)))
    assert {tuple(row) for row in found.tolist()} == expected


def test_work_is_bounded() -> None:
    table = random_table(0, (3, 3, 3, 3), 5.0)
    state = state_of(table, all_ways(table, 2))
    assert Enumeration(state.lattice, state.right_side, state.lower, state.upper).count(100_000) is None


def test_the_estimate_is_within_its_error() -> None:
    table = random_table(4, (3, 3, 3), 6.0)
    state = state_of(table, all_ways(table, 2))
    exact = Enumeration(state.lattice, state.right_side, state.lower, state.upper).count(1 << 40)
    import discreet.tables.draw.counting as counting

    small = counting.Enumeration.count
    try:
        counting.Enumeration.count = lambda self, limit=0, deadline=None: small(self, 2_000)  # type: ignore[method-assign]
        found = _estimate(state, Deadline(None), Reporter(None), 1, None)
    finally:
        counting.Enumeration.count = small  # type: ignore[method-assign]
    assert not found.exact
    assert 0 < found.log_error < 0.5
    assert abs(np.log(found.value / exact)) < 4 * found.log_error


def test_time_ends_the_counting() -> None:
    table = random_table(0, (3, 3, 3, 3), 50.0)
    state = state_of(table, all_ways(table, 2))
    search = Enumeration(state.lattice, state.right_side, state.lower, state.upper)
    assert search.count(1 << 50, Deadline(0.5)) is None
    small = state_of(random_table(4, (2, 2, 2), 6.0), all_ways(random_table(4, (2, 2, 2), 6.0), 2))
    quick = Enumeration(small.lattice, small.right_side, small.lower, small.upper)
    assert quick.count(deadline=Deadline(60.0)) == quick.count()
    found = _estimate(state, Deadline(0.0), Reporter(None), 1, None)
    assert not found.exact
    assert found.log_error == float("inf")
