"""Datasets: which files are one, in which parts and pieces they are read, and what is refused before any record is."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import InputError
from discreet.frames.datasets.dataset import Dataset, Part, dataset, read_pieces

SIZES = {"a": [10, 3, 7], "b": [25], "c": [1, 1, 1, 1]}


def fill(folder: Path) -> pa.Table:
    """Files of row groups of these sizes; returns all rows in the order of the names."""
    folder.mkdir(exist_ok=True)
    tables, first = [], 0
    for name, sizes in SIZES.items():
        table = pa.table({"x": np.arange(first, first + sum(sizes)), "t": ["v"] * sum(sizes)})
        first += sum(sizes)
        with pq.ParquetWriter(folder / f"{name}.parquet", table.schema) as writer:
            at = 0
            for size in sizes:
                writer.write_table(table.slice(at, size))
                at += size
        tables.append(table)
    return pa.concat_tables(tables)


@pytest.fixture
def big(tmp_path: Path) -> Path:
    fill(tmp_path / "big")
    return tmp_path / "big"


def test_a_folder_a_pattern_and_a_file(big: Path) -> None:
    whole = pa.concat_tables([pq.read_table(path) for path in sorted(big.glob("*.parquet"))])
    found = dataset(big)
    assert (len(found), found.columns, found.single) == (49, ["x", "t"], False)
    assert [path.name for path in found.paths] == ["a.parquet", "b.parquet", "c.parquet"]
    assert found.read().equals(whole) and found.read(["x"]).column_names == ["x"]
    some = dataset(str(big / "[ab].parquet"))
    assert some.n == 45 and some.read().equals(whole.slice(0, 45))
    one = dc.dataset(big / "b.parquet")
    assert one.single and one.n == 25 and one.groups == ((25,),)


@settings(max_examples=30, deadline=None)
@given(most=st.integers(1, 60))
def test_parts_hold_every_row_once_in_order_and_few_at_a_time(
    most: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    whole = fill(folder)
    found = dataset(folder)
    first, pieces = 0, []
    for part in found.parts(most):
        assert part.first == first
        first += sum(part.cuts)
        own = list(read_pieces(part))
        assert tuple(piece.num_rows for piece in own) == part.cuts and max(part.cuts) <= most
        pieces += own
    assert pa.concat_tables(pieces).equals(whole)
    assert pa.concat_tables(list(found.batches(["x"], rows=most))).equals(whole.select(["x"]))


def test_a_change_is_noticed(big: Path) -> None:
    found = dataset(big)
    stamps = found.stamps()
    found.check_unchanged(stamps)
    path = big / "b.parquet"
    before = path.stat()
    content = bytearray(path.read_bytes())
    content[-20] ^= 1
    path.write_bytes(bytes(content))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(InputError, match="was changed while it was being worked on"):
        found.check_unchanged(stamps)


def test_hidden_files_are_no_data_and_others_are_not_left_out(big: Path) -> None:
    for name in (".b.parquet", "_c.parquet", "_SUCCESS"):
        (big / name).write_bytes(b"no")
    assert dataset(big).n == 49
    (big / "more.csv").write_text("x,t\n1,v\n")
    with pytest.raises(InputError, match=r"files of other formats .*more\.csv"):
        dataset(big)
    (big / "more.csv").unlink()
    (big / "in").mkdir()
    pq.write_table(pa.table({"x": [1], "t": ["v"]}), big / "in" / "d.parquet")
    with pytest.raises(InputError):
        dataset(big)


def test_all_that_is_wrong_with_files_is_said_at_once(tmp_path: Path) -> None:
    fill(tmp_path / "big")
    big = tmp_path / "big"
    pq.write_table(pa.table({"x": [1.5], "t": ["v"]}), big / "d.parquet")
    pq.write_table(pa.table({"t": ["v"], "x": [1]}), big / "e.parquet")
    pq.write_table(pa.table({"x": [1], "u": ["v"]}), big / "f.parquet")
    pq.write_table(pa.table({"x": pa.array([], pa.int64()), "t": pa.array([], pa.string())}), big / "g.parquet")
    with pytest.raises(InputError) as caught:
        dataset(big)
    text = str(caught.value)
    for words in (
        "column 'x' is of type double", "its columns in another order", "has no column 't'", "has a column 'u'",
        "g.parquet has column names but no rows",
    ):  # fmt: skip
        assert words in text, words
    (big / "d.parquet").write_bytes(b"PAR1 nothing PAR1")
    (big / "e.parquet").write_bytes(b"")
    with pytest.raises(InputError) as caught:
        dataset(big)
    assert "damaged or not Parquet" in str(caught.value) and "e.parquet is empty" in str(caught.value)


@pytest.mark.parametrize("name", ["none", "none/*.parquet", "a.json", "\0"])
def test_what_is_no_dataset(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("x\n1\n")
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError):
        dataset(str(tmp_path / name))


def test_types_as_numpy_has_them(tmp_path: Path) -> None:
    table = pa.table(
        {
            "i": pa.array([1], pa.int32()),
            "f": pa.array([1.0], pa.float32()),
            "d": pa.array([Decimal(1)], pa.decimal128(5)),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    assert dataset(tmp_path / "a.parquet").numpy_types(["i", "f", "d"]) == ["i4", "f4", "f8"]


def test_a_damaged_piece_is_an_error_in_words(big: Path) -> None:
    part = dataset(big).parts(100)[0]
    Path(part.file).write_bytes(b"PAR1" + bytes(40) + b"PAR1")
    with pytest.raises(InputError, match="damaged or not Parquet"):
        list(read_pieces(part))
    with pytest.raises(InputError):
        list(read_pieces(Part(str(big / "none.parquet"), (0, 1), 0, (1,))))
    assert isinstance(dataset(big / "b.parquet"), Dataset)


def test_what_can_be_read_only_once_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "t.csv")
    with pytest.raises(InputError, match="a pipe or a device"):
        dataset(tmp_path / "t.csv")
