"""Two columns together: the table of counts gives what rows left out one by one give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.left.pairs import CutKey, cut
from tests.oracles import left as slow
from tests.verify.left.made import numbers, words

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 5)), min_size=3, max_size=40)


@given(ROWS)
def test_cells_predict_categories_as_rows_do(rows: list[tuple[int, int, int]]) -> None:
    cells = [3 * a + b for a, b, _ in rows]
    key = words([c for *_, c in rows])
    if key.size < 2:
        return
    counts = np.bincount(key.codes)
    found = CutKey(key).told_by(np.array(cells), 9)
    lone = [i for i, value in enumerate(cells) if cells.count(value) == 1]
    right = slow.right_by_equal(cells, key.codes.tolist())
    right += sum(key.codes[i] == counts.argmax() for i in lone)
    right -= sum(key.codes[i] == slow.most_frequent(key.codes.tolist()) for i in lone)
    assert found.value == pytest.approx(slow.skill_of_categories(right, key.codes.tolist()))


@given(ROWS)
def test_cells_predict_numbers_as_rows_do(rows: list[tuple[int, int, int]]) -> None:
    cells, key = [3 * a + b for a, b, _ in rows], [float(c) for *_, c in rows]
    target = CutKey(numbers(key))
    if not target.varies:
        return
    scale = max(key)
    middle = target.middle * scale
    predicted = slow.median_of_equal(cells, key, middle)
    whole = sum(abs(x - middle) for x in key)
    expected = 1 - sum(abs(x - p) for x, p in zip(key, predicted)) / whole
    assert target.told_by(np.array(cells), 9).value == pytest.approx(expected)


def test_a_column_is_cut_into_ranges_of_equally_many_rows() -> None:
    values = numbers(list(range(1000)))
    parts, size = cut(values, 12)
    counts = np.bincount(parts, minlength=size)
    assert size <= 12 and counts[counts > 0].min() >= 80 and (np.diff(parts) >= 0).all()
    frequent, size = cut(words([0] * 50 + [1] * 30 + list(range(2, 22))), 4)
    assert size == 4 and np.bincount(frequent).tolist() == [50, 30, 1, 19]
