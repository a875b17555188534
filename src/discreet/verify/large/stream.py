"""The bytes of a text from its beginning to its end: unpacked where it is compressed, and in UTF-8."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from discreet.errors import InputError
from discreet.verify.readers.delimited import NAMED

LEAST = 64  # bytes that are read at once: the head of a gzip file is among the first


class EncodingError(Exception):
    """The text is not in the encoding that was tried."""


@dataclass
class Stream:
    """A file of text; `extra` says, once it was read, that its gzip format holds more than the text."""

    path: Path
    name: str
    compressed: bool
    encoding: str = "utf-8"
    mark: bytes = field(default=b"", repr=False)
    extra: bool = False

    def utf8(self, size: int) -> Iterator[bytes]:
        """The text behind its mark in UTF-8, about `size` bytes at a time."""
        try:
            with suppress(UnicodeError):
                b"a".decode(self.encoding)  # what is no encoding of text is not known to this
            decode = codecs.getincrementaldecoder(self.encoding)().decode
        except LookupError:
            raise EncodingError from None
        skip = len(self.mark)
        try:
            for data in self.content(size):
                yield decode(data[skip:]).encode("utf-8")
                skip = max(0, skip - len(data))
            yield decode(b"", True).encode("utf-8")
        except (UnicodeError, AttributeError, TypeError):
            raise EncodingError from None

    def content(self, size: int) -> Iterator[bytes]:
        """What was stored, as it was before it was compressed."""
        with self.path.open("rb") as file:
            if not self.compressed:
                while data := file.read(size):
                    yield data
                return
            try:
                yield from self._inflated(file, max(size, LEAST))
            except (zlib.error, EOFError):
                raise InputError(f"cannot read {self.name}: it is damaged or not compressed with gzip") from None

    def _inflated(self, file: BinaryIO, size: int) -> Iterator[bytes]:
        inflate = zlib.decompressobj(31)
        data = file.read(size)
        if not data:
            return
        self.extra = bool(int.from_bytes(data[3:4], "big") & NAMED)
        while data:
            found = inflate.decompress(data, size)
            if found:
                yield found
            data = inflate.unconsumed_tail
            if inflate.eof:
                rest = inflate.unused_data or file.read(size)
                self.extra = self.extra or bool(rest)
                data = rest.lstrip(b"\0")
                while rest and not data:
                    rest = file.read(size)
                    data = rest.lstrip(b"\0")
                if data:
                    inflate = zlib.decompressobj(31)
            elif not data:
                data = file.read(size)
        if not inflate.eof:
            yield inflate.flush()
        if not inflate.eof:
            raise EOFError
