"""One odd cell must not take a column of numbers out of protection unnoticed."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discreet.frames.doubtful import doubtful_columns


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "2", "n/a"], (1, 3)),
        (["1", "2", "1,234"], (1, 3)),
        (["1", "x", "y", "2"], (2, 4)),
        (["1", "x", "y"], None),
        (["a", "b"], None),
        (["1", "2"], None),
        (["1", "-", None, ""], (1, 2)),
    ],
)
def test_half_of_the_entries_make_a_doubt(values: list[Any], expected: tuple[int, int] | None) -> None:
    for frame in (pa.table({"x": values}), pl.DataFrame({"x": values}), pd.DataFrame({"x": values}, dtype="object")):
        assert doubtful_columns(frame).get("x") == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2.5, "x"], (1, 3)),
        ([1, True, "x"], None),
        ([1, None, float("nan"), pd.NA, "?"], (1, 2)),
        ([1, 2, "3"], (0, 3)),
    ],
)
def test_objects_of_several_types(values: list[Any], expected: tuple[int, int] | None) -> None:
    assert doubtful_columns(pd.DataFrame({"x": pd.Series(values, dtype=object)})).get("x") == expected


def test_typed_columns_are_no_doubt() -> None:
    frame = pa.table({"i": [1, 2], "f": [0.5, 1.0], "b": [True, False], "n": pa.nulls(2)})
    assert doubtful_columns(frame) == {}
