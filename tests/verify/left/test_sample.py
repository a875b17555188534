"""Rows that are looked at: whose left values a row carries, and parts of columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.left.sample import owners, part_of
from discreet.verify.left.values import read_values
from discreet.verify.readers import open_table


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_every_row_carries_somebody_with_its_values(old: list[int], random: object) -> None:
    new = sorted(old, key=lambda value: (value * 7) % 5)
    own = owners(np.array(old), np.array(new))
    assert own is not None and sorted(own.tolist()) == list(range(len(old)))
    assert [old[i] for i in own] == new


def test_no_owners_where_values_differ() -> None:
    assert owners(np.array([0, 1]), np.array([0, 0])) is None and owners(np.array([0]), np.array([0, 0])) is None


def test_a_part_of_a_column_says_the_same() -> None:
    for values in ([3.5, 1.0, 2.0, 1.0], ["b", "a", None, "a"], [1, "x", 2.5, "x"]):
        column = open_table(pd.DataFrame({"x": pd.Series(values, dtype=object)}), "a frame").column("x")
        rows = np.array([1, 3, 2])
        part, whole = read_values(part_of(column, rows)), read_values(column).take(rows)
        assert part.codes.tolist() == whole.codes.tolist() and part.known.tolist() == whole.known.tolist()
    assert part_of(column, None) is column
