"""Tuples, against counting rows one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.suppression.tuples import tuples_of


@given(rows=st.lists(st.tuples(*[st.integers(-1, 2)] * 2), min_size=1, max_size=12))
@settings(deadline=None, max_examples=40)
def test_tuples_come_in_the_order_of_first_appearance(rows: list[tuple[int, ...]]) -> None:
    found = tuples_of(np.array(rows, np.int64))
    first = list(dict.fromkeys(rows))
    assert [tuple(row) for row in found.codes.tolist()] == first
    assert found.size.tolist() == [rows.count(row) for row in first]
    assert [first[t] for t in found.of] == rows
