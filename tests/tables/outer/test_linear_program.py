"""Bounds of the linear program against one program per side, and sharpness against a list of all tables."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import linear_bounds, sharp_bounds

from discreet.tables.outer.linear_program import _outward, linear
from discreet.tables.outer.shuttle import shuttle_lines
from discreet.tables.table import Margins, Table
from discreet.work import Deadline, Reporter

QUIET = Reporter(None)


@given(small_tables())
@settings(max_examples=15, deadline=None)
def test_bounds_are_those_of_one_program_per_side_and_sharp_ones_are_attained(case: tuple[Table, Margins]) -> None:
    _, margins = case
    found = linear(margins.shape, margins.values, Deadline(None), QUIET)
    truth = sharp_bounds(margins.shape, margins.values)
    assert found is not None
    assert truth is not None
    low, high = linear_bounds(margins.shape, margins.values)
    assert np.allclose(found[0].reshape(-1), low, atol=1e-6)
    assert np.allclose(found[1].reshape(-1), high, atol=1e-6)
    assert np.array_equal(found[0][found[2]], truth[0][found[2]])
    assert np.array_equal(found[1][found[3]], truth[1][found[3]])


def test_without_time_the_bounds_are_those_of_the_shuttle() -> None:
    margins = all_ways(random_table(3, (3, 3, 3), 2.0), 2)
    found, outer = (
        linear(margins.shape, margins.values, Deadline(0), QUIET),
        shuttle_lines(margins.shape, margins.values),
    )
    assert found is not None
    assert outer is not None
    assert np.array_equal(found[0], outer[0])
    assert np.array_equal(found[1], outer[1])
    assert np.array_equal(found[2], outer[0] == outer[1])


def test_margins_without_a_table_give_none() -> None:
    opposed = np.array([[1, 4], [4, 1]])
    margins = dict.fromkeys(((0, 1), (1, 2), (0, 2)), opposed)
    assert sharp_bounds((2, 2, 2), margins) is None
    assert linear((2, 2, 2), margins, Deadline(None), QUIET) is None


@given(st.integers(-(10**15), 10**15), st.integers(1, 10**6), st.sampled_from([1, -1]))
def test_a_fraction_is_shown_outside_itself_unless_it_is_nearly_whole(value: int, scale: int, side: int) -> None:
    true, shown = Fraction(value, scale), _outward((value, scale), side)
    if shown == round(true) and abs(true - round(true)) <= Fraction(1, 1_000_000):
        return
    assert side * (Fraction(shown) - true) >= 0
    assert shown == pytest.approx(float(true), rel=1e-14)
