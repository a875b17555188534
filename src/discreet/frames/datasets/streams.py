"""The bytes of a delimited text, as they are cut into records.

Where letters are bytes (UTF-8, encodings of one byte a letter) these are the bytes of the file, and one may begin to
read anywhere. Any other text, and one that is compressed, is a stream of UTF-8 that is unpacked and decoded on the way:
it is read from its beginning to its end, and places are those in that stream.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, BinaryIO, Protocol

from discreet.errors import InputError

STEP = 1 << 22
LEVEL = 6
"""How hard gzip tries: the last percent costs three times the work."""


class Reader(Protocol):
    """What records are read from."""

    def read(self, size: int, /) -> bytes: ...
    def seek(self, place: int, /) -> Any: ...


def has_bytes_for_letters(encoding: str) -> bool:
    """Whether line ends, quotes and delimiters are bytes that stand for nothing else."""
    if encoding in ("utf-8", "ascii"):
        return True
    try:
        every = bytes(range(256)).decode(encoding, "replace")
        return len(every) == 256 and every[:128].encode("ascii") == bytes(range(128))
    except (LookupError, UnicodeError, AssertionError):
        return False


@contextmanager
def opened(path: str, encoding: str, mark: bytes, *, compressed: bool) -> Iterator[Reader]:
    """The text of a file that begins with this byte order mark."""
    with unpacked(path, compressed=compressed) as source:
        if not compressed and has_bytes_for_letters(encoding):
            yield source
        else:
            source.read(len(mark))
            yield _Decoded(source, encoding, path)


@contextmanager
def unpacked(path: str, *, compressed: bool) -> Iterator[BinaryIO]:
    """A file as it is before it was compressed; an error in plain words where it cannot be unpacked."""
    with open(path, "rb") as handle, gzip.GzipFile(fileobj=handle) if compressed else nullcontext(handle) as source:
        try:
            yield source  # type: ignore[misc]
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise InputError(f"cannot read {path}: it is damaged or not compressed with gzip") from None


@contextmanager
def packed(handle: BinaryIO, *, compressed: bool) -> Iterator[BinaryIO]:
    """Where to write what is to lie in a file; compressed, it goes without a name or a time, which would tell."""
    if not compressed:
        yield handle
        return
    with gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=handle, mtime=0) as packing:
        yield packing  # type: ignore[misc]


class _Decoded:
    """A text in UTF-8, from its beginning to its end."""

    def __init__(self, source: BinaryIO, encoding: str, name: str) -> None:
        try:
            with suppress(UnicodeError):
                b"a".decode(encoding)  # what is no encoding of text is not known to this
            self._decode = codecs.getincrementaldecoder(encoding)().decode
        except LookupError:
            raise InputError(
                f"{name} is not text in {encoding}: give the right encoding, such as utf-8, cp1252 or utf-16"
            ) from None
        self._source = source
        self._held = bytearray()
        self._at = 0
        self._ended = False

    def read(self, size: int, /) -> bytes:
        """The next bytes, so many unless the text ends."""
        while len(self._held) < size and not self._ended:
            data = self._source.read(STEP)
            self._ended = not data
            self._held += self._decode(data, self._ended).encode("utf-8")
        found = bytes(self._held[:size])
        del self._held[:size]
        self._at += len(found)
        return found

    def seek(self, place: int, /) -> None:
        """Go on from a later place."""
        while self._at < place and self.read(min(STEP, place - self._at)):
            pass
