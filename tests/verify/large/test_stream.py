"""A text as a stream: what its format holds beside it is noticed, and what is damaged is named."""

from __future__ import annotations

import gzip
import io
from importlib import import_module
from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.verify import verify
from discreet.verify.large.stream import EncodingError, Stream
from discreet.verify.large.text import open_text
from discreet.verify.readers.delimited import read_delimited


@pytest.fixture(autouse=True)
def nothing_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("discreet.verify.large"), "PER_CELL", 1 << 40)


@pytest.mark.parametrize("size", [1, 7, 64, 1 << 20])
def test_what_a_gzip_file_holds_beside_the_text_is_noticed(tmp_path: Path, size: int) -> None:
    text = b"a,b\n" + b"1,2\n" * 3000
    named = io.BytesIO()
    with gzip.GzipFile(filename="secret", mode="wb", fileobj=named) as file:
        file.write(text)
    one = gzip.compress(text)
    several = gzip.compress(text[:5000]) + gzip.compress(text[5000:])
    for data, extra in ((one, False), (named.getvalue(), True), (several, True), (one + gzip.compress(b""), True)):
        (tmp_path / "t.csv.gz").write_bytes(data)
        stream = Stream(tmp_path / "t.csv.gz", "t", True)
        assert b"".join(stream.utf8(size)) == text
        assert stream.extra == extra
        held = read_delimited(data, "t", compressed=True, delimiter=None, encoding=None)
        assert bool(held.carried) == extra
        for memory in (None, "1GB"):
            found = verify(
                None, tmp_path / "t.csv.gz", k=5, quasi_identifiers=["a", "b"], guarantee="classes", memory=memory
            )
            assert found.safe and any("gzip" in limit for limit in found.limits) == extra
    for data in (one[:-4], one[:20], one + b"junk", text):
        (tmp_path / "t.csv.gz").write_bytes(data)
        with pytest.raises(InputError, match="damaged or not compressed with gzip"):
            open_text(tmp_path / "t.csv.gz", "t", None, None, compressed=True)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_letters_may_end_in_the_next_piece(tmp_path: Path, size: int) -> None:
    for encoding, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-16-be", b"\xfe\xff"), ("shift_jis", b"")):
        (tmp_path / "t").write_bytes(mark + "aソ\né"[: 3 if encoding == "shift_jis" else 4].encode(encoding))
        found = b"".join(Stream(tmp_path / "t", "t", False, encoding, mark).utf8(size)).decode()
        assert found in ("aソ\n", "aソ\né")
    (tmp_path / "t").write_bytes("aソ".encode("utf-16-le") + b"\0")
    with pytest.raises(EncodingError):
        list(Stream(tmp_path / "t", "t", False, "utf-16-le").utf8(size))
