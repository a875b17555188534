"""What a command works on: the bytes that a method reads are those that its release is checked against."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from discreet.errors import InputError

if TYPE_CHECKING:
    from discreet.frames import Document
    from discreet.verify import File


def extension(path: str | os.PathLike[str]) -> str:
    """The part of a name that tells the format, such as `csv` or `csv.gz`; `csv` where there is none."""
    parts = PurePath(path).name.lower().split(".")[1:]
    return ".".join(parts[-2:] if parts[-1] == "gz" else parts[-1:]) if parts else "csv"


def is_text(path: str | os.PathLike[str]) -> bool:
    """Whether the name stands for delimited text, which has a delimiter and an encoding."""
    from discreet.frames.formats import format_of

    return format_of(path).family == "text"


@dataclass(frozen=True)
class Source:
    """A file of records. A stream is read once and kept; a file must not change until the release was checked."""

    path: str
    delimiter: str | None = None
    encoding: str | None = None
    data: bytes | None = field(default=None, repr=False)
    stamp: tuple[int, ...] | None = field(default=None, repr=False)

    @staticmethod
    def take(path: str, delimiter: str | None = None, encoding: str | None = None) -> Source:
        from discreet.frames.atomic import explain, is_special, is_standard, standard_input

        try:
            if is_standard(path):
                return Source(path, delimiter, encoding, data=standard_input())
            if is_special(Path(path)) and is_text(path):
                return Source(path, delimiter, encoding, data=Path(path).read_bytes())
        except OSError as error:
            raise explain(error, path, "read") from None
        return Source(path, delimiter, encoding, stamp=_stamp(path))

    def read(self, **options: Any) -> Document:
        """The document, by the reader of `frames`."""
        from discreet.frames import read

        return read(self.path, delimiter=self.delimiter, encoding=self.encoding, data=self.data, **options)

    def file(self) -> File:
        """The same for the checker, which reads it by itself."""
        from discreet.verify import File

        if self.data is not None:
            return File(data=self.data, format=extension(self.path), delimiter=self.delimiter, encoding=self.encoding)
        return File(path=self.path, delimiter=self.delimiter, encoding=self.encoding)

    def check_unchanged(self) -> None:
        if self.data is None and _stamp(self.path) != self.stamp:
            raise InputError(f"{self.path} was changed while it was being worked on: run the command again")


def _stamp(path: str) -> tuple[int, ...] | None:
    """What a change of a file changes; None where there is no such file, as its reader will say."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
