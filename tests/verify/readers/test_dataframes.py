"""Dataframes of every kind read alike, and what is none is said with the way out."""

from __future__ import annotations

import datetime as dt
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discreet.errors import InputError
from discreet.verify.readers.dataframes import from_dataframe, pandas_column
from discreet.verify.values.meaning import texts

DATA: dict[str, list[Any]] = {"n": [1, 2, 1], "f": [0.5, -0.0, 0.5], "t": ["a", "", "a"]}
KINDS: dict[str, Any] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "narwhals": lambda data: nw.from_native(pd.DataFrame(data)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_the_same_columns(kind: str) -> None:
    table = from_dataframe(KINDS[kind](DATA), "data")
    assert (list(table.names), table.rows, list(table.index)) == (["n", "f", "t"], 3, [])
    for name, shown in (("n", ["1", "2"]), ("f", ["0.5", "-0"]), ("t", ["a", ""])):
        column = table.column(name)
        assert column.codes.tolist() == [0, 1, 0]
        assert [text.removesuffix(".0") for text in texts(column)] == shown


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.zeros((2, 2)), "numpy array"),
        (pl.DataFrame(DATA).lazy(), "lazy frame"),
        ({"a": [1]}, "is a dict"),
        (pd.Series([1]), "is a Series"),
        (pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])), "several levels"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "2 columns named 'a'"),
        (pd.DataFrame([[1, 2]]), "2 columns whose names are not text"),
        (pd.DataFrame({"z": [1 + 2j]}), "complex"),
    ],
)
def test_what_cannot_be_read_is_said(given: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        from_dataframe(given, "data")


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (None, []),
        (pd.Index([0, 1, 2]), []),
        (pd.Index([2, 0, 1]), ["index"]),
        (pd.Index([5, 6, 7], name="id"), ["id"]),
        (pd.Index([5, 6, 7], name="n"), ["n of the index"]),
        (pd.MultiIndex.from_arrays([[1, 2, 3], [4, 5, 6]]), ["index", "index 1"]),
    ],
)
def test_an_index_that_says_something_is_a_column(index: Any, expected: list[str]) -> None:
    frame = pd.DataFrame(DATA) if index is None else pd.DataFrame(DATA, index=index)
    table = from_dataframe(frame, "data")
    assert list(table.index) == expected and set(expected) <= set(table.names)


def test_objects_of_one_kind_become_typed() -> None:
    def kind(values: list[Any]) -> Any:
        made = pandas_column(pd.Series(values, dtype=object), "x")
        return "objects" if isinstance(made, list) else made.type

    assert kind(["a", None, "b"]) == pa.large_string()
    assert kind([dt.date(2020, 1, 1), None]) == pa.date32()
    assert kind([dt.datetime(2020, 1, 1), float("nan")]) == pa.timestamp("us")
    assert kind([dt.time(1, 2)]) == pa.time64("us")
    assert kind(["a", 1]) == kind([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)]) == "objects"
    assert pandas_column(pd.Series(["a", 1, float("nan")], dtype=object), "x") == ["a", 1, None]


def test_what_polars_cannot_convert_is_taken_as_objects() -> None:
    frame = pl.DataFrame({"x": pl.Series([{1}, {2}], dtype=pl.Object)})
    assert from_dataframe(frame, "data").column("x").codes.tolist() == [0, 1]
