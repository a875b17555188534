from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from discreet.solvers.lp import ExtremeLp, certified_bound, floor_bound

# x0 + x1 = 3, x1 + x2 = 4
STARTS, COLUMNS, SUMS = np.array([0, 2, 4]), np.array([0, 1, 1, 2]), np.array([3, 4])
LOW, HIGH = np.zeros(3, np.int64), np.array([3, 3, 4])
TRANSPOSED = sp.csr_matrix(np.array([[1, 0], [1, 1], [0, 1]]))


def test_extremes_and_their_duals() -> None:
    program = ExtremeLp(STARTS, COLUMNS, SUMS, LOW, HIGH)
    for cell, side, value in ((0, 1, 3), (0, -1, 0), (1, 1, 3), (2, -1, 1), (2, 1, 4)):
        solution = program.extreme(cell, side)
        assert solution.status == "optimal"
        assert solution.x[cell] == pytest.approx(value)
        bound = certified_bound(TRANSPOSED, SUMS, LOW, HIGH, solution.duals, cell, side)
        assert floor_bound(bound, side) == value


@given(
    st.lists(st.floats(-3, 3), min_size=2, max_size=2), st.integers(0, 2), st.sampled_from([1, -1]), st.integers(0, 45)
)
def test_any_duals_give_a_bound_that_holds(duals: list[float], cell: int, side: int, shift: int) -> None:
    factor = 1 << shift  # counts so large that machine integers would overflow
    args = (TRANSPOSED, SUMS * factor, LOW, HIGH * factor, np.array(duals))
    value, scale = certified_bound(*args, cell, side)
    for x in ((0, 3, 1), (3, 0, 4), (1, 2, 2)):
        assert side * (Fraction(value, scale) - x[cell] * factor) >= 0


def test_infeasible_programs_say_so() -> None:
    program = ExtremeLp(STARTS, COLUMNS, np.array([9, 4]), LOW, HIGH)
    assert program.extreme(0, 1).status == "infeasible"


def test_rows_with_signs_and_negative_boxes() -> None:
    # x0 + x1 - x2 = 0 and x1 - 2 x3 = -1, in boxes around 0.
    starts, columns = np.array([0, 3, 5]), np.array([0, 1, 2, 1, 3])
    entries, right = np.array([1, 1, -1, 1, -2]), np.array([0, -1])
    low, high = np.array([-4, -3, -2, -9]), np.array([4, 3, 5, 9])
    dense = np.array([[1, 1, -1, 0], [0, 1, 0, -2]])
    transposed = sp.csr_matrix(dense.T)
    program = ExtremeLp(starts, columns, right, low, high, entries)
    for cell, side, value in ((0, 1, 4), (0, -1, -4), (2, 1, 5), (2, -1, -2), (3, 1, 2), (3, -1, -1)):
        solution = program.extreme(cell, side)
        assert solution.status == "optimal"
        bound = certified_bound(transposed, right, low, high, solution.duals, cell, side)
        assert floor_bound(bound, side) == value
        whole = program.whole(solution.x)
        assert whole is None or (not (dense @ whole - right).any() and whole[cell] == value)


@given(
    st.lists(st.floats(-3, 3), min_size=2, max_size=2), st.integers(0, 3), st.sampled_from([1, -1]), st.integers(0, 45)
)
def test_any_duals_bound_signed_rows(duals: list[float], cell: int, side: int, shift: int) -> None:
    dense, factor = np.array([[1, 1, -1, 0], [0, 1, 0, -2]]), 1 << shift
    low, high = np.array([-4, -3, -2, -9]) * factor, np.array([4, 3, 5, 9]) * factor
    args = (sp.csr_matrix(dense.T), np.array([0, -1]) * factor, low, high, np.array(duals))
    value, scale = certified_bound(*args, cell, side)
    for x in ((0, 1, 1, 1), (2, -1, 1, 0), (1, -3, -2, -1), (4, 1, 5, 1)):
        assert not (dense @ np.array(x) - np.array([0, -1])).any()
        assert side * (Fraction(value, scale) - x[cell] * factor) >= 0
