"""Files that were made to harm: each is answered with one sentence, and the next file is read as if nothing was."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import InputError
from discreet.release.loading.apart import WAITING, Reader, ReaderBusy
from discreet.release.loading.choices import Choices
from discreet.release.loading.limits import BeyondLimits, ReadLimits

GOOD = b"A,count\nx,1\n"


@pytest.fixture(scope="module")
def strict() -> Iterator[Reader]:
    made = Reader(ReadLimits(rows=200_000, columns=50, memory=256 << 20, seconds=20.0))
    yield made
    made.close()


def parquet(table: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def many_rows(rows: int) -> bytes:
    ones = pa.array(np.ones(1_000_000, np.int64))
    chunk = pa.table({"A": pa.array(["x"]).take(pa.array(np.zeros(1_000_000, np.int64))), "count": ones})
    buffer = io.BytesIO()
    with pq.ParquetWriter(buffer, chunk.schema, compression="zstd") as writer:
        for _ in range(rows // 1_000_000):
            writer.write_table(chunk)
    return buffer.getvalue()


BOMBS: dict[str, tuple[Any, str, str]] = {
    "rows that are not there": (lambda: many_rows(20_000_000), ".parquet", "rows"),
    "columns in a footer": (lambda: parquet(pa.table({f"c{i}": [1] for i in range(2000)})), ".parquet", "columns"),
    "columns in a header": (lambda: b",".join(b"c%d" % i for i in range(60)) + b"\n", ".csv", "columns"),
    "a line": (lambda: b"A,count\n" + b"x" * 60_000_000 + b",1\n", ".csv", "line is longer"),
    "lines": (lambda: b"A\n" + b"x\n" * 300_000, ".csv", "rows"),
    "lines with returns": (lambda: b"A\r" + b"x\r" * 300_000, ".csv", "rows"),
    "texts that are packed": (
        lambda: parquet(pa.table({"A": ["y" * (8 << 20)] * 80}), compression="zstd", use_dictionary=False),
        ".parquet",
        "unpacked",
    ),
    "a dictionary that unfolds": (
        lambda: parquet(pa.table({"A": pa.array(["y" * (8 << 20)] * 200).dictionary_encode()}), compression="zstd"),
        ".parquet",
        "memory",
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_is_too_large(strict: Reader, bomb: str) -> None:
    make, suffix, said = BOMBS[bomb]
    with pytest.raises(BeyondLimits, match=said):
        strict.read(make(), suffix, Choices())
    assert strict.read(GOOD, ".csv", Choices()).settled().total == 1


@pytest.mark.parametrize(
    ("data", "suffix"),
    [
        (b"", ".csv"),
        (b"", ".parquet"),
        (b"\n\n", ".csv"),
        (b"PAR1" + b"\xff" * 1000 + b"PAR1", ".parquet"),
        (b"A\0,count\nx,1\n", ".csv"),
        ("A,count\nx,1\n".encode("utf-16-le"), ".csv"),
        (b"A,count\n", ".csv"),
        (b'A,count\n"x,1\n', ".csv"),
        (parquet(pa.table([pa.array([1]), pa.array([2])], names=["A", "A"])), ".parquet"),
        (parquet(pa.table({"A": pa.array([10**18], pa.timestamp("ns", "Europe/Nowhere")), "count": [1]})), ".parquet"),
    ],
)
def test_what_is_no_table(strict: Reader, data: bytes, suffix: str) -> None:
    with pytest.raises(InputError) as error:
        strict.read(data, suffix, Choices())
    assert not isinstance(error.value, BeyondLimits)
    assert "/tmp" not in str(error.value)


def test_entries_with_parts_are_left_alone(strict: Reader) -> None:
    table = pa.table(
        {"A": ["x", "y"], "L": [[1], [2, 3]], "S": [{"a": 1}, {"a": 2}], "B": [b"1", b"2"], "count": [1, 2]}
    )
    reading = strict.read(parquet(table), ".parquet", Choices())
    assert reading.settled().names == ("A",)
    assert reading.taken is not None and reading.taken.left_out == ("L", "S", "B")
    named = strict.read(parquet(table), ".parquet", Choices(variables=("A", "L")))
    with pytest.raises(InputError, match="lists, structures or bytes"):
        named.settled()


def test_utf_16_with_its_mark_is_text(strict: Reader) -> None:
    assert strict.read("A,count\nx,1\n".encode("utf-16"), ".csv", Choices()).settled().total == 1


def test_time_runs_out() -> None:
    reader = Reader(ReadLimits(seconds=0.001))
    try:
        with pytest.raises(BeyondLimits, match="longer than"):
            reader.read(b"A,count\n" + b"x,1\n" * 400_000, ".csv", Choices())
    finally:
        reader.close()


def test_a_process_that_is_killed_is_replaced() -> None:
    reader = Reader()
    try:
        reader.read(GOOD, ".csv", Choices())
        assert reader._process is not None
        os.killpg(reader._process.pid, 9)
        reader._process.wait()
        assert reader.read(GOOD, ".csv", Choices()).rows == 1
    finally:
        reader.close()


def test_closing_ends_a_read_that_is_under_way() -> None:
    reader = Reader()
    reader.read(GOOD, ".csv", Choices())
    said: list[str] = []

    def read() -> None:
        try:
            reader.read(b"A,count\n" + b"x,1\n" * 2_000_000, ".csv", Choices())
        except InputError as error:
            said.append(str(error))

    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(0.3)
    reader.close()
    thread.join()
    assert len(said) == 1
    with pytest.raises(InputError, match="stopping"):
        reader.read(GOOD, ".csv", Choices())


def test_nothing_is_left_in_the_temporary_folder(strict: Reader, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    strict.read(GOOD, ".csv", Choices())
    with pytest.raises(InputError):
        strict.read(b"A,count\n", ".csv", Choices())
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_server_left_is_removed(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("discreet-reading-old", "discreet-reading-now", "other-old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "table.csv").write_bytes(GOOD)
        if name.endswith("old"):
            os.utime(tmp_path / name, (0, 0))
    (tmp_path / "discreet-reading-link").symlink_to(tmp_path / "other-old")
    reader = Reader()
    reader.read(GOOD, ".csv", Choices())
    reader.close()
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["discreet-reading-link", "discreet-reading-now", "other-old"]
    assert (tmp_path / "other-old" / "table.csv").exists()


def test_few_may_wait(strict: Reader) -> None:
    """Whoever comes when enough wait is told so, instead of holding a thread of the server."""
    with strict._turn:
        waiting = [threading.Thread(target=strict.read, args=(GOOD, ".csv", Choices())) for _ in range(WAITING)]
        for thread in waiting:
            thread.start()
        while strict._queue._value:
            time.sleep(0.01)
        with pytest.raises(ReaderBusy):
            strict.read(GOOD, ".csv", Choices())
    for thread in waiting:
        thread.join()
    assert strict.read(GOOD, ".csv", Choices()).rows == 1


def test_text_that_is_none(strict: Reader) -> None:
    """Bytes that are no UTF-8, in entries and in names, and a name of a megabyte."""
    broken = pa.array([b"\xff\xfe", b"ok"]).view(pa.string())
    with pytest.raises(InputError):
        strict.read(parquet(pa.table({"A": broken, "count": [1, 2]})), ".parquet", Choices()).settled()
    with pytest.raises(InputError, match="at most 256 characters"):
        strict.read(parquet(pa.table({"A" * (1 << 20): ["x"], "count": [1]})), ".parquet", Choices())


def test_when_the_server_is_killed_the_file_goes_too(tmp_path: Path) -> None:
    """As when it is killed without notice: no process and no file is left."""
    script = (
        "from discreet.release.loading.apart import Reader\n"
        "from discreet.release.loading.choices import Choices\n"
        "reader = Reader()\n"
        "reader.read(b'A,count\\nx,1\\n', '.csv', Choices())\n"
        "print(reader._process.pid, flush=True)\n"
        "reader.read(b'A,count\\n' + b'x,1\\n' * 3_000_000, '.csv', Choices())\n"
    )
    environment = dict(os.environ, TMPDIR=str(tmp_path))
    server = subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    while not list(tmp_path.glob("discreet-reading-*/table.csv")):
        time.sleep(0.01)
    server.kill()
    server.wait()
    server.stdout.close()
    for _ in range(1000):
        if not list(tmp_path.glob("discreet-reading-*")) and not Path(f"/proc/{worker}").exists():
            break
        time.sleep(0.02)
    assert not list(tmp_path.glob("discreet-reading-*"))
