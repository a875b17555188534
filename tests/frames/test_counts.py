"""Counts are exact whole numbers from 0 to 2^62, whatever column they stand in."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import Faults, InputError
from discreet.frames import read
from discreet.frames.counts import LARGEST, count_array


def counts(frame: Any) -> tuple[list[int], list[str]]:
    faults = Faults()
    found = count_array(frame, "n", faults).tolist()
    try:
        faults.raise_if_any()
    except InputError as error:
        return found, list(error.faults)
    return found, []


@given(st.lists(st.integers(0, LARGEST), min_size=1, max_size=10))
def test_whole_numbers_of_every_kind(values: list[int]) -> None:
    for column in (pa.array(values), pa.array(values, pa.uint64()), pa.array(list(map(str, values)))):
        assert counts(pa.table({"n": column})) == (values, [])
    assert counts(pa.table({"n": pa.array([Decimal(v) for v in values], pa.decimal128(30, 2))})) == (values, [])


def test_a_large_count_in_a_file_is_not_rounded(tmp_path: Any) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n,x\n9007199254740993,1.5\n2.0,2\n")
    assert counts(read(path)) == ([9007199254740993, 2], [])


@pytest.mark.parametrize("text", ["+5", " 5", "5.0", "5e0", "0.5e1", "5."])
def test_spellings_of_five(text: str) -> None:
    assert counts(pa.table({"n": [text]})) == ([5], [])


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["1_000"], "not a whole number in 1 rows"),
        (["inf", "x", "1.5"], "not a whole number in 3 rows"),
        ([1.5, 2.0], "not a whole number in 1 rows"),
        ([True, False], "not a whole number in 2 rows"),
        ([-1, 3, -2], "negative in 2 rows"),
        ([1, None], "no count in 1 rows"),
        (["", "1"], "no count in 1 rows"),
        ([1.0, float("nan")], "no count in 1 rows"),
        ([float(2**63)], "larger than 2^62 in 1 rows"),
        ([str(LARGEST + 1)], "larger than 2^62 in 1 rows"),
        (["1e30"], "larger than 2^62 in 1 rows"),
    ],
)
def test_what_is_no_count_is_counted(values: list[Any], words: str) -> None:
    _, faults = counts(pa.table({"n": values}))
    assert len(faults) == 1 and words in faults[0] and "column 'n'" in faults[0]


def test_every_frame_and_categories_too() -> None:
    assert counts(pd.DataFrame({"n": pd.Categorical(["3", "4"])})) == ([3, 4], [])
    assert counts(pl.DataFrame({"n": [3, 4]})) == ([3, 4], [])
    assert counts(pd.DataFrame({"m": [1]}))[1]
