"""The answer of the integer search against a list of all tables, and what it says where it cannot answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import small_tables
from oracles.tables import all_tables

from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen import integer_program
from discreet.tables.sharpen.integer_program import NEEDS_EXTRA, TOO_LARGE, TOO_LARGE_COUNTS, IntegerSearch
from discreet.tables.table import Margins, Table


@given(small_tables(), st.integers(0, 999))
@settings(max_examples=25, deadline=None)
def test_feasible_exactly_where_a_table_is_in_the_box(case: tuple[Table, Margins], seed: int) -> None:
    pytest.importorskip("ortools")
    _, margins = case
    rng = np.random.default_rng(seed)
    state = whole_state(margins)
    every = [np.asarray(x).reshape(-1) for x in all_tables(margins.shape, margins.values)]
    search = IntegerSearch()
    for _ in range(3):
        low = rng.integers(state.lower, state.upper + 1)
        high = rng.integers(low, state.upper + 1)
        known = len(state.tables)
        there = [x for x in every if (low <= x).all() and (x <= high).all()]
        assert search.table(state, low, high, 60.0) == ("feasible" if there else "infeasible")
        if not there:
            assert len(state.tables) == known


def two_by_two(count: int) -> Margins:
    return Table.from_array(np.array([[count, 1], [1, count]])).margins([["V1"], ["V2"]])


def test_where_it_cannot_answer_it_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    state = whole_state(two_by_two(5))
    assert IntegerSearch(allowed=False).table(state, state.lower, state.upper, 60.0) == "unknown"
    assert set(state.reasons) == {NEEDS_EXTRA}
    pytest.importorskip("ortools")
    state = whole_state(two_by_two(1 << 60))
    assert IntegerSearch().table(state, state.lower, state.upper, 60.0) == "unknown"
    assert set(state.reasons) == {TOO_LARGE_COUNTS}
    monkeypatch.setattr(integer_program, "COORDINATES_LIMIT", 3)
    state = whole_state(two_by_two(5))
    assert IntegerSearch().table(state, state.lower, state.upper, 60.0) == "unknown"
    assert set(state.reasons) == {TOO_LARGE}
    assert state.work["integer programs"] == 0
