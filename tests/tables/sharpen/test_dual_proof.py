"""Any costs whatever give a bound that no table exceeds; the right ones give the bound of the linear program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracles.table_cases import small_tables
from oracles.tables import sharp_bounds

from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen import dual_proof
from discreet.tables.table import Margins, Table
from discreet.tables.theory.dictionary import Dictionary, dictionary

HUGE = float(dual_proof.LARGEST_COST)


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel as Python runs it: it has no entry from outside."""
    monkeypatch.setattr(dual_proof, "_most", dual_proof._most.py_func)


def columns_of(known: Dictionary, n: int) -> np.ndarray:
    """All basic cells nonbasic now: each has a column in the last dictionary."""
    column = np.full(n, -1, np.int64)
    column[known.basic] = np.arange(known.basic.size)
    return column


@given(small_tables(), st.data())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_costs_prove_more_than_is_true(case: tuple[Table, Margins], data: st.DataObject) -> None:
    table, margins = case
    state = whole_state(margins)
    known = dictionary(state.lattice, state.lower == state.upper)
    assert known is not None
    assume(known.nonbasic.size > 0)
    costs = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=known.basic.size, max_size=known.basic.size)))
    truth = sharp_bounds(margins.shape, margins.values)
    assert truth is not None
    x, column = table.dense().reshape(-1), columns_of(known, state.lattice.size)
    for c in [*known.basic.tolist(), *known.nonbasic.tolist()]:
        for side, bound in ((1, truth[1]), (-1, truth[0])):
            found = dual_proof.proof.py_func(known, column, costs, 1.0, x, state.lower, state.upper, c, side)
            assert side * (int(found) - int(bound.reshape(-1)[c])) >= 0


def two_by_two(most: int) -> tuple[Dictionary, np.ndarray, np.ndarray, np.ndarray]:
    """x00 = t, x01 = 4 − t, x10 = 6 − t, x11 = t: one nonbasic cell; its box is wider than what the others allow."""
    known = Dictionary(np.array([[-1], [-1], [1]]), np.array([1, 2, 3]), np.array([0]))
    return known, np.array([2, 2, 4, 2]), np.zeros(4, np.int64), np.array([most, 9, 9, 9])


def test_the_cost_of_the_cell_that_stops_it_proves_the_bound() -> None:
    known, table, low, high = two_by_two(9)
    column = np.array([-1, 0, -1, -1])  # x01 is nonbasic in the end; x00 = 4 − x01
    proven = dual_proof.proof.py_func(known, column, np.array([-1.0]), 1.0, table, low, high, 0, 1)
    assert proven == 4
    assert dual_proof.proof.py_func(known, column, np.array([0.0]), 1.0, table, low, high, 0, 1) == 9


def test_costs_too_large_for_whole_numbers_prove_nothing() -> None:
    known, table, low, high = two_by_two(9)
    column = np.array([-1, 0, -1, -1])
    for cost in (2 * HUGE, np.inf, np.nan):
        for side, own in ((1, high), (-1, low)):
            assert dual_proof.proof.py_func(known, column, np.array([cost]), 1.0, table, low, high, 0, side) == own[0]
    known, table, low, high = two_by_two(1 << 60)
    with np.errstate(over="ignore"):
        assert dual_proof.proof.py_func(known, column, np.array([0.5]), 1.0, table, low, high, 0, 1) == 1 << 60
