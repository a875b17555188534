"""Means, deviations and frequencies of columns with ranges, sets and blanks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.utility.absent import CONSTANT, EMPTY
from discreet.measure.utility.columns import MISSING, Categories, Numbers, plain_categories, plain_numbers
from discreet.measure.utility.spread import frequency_change, largest, shares, spread

ENDS = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).map(sorted)


@given(st.lists(st.tuples(ENDS, st.integers(0, 3)), min_size=1, max_size=8))
def test_ranges_are_uniform(rows: list[tuple[list[int], int]]) -> None:
    """Against a million points spread evenly over the ranges, so to say: moments of the mixture by integration."""
    low, high = np.array([ends for ends, _ in rows], float).T
    weights = np.array([w for _, w in rows], float)
    original, ones = plain_numbers(np.array([0.0, 1.0])), np.ones(2)
    found = spread(original, Numbers(low, high), ones, weights)
    if not weights.sum():
        assert found == (EMPTY, EMPTY)
        return
    w = weights / weights.sum()
    first = (w * (low + high) / 2).sum()
    second = (w * (low**2 + low * high + high**2) / 3).sum()
    assert found.mean_change == pytest.approx((first - 0.5) / 0.5, abs=1e-9)
    assert found.sd_kept == pytest.approx(np.sqrt(max(second - first**2, 0)) / 0.5, abs=1e-6)


def test_constant_columns() -> None:
    five, ones = plain_numbers(np.full(3, 5.0)), np.ones(3)
    assert spread(five, five, ones, ones) == (0.0, CONSTANT)
    assert spread(five, plain_numbers(np.full(3, 6.0)), ones, ones) == (CONSTANT, CONSTANT)
    flat = spread(plain_numbers(np.array([1.0, 2.0, 3.0])), plain_numbers(np.full(3, 2.0)), ones, ones)
    assert flat == (0.0, 0.0)


def test_weights_of_zero_have_no_part() -> None:
    x = plain_numbers(np.array([1.0, 2.0, 100.0]))
    y = plain_numbers(np.array([1.0, 2.0, -5.0]))
    found = spread(x, y, np.array([1.0, 1, 0]), np.array([1.0, 1, 0]))
    assert found == (pytest.approx(0), pytest.approx(1))


def test_large_numbers() -> None:
    x = plain_numbers(np.array([-1e308, 1e308]))
    assert spread(x, x, np.ones(2), np.ones(2)) == (0.0, pytest.approx(1.0))
    assert largest(plain_numbers(np.array([np.nan]))) == largest(plain_numbers(np.array([0.0]))) == 1.0
    tiny = plain_numbers(np.array([0.0, 1e-300]))
    assert spread(tiny, plain_numbers(np.array([0.0, 1.0])), np.ones(2), np.ones(2)).sd_kept == pytest.approx(1e300)


def test_frequencies() -> None:
    old = plain_categories(np.array([0, 0, 1, 2, MISSING]), 3)
    new = Categories(np.array([0, 1, MISSING, 0]), np.array([0, 1, 3]), np.array([0, 1, 2]), 3, True)
    assert shares(new, np.ones(4), 3) == pytest.approx([2 / 3, 1 / 6, 1 / 6])
    assert frequency_change(old, new, np.ones(5), np.ones(4)) == pytest.approx(1 / 6)
    stranger = Categories(np.array([0]), np.array([0, 1]), np.array([3]), 3, True)
    assert frequency_change(old, stranger, np.ones(5), np.ones(1)) == 1
    blank = plain_categories(np.array([MISSING]), 3)
    assert frequency_change(old, blank, np.ones(5), np.ones(1)) == EMPTY
