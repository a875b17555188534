"""Steps of the simplex method in whole numbers against the same exchange in fractions, and against all tables."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracles.table_cases import small_tables
from oracles.tables import linear_bounds, margin_of

from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen import pivots
from discreet.tables.table import Margins, Table
from discreet.tables.theory.dictionary import dictionary


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels as Python runs them: they have no entry from outside."""
    for name in ("_entering", "_ratio", "_pivot"):
        monkeypatch.setattr(pivots, name, getattr(pivots, name).py_func)


def exchanged(matrix: list[list[Fraction]], leave: int, enter: int) -> list[list[Fraction]]:
    """The dictionary in which row `leave` and column `enter` have changed places, in fractions."""
    pivot, rows, columns = matrix[leave][enter], range(len(matrix)), range(len(matrix[0]))
    out = [[matrix[i][k] - matrix[i][enter] * matrix[leave][k] / pivot for k in columns] for i in rows]
    for i in rows:
        out[i][enter] = matrix[i][enter] / pivot
    out[leave] = [-matrix[leave][k] / pivot for k in columns]
    out[leave][enter] = 1 / pivot
    return out


@given(st.integers(0, 2**32))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pivots_one_after_the_other_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dense, divisor = rng.integers(-2, 3, (3, 4)).astype(np.float64), 1.0
    truth = [[Fraction(int(v)) for v in row] for row in dense]
    for _ in range(5):
        leave, enter = int(rng.integers(3)), int(rng.integers(4))
        if dense[leave, enter] == 0:
            continue
        divisor = pivots._pivot(dense, leave, enter, divisor)
        truth = exchanged(truth, leave, enter)
        assert divisor > 0
        assert [[Fraction(int(v), int(divisor)) for v in row] for row in dense] == truth


@given(small_tables())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_cell_goes_as_far_as_the_linear_program_says(case: tuple[Table, Margins]) -> None:
    table, margins = case
    state = whole_state(margins)
    known = dictionary(state.lattice, state.lower == state.upper)
    assert known is not None
    assume(known.nonbasic.size > 0)
    low, high = linear_bounds(margins.shape, margins.values)
    for c in np.flatnonzero(state.lower < state.upper).tolist():
        for bound, target in ((high[c], state.upper[c]), (low[c], state.lower[c])):
            t = pivots.tableau_of(known, state.lower, state.upper)
            t.x[:] = table.dense().reshape(-1)
            found = pivots.toward.py_func(t, c, float(target), 1000)
            assert t.x[c] == pytest.approx(bound, abs=1e-6)
            assert found == (pivots.ATTAINED if abs(bound - target) < 1e-6 else pivots.STOPPED)
            assert (t.x >= state.lower - 1e-6).all()
            assert (t.x <= state.upper + 1e-6).all()
            for g, values in margins.values.items():
                assert np.allclose(margin_of(t.x.reshape(margins.shape), g), values)
            assert np.array_equal(t.basic[t.row[t.basic]], t.basic)
            assert np.array_equal(t.nonbasic[t.column[t.nonbasic]], t.nonbasic)


def test_a_walk_without_steps_is_given_up() -> None:
    table = Table.from_array(np.array([[2, 1], [1, 2]]))
    state = whole_state(table.margins([["V1"], ["V2"]]))
    known = dictionary(state.lattice, state.lower == state.upper)
    assert known is not None
    t = pivots.tableau_of(known, state.lower, state.upper)
    t.x[:] = table.dense().reshape(-1)
    assert pivots.toward.py_func(t, 0, 3.0, 0) == pivots.GIVEN_UP
    assert pivots.toward.py_func(t, 0, 2.0, 1) == pivots.ATTAINED
    assert t.steps[0] == 0
