"""Counts of sharers against the definition, row by row."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles import blanks as oracle

from discreet.verify.blanks.sharing import covering, distinct, fits, shown_by, subsets


@st.composite
def pairs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int | None]:
    n, d = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    values = st.lists(st.integers(0, 2), min_size=n * d, max_size=n * d)
    original = np.array(draw(values), np.int64).reshape(n, d)
    blank = np.array(draw(st.lists(st.booleans(), min_size=n * d, max_size=n * d))).reshape(n, d)
    return original, np.where(blank, 0, original), draw(st.none() | st.integers(1, d + 1))


@given(pairs())
def test_counts_follow_the_definition(case: tuple[np.ndarray, np.ndarray, int | None]) -> None:
    original, published, m = case
    assert shown_by(published, m).tolist() == oracle.fewest_shown(published, m)
    assert fits(original, published, m).tolist() == oracle.fewest_fits(original, published, m)
    assert covering(original, published).fitting.tolist() == oracle.fewest_found(original, published)


def test_distinct_rows_come_in_the_order_of_first_appearance() -> None:
    rows = np.array([[3, 1], [1, 1], [3, 1], [0, 2], [1, 1], [1, 1]])
    found, of_row, count = distinct(rows)
    assert found.tolist() == [[3, 1], [1, 1], [0, 2]]
    assert of_row.tolist() == [0, 1, 0, 2, 1, 1]
    assert count.tolist() == [2, 3, 1]


def test_sets_of_keys() -> None:
    assert list(subsets(3, None)) == [(0, 1, 2)]
    assert list(subsets(3, 2)) == [(0, 1), (0, 2), (1, 2)]
    assert list(subsets(2, 5)) == [(0, 1)]
