"""DuckDB as a sorting machine: sizes of memory, answers about streams, and doors that are closed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from discreet.errors import InputError
from discreet.verify.large.database import DEFAULT, ask, bytes_of, database, entries_of, run


@pytest.mark.parametrize(
    ("given", "size"),
    [
        (None, DEFAULT),
        (2**31, 2**31),
        ("2147483648", 2**31),
        ("2GB", 2 * 10**9),
        (" 1.5 g ", 15 * 10**8),
        ("2GiB", 2**31),
        ("500mb", 5 * 10**8),
        ("1T", 10**12),
    ],
)
def test_sizes_of_memory(given: object, size: int) -> None:
    assert bytes_of(given) == size


@pytest.mark.parametrize("given", ["", "GB", "2 X", "-2GB", "1e9", True, 0, "999kb", -5, 2.5, "2GB!"])
def test_what_is_no_size_is_refused(given: object) -> None:
    with pytest.raises(InputError, match="such as 2GB"):
        bytes_of(given)


def batches(values: list[object], size: int = 3) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(values), size):
        yield pa.record_batch([pa.array(values[start : start + size])], names=["p0"])


def test_one_row_and_the_different_entries_of_a_stream() -> None:
    values = [3, 1, 3, None, 2, 1, 3]
    with database(10**9) as connection:
        assert ask(connection, batches(values), "SELECT count(*), max(p0) FROM rows") == (7, 3)
        found = entries_of(connection, batches(values), 4)
        assert sorted(found.to_pylist(), key=str) == [1, 2, 3, None]
        assert entries_of(connection, batches(values), 3) is None
        again = run(connection, batches([5]), "SELECT p0 FROM rows")
        assert again.column(0).to_pylist() == [5]


def test_an_error_of_the_rows_comes_out_in_its_own_words() -> None:
    def broken() -> Iterator[pa.RecordBatch]:
        yield from batches([1, 2, 3])
        raise InputError("the file is damaged")

    with database(10**9) as connection:
        with pytest.raises(InputError, match=r"^the file is damaged$"):
            ask(connection, broken(), "SELECT sum(p0) FROM rows")
        assert ask(connection, batches([4]), "SELECT sum(p0) FROM rows") == (4,), "the connection is good still"


def test_no_file_is_read_or_written_and_nothing_is_set(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n", encoding="utf-8")
    with database(10**9) as connection:
        for query in (
            f"SELECT * FROM read_csv('{tmp_path / 'a.csv'}')",
            f"COPY (SELECT 1) TO '{tmp_path / 'b.csv'}'",
            f"ATTACH '{tmp_path / 'c.db'}'",
            "SET enable_external_access = true",
            "SET memory_limit = '9GB'",
            "INSTALL httpfs",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(query)
        values = [7]  # a name in Python is no table
        with pytest.raises(duckdb.Error):
            connection.execute("SELECT * FROM values")
        assert values
    assert os.listdir(tmp_path) == ["a.csv"]


def test_the_folder_for_what_spills_is_private_and_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with database(10**9):
        (folder,) = tmp_path.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not list(tmp_path.iterdir())
