"""What is kept of the tables found, against least and greatest counts over the list of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.tables.sharpen.extremes import Extremes, attained, keep

CELLS = 4


def nothing_known(lower: np.ndarray, upper: np.ndarray, tables: np.ndarray) -> Extremes:
    far, none = np.full(CELLS, 1 << 40), np.full(CELLS, -1)
    return Extremes(lower, upper, far, none.copy(), none.copy(), none.copy(), tables, np.zeros(1, np.int64))


@given(st.lists(st.lists(st.integers(0, 5), min_size=CELLS, max_size=CELLS), min_size=1, max_size=6))
def test_witnesses_are_the_first_tables_with_the_least_and_greatest_counts(rows: list[list[int]]) -> None:
    tables = np.array(rows, np.int64)
    known = nothing_known(np.zeros(CELLS, np.int64), np.full(CELLS, 5), tables)
    for place in range(len(rows)):
        keep.py_func(known)
        assert known.found[0] == place + 1
        seen = tables[: place + 1]
        assert np.array_equal(known.inner_lower, seen.min(axis=0))
        assert np.array_equal(known.inner_upper, seen.max(axis=0))
        assert np.array_equal(known.low_witness, seen.argmin(axis=0))
        assert np.array_equal(known.high_witness, seen.argmax(axis=0))


def test_a_side_is_attained_once_a_table_reaches_its_bound() -> None:
    known = nothing_known(np.array([0, 1, 0, 0]), np.array([3, 3, 3, 4]), np.array([[3, 1, 2, 0], [0, 3, 3, 4]]))
    sides = [(c, side) for c in range(CELLS) for side in (1, -1)]
    assert not any(attained.py_func(known, c, side) for c, side in sides)
    keep.py_func(known)
    assert {each for each in sides if attained.py_func(known, *each)} == {(0, 1), (1, -1), (3, -1)}
    keep.py_func(known)
    assert {each for each in sides if not attained.py_func(known, *each)} == {(2, -1)}
