"""Published dictionaries list the values that occur, in their order: not who came first, nor who was there."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from discreet.frames.dictionaries import take, tidy, tidy_pandas, tidy_table

KIND = pa.dictionary(pa.int32(), pa.string())


def coded(codes: list[int | None], words: list[str], ordered: bool = False) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(words), ordered=ordered)


@pytest.mark.parametrize("chunked", [False, True])
def test_order_and_absent_values_are_gone(chunked: bool) -> None:
    column = coded([2, 0, None, 2], ["b", "gone", "a"])
    found = tidy(pa.chunked_array([column, coded([0], ["c"])]) if chunked else column)
    assert found.to_pylist() == ["a", "b", None, "a"] + ["c"] * chunked
    words = (found.chunk(0) if chunked else found).dictionary.to_pylist()
    assert words == ["a", "b", "c"][: 2 + chunked]
    assert found.type == column.type


def test_an_order_with_a_meaning_stays() -> None:
    column = coded([1, 0], ["low", "high", "never"], ordered=True)
    assert tidy(column) is column


def test_columns_without_dictionary_stay() -> None:
    plain = pa.array(["b", "a"])
    assert tidy(plain) is plain
    table = pa.table({"x": plain})
    assert tidy_table(table) is table


def test_a_table_keeps_its_schema() -> None:
    table = pa.table({"c": coded([1, 0], ["b", "a"]), "n": [1, 2]}).replace_schema_metadata({"k": "v"})
    found = tidy_table(table)
    assert found.schema.equals(table.schema, check_metadata=True) and found.to_pydict() == table.to_pydict()
    assert found["c"].chunk(0).dictionary.to_pylist() == ["a", "b"]


def test_pandas_categories_likewise() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["b", "a"], categories=["b", "gone", "a"]), "n": [1, 2]})
    found = tidy_pandas(frame)
    assert list(found["c"].cat.categories) == ["a", "b"] and found["c"].tolist() == ["b", "a"]
    assert list(frame["c"].cat.categories) == ["b", "gone", "a"], "the frame given is not touched"
    ordered = pd.DataFrame({"c": pd.Categorical(["high"], categories=["low", "high"], ordered=True)})
    assert list(tidy_pandas(ordered)["c"].cat.categories) == ["high"]
    mixed = pd.DataFrame({"c": pd.Categorical([2, "a"], categories=[2, "a"])})
    assert list(tidy_pandas(mixed)["c"].cat.categories) == [2, "a"]
    plain = pd.DataFrame({"n": [1]})
    assert tidy_pandas(plain) is plain


@pytest.mark.parametrize("kind", [pa.string(), pa.string_view(), pa.binary_view(), KIND])
def test_rows_of_any_type_can_be_picked(kind: pa.DataType) -> None:
    words = [b"x", b"y", None] if kind == pa.binary_view() else ["x", "y", None]
    column = pa.chunked_array([pa.array(words, kind)])
    found = take(column, np.array([2, 0, 0]))
    assert found.type == kind and found.to_pylist() == [None, words[0], words[0]]
