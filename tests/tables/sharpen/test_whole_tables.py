"""From fractions to whole tables: what a nudge and a dive end at is a table in the box with the wanted count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracles.table_cases import small_tables
from oracles.tables import all_tables

from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen import pivots, whole_tables
from discreet.tables.table import Margins, Table
from discreet.tables.theory.dictionary import dictionary


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels as Python runs them: they have no entry from outside."""
    for name in ("_entering", "_ratio", "_pivot"):
        monkeypatch.setattr(pivots, name, getattr(pivots, name).py_func)
    monkeypatch.setattr(whole_tables, "toward", pivots.toward.py_func)


@given(small_tables(), st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_dive_that_succeeds_ends_at_a_table_with_the_wanted_count(
    case: tuple[Table, Margins], data: st.DataObject
) -> None:
    table, margins = case
    state = whole_state(margins)
    known = dictionary(state.lattice, state.lower == state.upper)
    assert known is not None
    assume(known.nonbasic.size > 0)
    every = {np.asarray(x).reshape(-1).tobytes(): x.reshape(-1) for x in all_tables(margins.shape, margins.values)}
    c = data.draw(st.sampled_from(np.flatnonzero(state.lower < state.upper).tolist()))
    target = data.draw(st.integers(int(state.lower[c]), int(state.upper[c])))
    t = pivots.tableau_of(known, state.lower, state.upper)
    t.x[:] = table.dense().reshape(-1)
    done = whole_tables.dive.py_func(t, c, target, False, 1000, np.zeros(0))
    assert np.array_equal(t.low, state.lower)
    assert np.array_equal(t.high, state.upper)
    if done:
        x = np.rint(t.x).astype(np.int64)
        assert x.tobytes() in every
        assert x[c] == target
    else:  # nothing was ever fractional where a table with the count was within reach of the linear program
        assert not any(x[c] == target for x in every.values()) or np.abs(t.x - np.rint(t.x)).max() > pivots.WHOLE


def halves(high: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Cells 0 and 1 are 0.5 and 1.5 and move by 1/2 and −1/2 with cell 2, which is 1; cell 3 moves neither."""
    dense = np.array([[1.0, 0.0], [-1.0, 0.0]])
    return dense, np.array([0.5, 1.5, 1.0, 1.0]), np.zeros(4, np.int64), np.full(4, high)


@pytest.mark.parametrize(("target", "expected"), [(1, [1, 1, 2, 1]), (0, [0, 2, 0, 1])])
def test_a_nudge_steps_to_the_side_where_the_wanted_count_is(target: int, expected: list[int]) -> None:
    dense, x, low, high = halves(9)
    assert whole_tables.nudge.py_func(dense, 2.0, np.array([0, 1]), np.array([2, 3]), x, low, high, 0, target)
    assert x.tolist() == expected


def test_a_nudge_that_leaves_the_box_or_misses_the_count_changes_nothing() -> None:
    for target, most in ((1, 1), (5, 9)):
        dense, x, low, high = halves(most)
        before = x.copy()
        basic, nonbasic = np.array([0, 1]), np.array([2, 3])
        assert not whole_tables.nudge.py_func(dense, 2.0, basic, nonbasic, x, low, high, 0, target)
        assert np.array_equal(x, before)


def test_what_is_whole_needs_no_nudge() -> None:
    dense, _, low, high = halves(9)
    x = np.array([1.0, 1.0, 2.0, 1.0])
    for target in (0, 1):
        found = whole_tables.nudge.py_func(dense, 2.0, np.array([0, 1]), np.array([2, 3]), x, low, high, 0, target)
        assert found == (target == 1)
