"""One spelling for what is equal, in the type that the column had."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discreet.frames.dataframes import adopt
from discreet.frames.exact import exact, plain_array
from discreet.frames.respell import respell, spelled


def respelled(frame: Any, name: str = "x") -> Any:
    entries = exact(plain_array(adopt(frame), name), name, categories=True, comma=False)
    return respell(frame, {name: entries})


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_negative_zeros_and_nan_are_gone(make: Any) -> None:
    found = respelled(make({"x": [0.0, -0.0, 1.5, float("nan")]}))
    values = found["x"].to_pylist() if isinstance(found, pa.Table) else found["x"].to_list()
    assert [math.copysign(1, v) for v in values[:3]] == [1, 1, 1]
    assert values[3] is None or math.isnan(values[3])


def test_a_text_column_has_one_text_a_value() -> None:
    frame = pa.table({"x": ["1.50", "1.5", "2", "02"]})
    entries = exact(plain_array(adopt(frame), "x"), "x", categories=False, comma=False)
    words = spelled(entries)
    assert words[0] == words[1] and words[2] == words[3] and words[0] != words[2]
    found = respell(frame, {"x": entries})
    assert found["x"].to_pylist() == words and found.schema.equals(frame.schema)


def test_gaps_of_objects_are_of_one_kind() -> None:
    frame = pd.DataFrame({"x": pd.Series(["a", None, float("nan"), "b"], dtype=object)})
    found = respelled(frame)["x"].tolist()
    assert found[0] == "a" and found[3] == "b"
    assert {type(value) for value in found[1:3]} in ({type(None)}, {float})


def test_what_needs_no_change_is_not_touched() -> None:
    frame = pa.table({"x": ["a", "b"], "y": [1, 2]})
    assert respelled(frame).equals(frame)


def test_an_index_stays() -> None:
    frame = pd.DataFrame({"x": [0.0, -0.0]}, index=[7, 3])
    found = respelled(frame)
    assert found.index.tolist() == [7, 3] and not np.signbit(found["x"]).any()
