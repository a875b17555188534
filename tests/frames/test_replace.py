"""New values in some columns, everything else as it was; which type a number gets."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames.kinds import KINDS, as_lists
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames import exchange_columns, numeric_array, replace_columns, replace_text_columns

half = pytest.mark.skipif(not hasattr(nw, "Float16"), reason="narwhals has no half floats yet")


@pytest.fixture(params=sorted(KINDS))
def make(request: pytest.FixtureRequest) -> Any:
    return KINDS[request.param]


def type_of(frame: Any, column: str) -> str:
    if isinstance(frame, pa.Table):
        return str(frame.schema.field(column).type).replace("double", "float64")
    return str(frame[column].dtype).lower()


def test_integers_stay_while_they_can(make: Any) -> None:
    frame = make({"a": [1, 2, 4], "b": [1, 2, 4], "c": [1, 2, 4], "s": ["x", "y", "z"]})
    out = replace_columns(frame, {"a": np.array([2.0, 2.0, 2.0]), "b": np.array([1.5, 2.5, -0.5])})
    assert type(out) is type(frame)
    assert as_lists(out) == {"a": [2, 2, 2], "b": [1.5, 2.5, -0.5], "c": [1, 2, 4], "s": ["x", "y", "z"]}
    assert [type_of(out, name) for name in "abc"] == ["int64", "float64", "int64"]
    rounded = replace_columns(frame, {"b": np.array([1.5, 2.5, -0.5])}, round=True)
    assert as_lists(rounded)["b"] == [2, 2, 0]
    assert type_of(rounded, "b") == "int64"
    assert as_lists(frame)["b"] == [1, 2, 4]


def test_rounding_leaves_floats_alone(make: Any) -> None:
    frame = make({"a": [1.0, 2.0]})
    assert as_lists(replace_columns(frame, {"a": np.array([1.5, 2.25])}, round=True)) == {"a": [1.5, 2.25]}


def test_missing_values(make: Any) -> None:
    frame = make({"a": [1, 2], "b": [1.0, 2.0]})
    out = replace_columns(frame, {"a": np.array([np.nan, 3.0]), "b": np.array([np.nan, 0.5])})
    assert as_lists(out) == {"a": [None, 3], "b": [None, 0.5]}
    # numpy's integers have no missing value, and pandas' own answer is float64
    assert type_of(out, "a") == ("float64" if isinstance(frame, pd.DataFrame) else "int64")


@pytest.mark.parametrize(
    ("kind", "dtype", "values", "expected"),
    [
        ("pandas", "int8", [5.0, 6.0], "int8"),
        ("pandas", "int8", [5.0, 600.0], "float64"),
        ("pandas", "UInt16", [5.0, np.nan], "UInt16"),
        ("pandas", "Int64", [5.5, np.nan], "Float64"),
        ("pandas", "float32", [0.5, np.nan], "float32"),
        ("pandas", "float32", [0.1, np.nan], "float64"),
        ("pandas", "Float32", [0.1, np.nan], "Float64"),
        ("pandas", "int32[pyarrow]", [1.0, np.nan], "int32[pyarrow]"),
        ("pandas", "int32[pyarrow]", [1.5, np.nan], "double[pyarrow]"),
        ("polars", pl.Int16, [5.0, np.nan], "Int16"),
        ("polars", pl.UInt8, [-1.0, np.nan], "Float64"),
        ("polars", pl.Float32, [0.1, np.nan], "Float64"),
        ("polars", pl.Decimal(10, 2), [0.1, np.nan], "Float64"),
        ("pyarrow", pa.uint8(), [5.0, np.nan], "uint8"),
        ("pyarrow", pa.int64(), [2.0**63, 0.0], "double"),
        ("pyarrow", pa.uint64(), [2.0**63, 0.0], "uint64"),
        ("pyarrow", pa.uint64(), [2.0**64, 0.0], "double"),
        ("pyarrow", pa.float32(), [0.5, np.nan], "float"),
        ("pyarrow", pa.float32(), [1e300, 0.0], "double"),
        pytest.param("pyarrow", pa.float16(), [0.5, 1.5], "halffloat", marks=half),
        ("pyarrow", pa.decimal128(10, 2), [0.1, 0.2], "double"),
    ],
)
def test_types(kind: str, dtype: Any, values: list[float], expected: str) -> None:
    if kind == "pandas":
        frame: Any = pd.DataFrame({"x": pd.Series([1, 2], dtype=dtype)})
    elif kind == "polars":
        frame = pl.DataFrame({"x": pl.Series([1, 2]).cast(dtype)})
    else:
        frame = pa.table(
            {"x": pa.array(np.array([1, 2], np.float16)) if dtype == pa.float16() else pa.array([1, 2], dtype)}
        )
    out = replace_columns(frame, {"x": np.array(values)})
    assert str(out.schema.field("x").type if kind == "pyarrow" else out["x"].dtype) == expected
    np.testing.assert_array_equal(numeric_array(out, ["x"])[:, 0], values)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=1, max_size=5),
    st.sampled_from(sorted(KINDS)),
    st.sampled_from(["int64", "float64", "float32"]),
)
def test_values_arrive_to_the_last_bit(values: list[float], kind: str, dtype: str) -> None:
    frame = KINDS[kind]({"x": np.ones(len(values), dtype=dtype)})
    out = replace_columns(frame, {"x": np.array(values)})
    np.testing.assert_array_equal(numeric_array(out, ["x"])[:, 0], values)


def test_untouched_pandas_columns_and_index_are_the_same() -> None:
    frame = pd.DataFrame(
        {"x": [1, 2], "s": pd.Categorical(["a", "b"]), "t": pd.to_datetime(["2020-01-01", None]), "o": [1, "a"]},
        index=pd.Index([7, 3], name="household"),
    )
    frame.attrs["survey"] = "pilot"
    before = frame.copy(deep=True)
    out = replace_columns(frame, {"x": np.array([1.5, 1.5])})
    pd.testing.assert_frame_equal(frame, before)
    pd.testing.assert_frame_equal(out.drop(columns="x"), before.drop(columns="x"))
    assert out.attrs == frame.attrs
    assert list(out.columns) == list(frame.columns)
    out.loc[7, "x"] = 99.0
    pd.testing.assert_frame_equal(frame, before)


def test_untouched_arrow_columns_and_metadata_are_the_same() -> None:
    schema = pa.schema(
        [
            pa.field("x", pa.int64(), nullable=False, metadata={"unit": "years"}),
            pa.field("s", pa.string(), metadata={"k": "v"}),
        ],
        metadata={"source": "pilot"},
    )
    frame = pa.table({"x": [1, 2], "s": ["a", "b"]}, schema=schema)
    out = replace_columns(frame, {"x": np.array([1.5, np.nan])})
    assert out.schema.metadata == {b"source": b"pilot"}
    assert out.schema.field("x").metadata == {b"unit": b"years"}
    assert out.schema.field("x").nullable
    assert out.schema.field("s") == schema.field("s")
    assert out.column("s").chunk(0).buffers()[2].address == frame.column("s").chunk(0).buffers()[2].address


def test_text_replaces_numbers(make: Any) -> None:
    frame = make({"a": [1, 2], "b": [1.5, 2.5]})
    out = replace_text_columns(frame, {"a": ["[1, 2]", None]})
    assert type(out) is type(frame)
    assert as_lists(out) == {"a": ["[1, 2]", None], "b": [1.5, 2.5]}


def test_faults(make: Any) -> None:
    frame = make({"a": [1, 2], "s": ["x", "y"]})
    with pytest.raises(InputError) as caught:
        replace_columns(frame, {"a": np.zeros(3), "s": np.zeros(2), "z": np.zeros(2)})
    assert len(caught.value.faults) == 3
    with pytest.raises(InputError, match="would get 1 values, and the data has 2 rows"):
        replace_text_columns(frame, {"a": ["x"]})


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("numbers", [[3, 1, 2], [3, None, 2]])
def test_a_column_of_any_type_becomes_whole_numbers(kind: str, numbers: list[int | None]) -> None:
    import pandas as pd

    from discreet.frames import number_column

    frame = pd.DataFrame({"a": [1, 2, 3], "id": ["x", "y", "z"], "b": [1.5, 2.5, 3.5]}, index=[5, 6, 7])
    given: object = frame
    if kind == "polars":
        import polars as pl

        given = pl.from_pandas(frame)
    elif kind == "pyarrow":
        import pyarrow as pa

        given = pa.Table.from_pandas(frame, preserve_index=False)
    found = number_column(given, "id", numbers)
    assert type(found) is type(given)
    plain = found if kind == "pandas" else found.to_pandas()
    assert list(plain.columns) == ["a", "id", "b"]
    assert [None if pd.isna(one) else int(one) for one in plain["id"]] == numbers
    assert plain["b"].tolist() == [1.5, 2.5, 3.5]


def test_values_are_exchanged_between_rows(make: Any) -> None:
    frame = make({"a": [1, 2, 4], "b": [1, 2, 4], "s": ["x", None, "z"]})
    out = exchange_columns(frame, {"a": np.array([2, 1, 0]), "s": np.array([1, 1, 0])})
    assert type(out) is type(frame)
    assert as_lists(out) == {"a": [4, 2, 1], "b": [1, 2, 4], "s": [None, None, "x"]}
    assert [type_of(out, name) for name in "abs"] == [type_of(frame, name) for name in "abs"]


def test_exchanged_categories_list_what_occurs_in_its_order() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["z", "a", "m"], categories=["z", "m", "a"])}, index=[5, 6, 7])
    out = exchange_columns(frame, {"c": np.array([1, 1, 0])})
    assert list(out["c"].cat.categories) == ["a", "z"] and out.index.tolist() == [5, 6, 7]
    assert out["c"].tolist() == ["a", "a", "z"]
    table = pa.table({"c": pa.array(["z", "a", "m"]).dictionary_encode()})
    assert exchange_columns(table, {"c": np.array([1, 1, 0])})["c"].to_pylist() == ["a", "a", "z"]
