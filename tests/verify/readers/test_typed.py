"""Typed columns: the same entry only where type and bits are the same."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import InputError
from discreet.verify.readers.typed import arrow_table, check_names, is_null, read_parquet, typed_column


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([1, 2, 1, None], pa.int8(), "int"),
        ([1, 2, 1, None], pa.uint64(), "int"),
        ([1.0, 2.0, 1.0, None], pa.float32(), "float32"),
        ([1.0, 2.0, 1.0, None], pa.float64(), "float64"),
        (["a", "b", "a", None], pa.string(), "text"),
        (["a", "b", "a", None], pa.large_string(), "text"),
        (["a", "b", "a", None], pa.dictionary(pa.int8(), pa.string()), "text"),
        ([b"a", b"b", b"a", None], pa.binary(), "bytes"),
        ([True, False, True, None], pa.bool_(), "bool"),
        ([Decimal("1.5"), Decimal("2.5"), Decimal("1.5"), None], pa.decimal128(5, 1), "decimal"),
        ([dt.date(2020, 1, 1), dt.date(2020, 1, 2), dt.date(2020, 1, 1), None], pa.date32(), "date"),
        ([[1], [2], [1], None], pa.list_(pa.int8()), "nested"),
    ],
)
def test_every_type_is_coded_by_its_distinct_entries(values: list[Any], kind: Any, expected: str) -> None:
    column = typed_column("x", pa.array(values, kind))
    assert expected in column.kind
    assert column.codes.tolist() == [0, 1, 0, 2] and column.absent.tolist() == [False, False, True]


def test_floats_are_told_apart_by_bits() -> None:
    bits = np.array([0x7FF8000000000000, 0x7FF8000000000001], np.int64).view(np.float64)
    column = typed_column("x", pa.array(np.concatenate([[0.0, -0.0], bits])))
    assert column.codes.tolist() == [0, 1, 2, 3]


def test_chunks_and_run_ends_are_one_column() -> None:
    chunks = pa.chunked_array([["a", "b"], [], ["b", "a"]], pa.string())
    assert typed_column("x", chunks).codes.tolist() == [0, 1, 1, 0]
    runs = pa.RunEndEncodedArray.from_arrays([2, 4], ["a", "b"])
    assert typed_column("x", runs).codes.tolist() == [0, 0, 1, 1]
    assert typed_column("x", pa.chunked_array([], pa.int64())).codes.size == 0


def test_objects_are_the_same_if_of_one_type_and_equal() -> None:
    column = typed_column("x", [1, True, 1.0, "1", 1, [1], [1], None, float("nan"), float("nan")])
    codes = column.codes.tolist()
    assert len(set(codes[:4])) == 4 and codes[4] == codes[0] and codes[5] == codes[6] and codes[8] == codes[9]
    assert column.absent.tolist() == [False] * 5 + [True, False]


def test_tables_alike_by_value_are_told_without_reading() -> None:
    one = arrow_table(pa.table({"a": [1, 2], "f": [1.0, 2.0], "t": ["x", "y"]}), "data")
    other = arrow_table(pa.table({"a": [1, 2], "f": [1.0, 2.0], "t": ["x", "z"]}), "data")
    assert one.same(other, ["a", "f", "t"]) == {"a"}, "floats are left to the bits"
    fewer = arrow_table(pa.table({"a": [1]}), "data")
    assert one.same(fewer, ["a"]) == set()


def test_a_list_of_categories_out_of_order_may_tell() -> None:
    kind = pa.dictionary(pa.int8(), pa.string())
    sorted_words = pa.table({"c": pa.array(["a", "b"]).dictionary_encode().cast(kind)})
    assert arrow_table(sorted_words, "data").listing("c") is None
    first_seen = pa.table({"c": pa.array(["b", "a"]).dictionary_encode()})
    found = arrow_table(first_seen, "data").listing("c")
    assert found is not None and found.entries.to_pylist() == ["b", "a"]


def test_metadata_is_carried_and_said() -> None:
    plain = pa.table({"a": [1]})
    assert not arrow_table(plain, "data").carried
    assert arrow_table(plain.replace_schema_metadata({"k": "v"}), "data").carried


def test_damaged_files_and_doubled_names_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [1, 2]}), path)
    assert read_parquet(path, "data").rows == 2 and read_parquet(path.read_bytes(), "data").rows == 2
    with pytest.raises(InputError, match="damaged or not Parquet"):
        read_parquet(path.read_bytes()[:-9], "data")
    with pytest.raises(InputError, match="2 columns named 'a'"):
        check_names(["a", "b", "a"], "data")
    with pytest.raises(FileNotFoundError):
        read_parquet(tmp_path / "absent.parquet", "data")


def test_what_pandas_has_for_nothing() -> None:
    pandas = pytest.importorskip("pandas")
    assert is_null(None) and is_null(pandas.NA) and is_null(pandas.NaT) and not is_null(0) and not is_null("")
