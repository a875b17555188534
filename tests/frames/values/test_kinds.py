from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discreet import frames
from discreet.frames.dataframes import MEASURES
from discreet.frames.values.kinds import CATEGORIES, MOMENTS, NUMBERS, ORDERED, values

DAYS = [datetime.date(1950, 1, 3), datetime.date(1940, 5, 6), None]
TYPES = {
    "integers": (pa.array([3, 1, None]), NUMBERS),
    "floats": (pa.array([0.5, 1.0, None]), NUMBERS),
    "dates": (pa.array(DAYS), MOMENTS),
    "times": (pa.array([datetime.time(1), datetime.time(2), None]), MOMENTS),
    "timestamps": (pa.array([datetime.datetime(1950, 1, 3, 4), None, None], pa.timestamp("us")), MOMENTS),
    "ISO text": (pa.array(["1950-01-03", "1940-05-06", None]), MOMENTS),
    "clocks": (pa.array(["12:30", "01:00", None]), MOMENTS),
    "digits": (pa.array(["10", "9", None]), CATEGORIES),
    "codes": (pa.array(["007", "9", None]), CATEGORIES),
    "words": (pa.array(["a", "b", None]), CATEGORIES),
    "truths": (pa.array([True, False, None]), CATEGORIES),
}
FRAMES = {"pyarrow": lambda t: t, "pandas": lambda t: t.to_pandas(), "polars": pl.from_arrow}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", TYPES)
def test_the_type_decides(name: str, frame: str) -> None:
    array, kind = TYPES[name]
    table = FRAMES[frame](pa.table({"x": array}))
    found = values(table, "x")
    assert found.kind == kind
    assert found.entries.texts == values(pa.table({"x": array}), "x").entries.texts
    assert values(table, "x", categories=True).kind == CATEGORIES


def test_text_is_numbers_where_it_is_named_so() -> None:
    found = values(pa.table({"x": ["10", "9", "010"]}), "x", numeric=True)
    assert found.kind == NUMBERS
    assert found.entries.texts == ["9", "10"]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.Categorical(["mid", "low"], categories=["low", "mid", "high"], ordered=True)}),
        pl.DataFrame({"x": pl.Series(["mid", "low"], dtype=pl.Enum(["low", "mid", "high"]))}),
        pa.table({"x": pa.DictionaryArray.from_arrays([1, 0], ["low", "mid", "high"], ordered=True)}),
    ],
)
def test_an_order_of_the_type_is_the_order(frame: Any) -> None:
    found = values(frame, "x")
    assert (found.kind, found.order) == (ORDERED, ["low", "mid", "high"])
    assert values(frame, "x", categories=True).kind == CATEGORIES


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.Categorical([2, 1])}),
        pl.DataFrame({"x": pl.Series(["2", "1"], dtype=pl.Categorical)}),
        pa.table({"x": pa.array(["2", "1"]).dictionary_encode()}),
    ],
)
def test_categories_are_no_numbers(frame: Any) -> None:
    assert values(frame, "x").kind == CATEGORIES
    assert sorted(values(frame, "x").entries.texts) == ["1", "2"]


def test_a_file_without_types_has_numbers_unless_zeros_stand_in_front(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("age,zip,born\n10,007,1950-01-03\n9,123,1940-05-06\n")
    table = frames.read(path, exact=["age", "zip", "born"]).frame
    assert [values(table, name).kind for name in table.column_names] == [NUMBERS, CATEGORIES, MOMENTS]
    assert values(table, "zip").entries.texts == ["007", "123"]


def test_a_measure_decides() -> None:
    frame = pd.DataFrame({name: [3, 1, 2] for name in ("n", "o", "s")})
    frame.attrs[MEASURES] = {"n": "nominal", "o": "ordinal", "s": "scale"}
    assert [values(frame, name).kind for name in "nos"] == [CATEGORIES, ORDERED, NUMBERS]
    assert values(frame, "o").order == ["1", "2", "3"]
    assert values(frame, "n", numeric=True).kind == NUMBERS
    assert frames.numeric_columns(frame) == ["s"]
