"""Left columns of a release that leaves records out: a part of the original's rows, as they were."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.other_columns import Findings
from discreet.verify.readers import open_table
from discreet.verify.units.absent import compare_part, part_of

FEW = st.lists(st.integers(0, 4), max_size=8)
BEFORE = pd.DataFrame({"a": ["x", "x", "y", "z"], "b": ["1", "2", "2", "3"]})


@given(FEW, FEW)
def test_a_part_is_what_counting_says(few: list[int], many: list[int]) -> None:
    assert part_of(np.array(few, np.int64), np.array(many, np.int64)) == (Counter(few) <= Counter(many))


def told(after: pd.DataFrame) -> list[str]:
    findings = Findings(frozenset())
    compare_part(open_table(BEFORE, "data"), open_table(after, "data"), ["a", "b"], findings)
    return list(findings.failures)


def test_rows_left_out_are_no_fault() -> None:
    assert told(BEFORE.iloc[[2, 0]].reset_index(drop=True)) == []


def test_new_values_are() -> None:
    (failure,) = told(pd.DataFrame({"a": ["x", "w"], "b": ["1", "2"]}))
    assert "column a" in failure and "no original" in failure


def test_a_value_more_often_than_it_was_is() -> None:
    (failure,) = told(pd.DataFrame({"a": ["z", "z"], "b": ["3", "2"]}))
    assert "column a" in failure


def test_torn_rows_are() -> None:
    (failure,) = told(pd.DataFrame({"a": ["x", "z"], "b": ["3", "1"]}))
    assert "put together anew" in failure
