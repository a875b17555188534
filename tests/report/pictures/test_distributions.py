"""Before and after: shares by the obvious count, ranges in equal parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.drawing import words

from discreet.report.figures import alt, confidential
from discreet.report.pictures.distributions import MOST_VALUES, bins, categories, distribution, shares

pytest.importorskip("matplotlib")
RANGES = st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 30)), min_size=1, max_size=40)


@given(RANGES, st.lists(st.integers(-60, 90), min_size=2, max_size=8, unique=True))
def test_shares_are_those_of_a_slow_count(ranges: list[tuple[int, int]], edges: list[int]) -> None:
    low = np.array([a for a, _ in ranges], float)
    high = low + np.array([width for _, width in ranges])
    at = np.array(sorted(edges)) + 0.5
    slow = []
    for edge in at:
        parts = [1.0 if b < edge else 0.0 if a > edge else (edge - a) / (b - a) for a, b in zip(low, high)]
        slow.append(sum(parts) / len(parts))
    assert shares(low, high, at) == pytest.approx(slow, abs=1e-12)


@given(st.lists(st.one_of(st.integers(-20, 20), st.floats(-1e9, 1e9)), min_size=1, max_size=60))
def test_steps_hold_nearly_all_values(values: list[float]) -> None:
    column = np.array(values, float)
    edges = bins(column)
    assert (np.diff(edges) > 0).all() and len(edges) <= 32
    outside = ((column < edges[0]) | (column > edges[-1])).mean()
    assert outside <= 0.011 + 2 / len(column)


def test_whole_numbers_stand_in_the_middle_of_their_step() -> None:
    assert bins(np.array([3.0, 5.0])).tolist() == [2.5, 3.5, 4.5, 5.5]
    assert bins(np.zeros(0)).tolist() == [0, 1] and bins(np.ones(3)).tolist() == [0.5, 1.5]


def test_a_column_of_numbers() -> None:
    before = np.array([1.0, 2.0, 2.0, np.nan])
    figure = distribution("age", before, np.array([1.0, 1.0, 2.0, np.nan]), np.array([2.0, 2.0, 2.0, np.nan]))
    assert {"age: before and after", "original", "published"} <= set(words(figure)) and confidential(figure)
    assert "Mean 1.67 before and 1.67 after." in alt(figure)


def test_a_column_of_categories_with_many_values() -> None:
    values = [f"v{i}" for i in range(MOST_VALUES + 3)]
    before = np.arange(len(values), dtype=float) + 1
    figure = categories("place", values, before, np.ones(len(values)))
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names[0] == values[-1] and names[-1] == "3 others" and confidential(figure)
    first = [bar.get_width() for bar in figure.axes[0].patches[: len(names)]]
    assert sum(first) == pytest.approx(100) and first[-1] == pytest.approx(100 * 6 / before.sum())


@pytest.mark.parametrize("size", [1.7e308, 1e-310])
def test_numbers_of_any_size_are_drawn(size: float) -> None:
    column = np.array([-size, 0.0, size / 3, size])
    figure = distribution("x", column, column, column)
    power = f"{10.0 ** np.floor(np.log10(size)):.0e}"
    assert f"x / {power}" in words(figure) and "0.0 % of the records stand elsewhere" in alt(figure)
