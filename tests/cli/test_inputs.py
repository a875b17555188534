"""What a command reads is what its release is checked against: streams are kept, files must stay as they were."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from discreet.cli.inputs import Source, extension, is_text
from discreet.errors import InputError


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a.csv", "csv"),
        ("A.CSV.GZ", "csv.gz"),
        ("a.b.parquet", "parquet"),
        ("folder.d/a", "csv"),
        ("a.gz", "gz"),
        ("-", "csv"),
        (Path("x") / "y.sav", "sav"),
    ],
)
def test_the_end_of_a_name_tells_the_format(name: str | Path, found: str) -> None:
    assert extension(name) == found


def test_only_delimited_text_has_a_delimiter() -> None:
    assert is_text("a.csv") and is_text("a.tsv") and is_text("-")
    assert not is_text("a.parquet") and not is_text("a.sav")


def test_a_file_that_stays_is_read_by_both(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x;y\n1;2\n")
    source = Source.take(str(path), ";", "utf-8")
    assert source.data is None
    assert source.read().names == ["x", "y"]
    file = source.file()
    assert (file.path, file.data, file.delimiter, file.encoding) == (str(path), None, ";", "utf-8")
    source.check_unchanged()


@pytest.mark.parametrize("change", ["longer", "same length", "another file", "gone"])
def test_a_file_that_changes_is_noticed(change: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n")
    source = Source.take(str(path))
    if change == "longer":
        path.write_text("x\n1\n2\n")
    elif change == "same length":
        path.write_text("x\n2\n")
        os.utime(path, ns=(1, 1))
    elif change == "another file":
        (tmp_path / "b").write_text("x\n1\n")
        os.replace(tmp_path / "b", path)
    else:
        path.unlink()
    with pytest.raises(InputError, match="was changed while it was being worked on"):
        source.check_unchanged()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name here")
def test_a_pipe_is_read_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    writer = Thread(target=path.write_bytes, args=(b"x\n7\n",))
    writer.start()
    source = Source.take(str(path))
    writer.join()
    assert source.data == b"x\n7\n"
    assert source.read().names == ["x"]
    assert (source.file().data, source.file().format) == (b"x\n7\n", "csv")
    source.check_unchanged()


def test_no_such_file_is_for_its_reader_to_say(tmp_path: Path) -> None:
    source = Source.take(str(tmp_path / "none.csv"))
    assert source.stamp is None
    with pytest.raises(InputError):
        source.read()
