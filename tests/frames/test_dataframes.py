"""The three kinds of frames in, arrays out."""

from __future__ import annotations

import datetime
import subprocess
import sys
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames.kinds import KINDS, as_lists

from discreet import frames
from discreet.errors import InputError


@pytest.fixture(params=sorted(KINDS))
def make(request: pytest.FixtureRequest) -> Any:
    return KINDS[request.param]


half = pytest.mark.skipif(not hasattr(nw, "Float16"), reason="narwhals has no half floats yet")

MIXED = {
    "id": ["007", "008", None],
    "age": [30, 41, 52],
    "income": [1.5, None, 3.0],
    "married": [True, False, True],
    "born": [datetime.date(1990, 1, 31)] * 3,
}


def test_numbers_are_found(make: Any) -> None:
    frame = make(MIXED)
    assert frames.numeric_columns(frame) == ["age", "income"]
    assert frames.is_numeric(frame, "age")
    assert not frames.is_numeric(frame, "married")
    points = frames.numeric_array(frame, ["income", "age"])
    assert points.dtype == np.float64
    assert points.flags.c_contiguous
    np.testing.assert_array_equal(points, [[1.5, 30], [np.nan, 41], [3.0, 52]])
    np.testing.assert_array_equal(frames.numeric_array(frame), points[:, ::-1])


def test_every_fault_is_told_and_no_value(make: Any) -> None:
    frame = make({"a": [1.0, np.inf, -np.inf], "b": ["secret"] * 3, "c": [np.inf, 2.0, 3.0], "income": [1, 2, 3]})
    with pytest.raises(InputError) as caught:
        frames.numeric_array(frame, ["a", "b", "c", "incone", "a"])
    text = str(caught.value)
    assert len(caught.value.faults) == 5
    assert "column 'a' has an infinite value in 2 rows" in text
    assert "column 'c' has an infinite value in 1 row:" in text
    assert "column 'b' is not numeric (text)" in text
    assert "'incone' is not in the data: did you mean 'income'?" in text
    assert "column 'a' is named twice" in text
    assert "secret" not in text


def test_choices_that_make_no_sense(make: Any) -> None:
    frame = make(MIXED)
    assert frames.column_faults(frame, []) == ["no column was chosen"]
    assert frames.column_faults(frame, "age") == ["the columns must be a list of names, and one string was given"]
    assert frames.column_faults(frame, ["age", "id"]) == []
    assert frames.column_faults(frame, ["zzz"], what="quasi-identifier") == [
        "quasi-identifier 'zzz' is not in the data: it has id, age, income, married, born"
    ]
    for call in (frames.is_numeric, frames.text_array):
        with pytest.raises(InputError, match="is not in the data"):
            call(frame, "zzz")


def test_text_is_what_a_csv_shows(make: Any) -> None:
    frame = make({**MIXED, "at": [datetime.datetime(2020, 1, 2, 3, 4, 5)] * 3})
    shown = {name: frames.text_array(frame, name).tolist() for name in as_lists(frame)}
    assert shown == {
        "id": ["007", "008", None],
        "age": ["30", "41", "52"],
        "income": ["1.5", None, "3"],
        "married": ["true", "false", "true"],
        "born": ["1990-01-31"] * 3,
        "at": ["2020-01-02 03:04:05"] * 3,
    }
    assert frames.text_array(frame, "age").dtype == object


def test_rows_can_be_taken(make: Any) -> None:
    frame = make(MIXED)
    taken = frames.take_rows(frame, np.array([2, 0]))
    assert type(taken) is type(frame)
    assert as_lists(taken) == {name: [values[2], values[0]] for name, values in as_lists(frame).items()}


def test_frames_are_built_of_the_same_kind(make: Any) -> None:
    frame = make(MIXED)
    built = frames.from_arrays({"x": np.array([1.5, np.nan]), "n": np.array([1, 2]), "s": ["a", None]}, like=frame)
    assert type(built) is type(frame)
    assert as_lists(built) == {"x": [1.5, None], "n": [1, 2], "s": ["a", None]}
    assert frames.numeric_columns(built) == ["x", "n"]
    assert as_lists(frames.build(frame, {"x": [1]})) == {"x": [1]}
    assert frames.kind_of(built) == frames.kind_of(frame)
    assert frames.to_arrow(built).column_names == ["x", "n", "s"]


def test_without_a_model_frames_are_pandas() -> None:
    assert isinstance(frames.from_arrays({"x": [1]}), pd.DataFrame)


def test_narwhals_frames_and_documents_are_adopted(make: Any) -> None:
    wrapped = nw.from_native(make(MIXED))
    assert frames.adopt(wrapped).columns == list(MIXED)
    assert frames.adopt(frames.Document("x", "CSV", make(MIXED))).columns == list(MIXED)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pl.LazyFrame({"a": [1]}), "lazy frame"),
        (nw.from_native(pl.LazyFrame({"a": [1]})), "lazy frame"),
        (np.zeros((2, 2)), "numpy array"),
        ([1, 2], "the data is a list"),
        ({"a": [1]}, "the data is a dict"),
        (None, "the data is a NoneType"),
        (pd.Series([1]), "the data is a Series"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "column name 'a' stands 2 times"),
        (pa.table([[1], [2]], names=["a", "a"]), "column name 'a' stands 2 times"),
        (pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])), "several levels"),
    ],
)
def test_what_is_not_a_frame_is_refused(data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        frames.adopt(data)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([1, None, 3], dtype="Float32"),
        pd.Series([1, None, 3], dtype="int16[pyarrow]"),
        pd.Series([1, np.nan, 3], dtype="float32"),
        pd.Series([1, None, 3], dtype=pd.ArrowDtype(pa.decimal128(10, 2))),
        pl.Series([1, None, 3], dtype=pl.UInt8),
        pl.Series([1, None, 3], dtype=pl.Decimal(10, 2)),
        pl.Series([1.0, float("nan"), 3.0]),
        pa.chunked_array([[1, None], [3]], pa.int8()),
        pa.chunked_array([[1, None], [], [3]], pa.float32()),
        pytest.param(pa.array(np.array([1, np.nan, 3], np.float16), from_pandas=True), marks=half),
        pa.array([Decimal(1), None, Decimal(3)], pa.decimal128(30, 5)),
    ],
    ids=lambda column: f"{type(column).__module__.split('.')[0]}-{getattr(column, 'dtype', None) or column.type}",
)
def test_every_type_of_number_is_read(column: Any) -> None:
    kind = type(column).__module__.split(".")[0]
    frame = {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.table)({"x": column})
    np.testing.assert_array_equal(frames.numeric_array(frame, ["x"])[:, 0], [1.0, np.nan, 3.0])
    replaced = frames.replace_columns(frame, {"x": np.array([4.0, np.nan, 5.5])})
    np.testing.assert_array_equal(frames.numeric_array(replaced, ["x"])[:, 0], [4.0, np.nan, 5.5])


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, "a"], dtype=object),
        pd.Series([1, 2]).astype("category"),
        pd.Series([None, None], dtype=object),
        pl.Series(["a", "b"], dtype=pl.Categorical),
        pl.Series([None, None]),
        pa.array([None, None]),
        pa.array([[1], [2]]),
        pa.array([1, 2], pa.duration("s")),
    ],
    ids=str,
)
def test_what_is_not_a_number_is_refused(column: Any) -> None:
    kind = type(column).__module__.split(".")[0]
    frame = {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.table)({"x": column})
    with pytest.raises(InputError, match="column 'x' is not numeric"):
        frames.numeric_array(frame, ["x"])


def test_categories_are_text() -> None:
    for frame in (
        pd.DataFrame({"x": pd.Categorical(["b", None, "a"])}),
        pl.DataFrame({"x": pl.Series(["b", None, "a"], dtype=pl.Categorical)}),
        pa.table({"x": pa.array(["b", None, "a"]).dictionary_encode()}),
    ):
        assert frames.text_array(frame, "x").tolist() == ["b", None, "a"]


def test_columns_of_mixed_values_are_refused_as_text() -> None:
    with pytest.raises(InputError, match="column 'x' holds values of several"):
        frames.text_array(pd.DataFrame({"x": [1, "secret"]}), "x")


def test_a_pandas_index_does_not_follow_shuffled_rows() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3]}, index=["anna", "bert", "carl"])
    assert frames.take_rows(frame, [2, 1]).index.tolist() == [0, 1]
    table = pa.Table.from_pandas(frame)
    assert "__index_level_0__" in table.column_names
    taken = frames.take_rows(table, [2, 1])
    assert taken.to_pydict() == {"x": [3, 2]}
    assert taken.schema.metadata is None


def test_pandas_columns_may_have_numbers_for_names() -> None:
    frame = pd.DataFrame(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert frames.numeric_columns(frame) == [0, 1]
    np.testing.assert_array_equal(frames.numeric_array(frame, [1, 0]), [[2.0, 1.0], [4.0, 3.0]])
    assert frames.replace_columns(frame, {1: np.array([9.0, 9.0])})[1].tolist() == [9.0, 9.0]


def test_importing_frames_is_cheap() -> None:
    code = (
        "import sys, discreet.frames; "
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'narwhals', 'numba') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_neither_pandas_nor_polars_is_needed(tmp_path: Any) -> None:
    code = """
import importlib.util, sys
ABSENT = ("pandas", "polars", "pyreadstat")
class Absent:
    def find_spec(self, name, *rest):
        if name.split(".")[0] in ABSENT:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in ABSENT else find(name, *rest)
from discreet import frames
from discreet.errors import InputError
table = frames.from_arrays({"x": [1.0, 2.0], "s": ["a", "b"]})
print(type(table).__module__)
frames.write(frames.replace_columns(table, {"x": [3.0, 4.5]}), "t.csv")
document = frames.read("t.csv")
frames.write(document, "t.parquet")
print(frames.read("t.parquet").frame.to_pydict())
for name in ("t.sav", "t.dta", "t.xpt"):
    try:
        frames.read(name)
    except InputError as error:
        print(error)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == [
        "pyarrow.lib",
        "{'x': [3.0, 4.5], 's': ['a', 'b']}",
        "SPSS files need another package: pip install 'discreet[spss]'",
        "Stata files need another package: pip install 'discreet[stata]'",
        "SAS transport files need another package: pip install 'discreet[sas]'",
    ]
