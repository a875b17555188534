"""Texts that are compressed, or whose letters are not bytes, are read from their beginning; what is wrong is said."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from discreet.errors import InputError
from discreet.frames.datasets import dataset, delimited
from discreet.frames.datasets.dataset import read_pieces
from discreet.frames.datasets.streams import has_bytes_for_letters, opened
from discreet.frames.datasets.text_copy import text_copy


def test_places_are_those_of_the_file_or_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "t"
    for encoding, mark in (("utf-8", b""), ("utf-16-le", b"\xff\xfe"), ("gb18030", b"")):
        path.write_bytes(mark + "aé\nソb".encode(encoding))
        with opened(str(path), encoding, mark, compressed=False) as source:
            source.seek(4)
            assert source.read(3).decode() == "ソ"
            assert source.read(10) == b"b"
            assert source.read(1) == b""
    assert [has_bytes_for_letters(one) for one in ("utf-8", "cp1252", "latin-1", "utf-16-le", "gbk", "rot13")] == [
        *(True, True, True),
        *(False, False, False),
    ]


def test_what_is_no_encoding_of_text_is_no_encoding(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n")
    for encoding in ("rot13", "base64", "punycode-x"):
        with pytest.raises(InputError, match=r"is not text in|unknown encoding"):
            dataset(tmp_path / "t.csv", encoding=encoding)


@pytest.mark.parametrize("encoding", ["shift_jis", "gb18030", "utf-16", "utf-16-be", "utf-32", "cp037", "utf-8"])
@pytest.mark.parametrize("packed", [False, True])
def test_any_encoding_is_read_and_written_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, packed: bool
) -> None:
    monkeypatch.setattr(delimited, "CHUNK", 50)
    data = ("a,b\n" + "".join(f'"ソ,{i}",{i}\n' if encoding != "cp037" else f"é,{i}\n" for i in range(60))).encode(
        encoding
    )
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(data) if packed else data)
    found = dataset(path, encoding=encoding)
    assert found.text is not None
    assert len(found.parts(7)) == 1 or (encoding == "utf-8" and not packed)
    assert found.read(["b"]).column("b").to_pylist() == list(range(60))
    copy = tmp_path / "copy"
    with text_copy(copy, found.text, found.columns, compressed=packed) as target:
        for piece in (piece for part in found.parts(7) for piece in read_pieces(part, raw=found.columns)):
            target.write(piece)
    written = copy.read_bytes()
    assert (gzip.decompress(written) if packed else written) == data


def cut_short(data: bytes) -> bytes:
    return data[: len(data) // 2]


def overwritten(data: bytes) -> bytes:
    return data[:-8] + bytes(8)


@pytest.mark.parametrize("spoil", [cut_short, overwritten, lambda data: b"a,b\n1,2\n", lambda data: data + b"junk"])
def test_a_gzip_file_that_is_damaged_is_named(tmp_path: Path, spoil: Any) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(spoil(gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(5000)))))
    with pytest.raises(InputError, match=r"t\.csv\.gz: it is damaged or not compressed with gzip"):
        dataset(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", None])
def test_bytes_that_are_no_text_late_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str | None
) -> None:
    monkeypatch.setattr(delimited, "CHUNK", 100)
    path = tmp_path / "t.csv"
    kind = encoding or "utf-8"
    path.write_bytes("a,b\n".encode(kind) + "1,2\n".encode(kind) * 60 + b"\x00\xdc\x00\xdc" + "3,4\n".encode(kind))
    with pytest.raises(InputError, match=r"is not text in|NUL characters") as told:
        dataset(path, encoding=encoding)
    assert len(told.value.faults) == 1
