"""What attackers know beside published cells: boxes of rounded and relative figures, single respondents."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.tabular.audit.knowledge import (
    controlled_boxes,
    joined,
    percentage_box,
    rounded_box,
    single_respondents,
    within,
)
from discreet.tabular.problem import Cells, Problem, Relations


@given(st.integers(-300, 300), st.integers(1, 20))
def test_a_rounded_figure_is_half_a_base_away_at_most(value: int, base: int) -> None:
    low, high = rounded_box(value, base)
    assert low <= value <= high and high - low == 2 * (base // 2)
    middle = Fraction(low + high, 2)
    assert middle % base == 0
    assert 2 * abs(low - 1 - middle) > base and 2 * abs(high + 1 - middle) > base


@given(st.lists(st.tuples(st.integers(-30, 30), st.integers(2, 7), st.integers(-1, 2)), min_size=1, max_size=4))
def test_controlled_rounding_may_take_either_multiple(cells: list[tuple[int, int, int]]) -> None:
    value, base, step = (np.array(column, np.int64) for column in zip(*cells))
    told = value // base * base + step * base
    low, high = controlled_boxes(value, told, base, np.ones(value.size, np.bool_))
    assert ((low <= value) & (value <= high)).all()
    if (np.abs(told - value) < base).all():
        for at, (z, b) in enumerate(zip(told.tolist(), base.tolist())):
            possible = [a for a in range(z - 2 * b, z + 2 * b) if z in (a // b * b, -(-a // b) * b)]
            assert (low[at], high[at]) == (possible[0], possible[-1])


@pytest.mark.parametrize(
    ("told", "reach"),
    [([6, 3, 3], [2, 2, 2]), ([9, 3, 3], [4, 2, 2]), ([12, 9, 3], [7, 7, 7])],
)
def test_cells_that_left_are_totals_unless_an_innermost_one_did(told: list[int], reach: list[int]) -> None:
    value, base = np.array([5, 2, 3]), np.full(3, 3)
    low, high = controlled_boxes(value, np.array(told), base, np.array([True, False, False]))
    assert (np.array(told) - low).tolist() == (high - np.array(told)).tolist() == reach


@given(st.integers(-300, 300), st.integers(-400, 400).filter(bool), st.integers(0, 2))
def test_percentages_are_those_of_the_box(value: int, total: int, digits: int) -> None:
    low, high = percentage_box(value, total, digits)
    assert low <= value <= high
    scale = 100 * 10**digits
    shown = (2 * value * scale + abs(total)) // (2 * abs(total))
    for other in range(low - 2, high + 3):
        near = abs(Fraction(other * scale, abs(total)) - shown) <= Fraction(1, 2)
        assert near == (low <= other <= high)


def test_single_respondents_know_their_totals_too() -> None:
    # 0 = 1 + 2 with one contributor in 0 and 1; 3 = 4 + 5 with one in 4 and one in 5.
    relations = Relations(
        np.array([0, 3, 6]), np.arange(6), np.array([-1, 1, 1, -1, 1, 1], np.int8), np.zeros(2, np.int64)
    )
    value, nothing = np.array([7, 7, 0, 9, 4, 5]), np.zeros(6, np.int64)
    cells = Cells(value, nothing, value * 2, nothing, np.zeros(6, np.int8), nothing, nothing, nothing)
    problem, number = Problem(cells, relations), np.array([1, 1, 0, 2, 1, 1])
    found = single_respondents(problem, number, np.array([True, True, True, True, True, False]))
    assert [own.tolist() for own in found] == [[0, 1], [4]]


def test_boxes_and_patterns_are_joined() -> None:
    value = np.array([5, 6])
    nothing = np.zeros(2, np.int64)
    cells = Cells(value, nothing, value * 2, nothing, np.zeros(2, np.int8), nothing, nothing, nothing)
    problem = Problem(cells, Relations(np.array([0]), nothing[:0], np.zeros(0, np.int8), nothing[:0]))
    told = within(problem, np.array([1]), np.array([4]), np.array([99])).cells
    assert told.lower.tolist() == [0, 4] and told.upper.tolist() == [10, 12]
    assert joined([np.array([True, True]), np.array([False, True])]).tolist() == [False, True]
