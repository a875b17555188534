"""Delimited text that does not fit: its records in order, some megabytes at a time, each field as it is published.

A batch holds the bytes of fields with their quotes, in UTF-8, in arrays of a type of their own: what they mean is told
by the rules for text in memory. Opening reads the text once: that every record has the fields of the header, which
columns have decimal commas, and what stands between records.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.errors import InputError
from discreet.verify.file import File
from discreet.verify.large.source import BATCH, Source
from discreet.verify.large.values import WRITTEN
from discreet.verify.readers import open_table, scan
from discreet.verify.readers.column import Integers, Table, shown
from discreet.verify.readers.delimited import MARKS, DelimitedTable, bare_text, fields_of, hint_of, likely_delimiter

CHUNK = 1 << 22
LONGEST = 1 << 26  # bytes that a record may have
MOST_RUNS = 100_000


class Written(pa.ExtensionType):  # type: ignore[misc]
    """Fields as they stand in a text; `comma` says that numbers have decimal commas."""

    def __init__(self, comma: bool) -> None:
        self.comma = comma
        super().__init__(pa.large_binary(), WRITTEN)

    def __arrow_ext_serialize__(self) -> bytes:
        return b"," if self.comma else b"."

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type: Any, serialized: bytes) -> Written:
        return cls(serialized == b",")


@dataclass(frozen=True)
class TextSource(Source):
    """One file of delimited text; `body` is the byte where records begin, `runs` what stands between them in a row."""

    delimiter: int = 44
    encoding: str = "utf-8"
    body: int = 0
    points: frozenset[str] = frozenset()
    runs: tuple[tuple[bytes, int], ...] = field(default=(), repr=False)

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        places = [self.names.index(name) for name in columns]
        types = [self.schema.field(name).type for name in columns]
        for lot in self._lots():
            if not len(lot.starts):
                continue
            if lot.ragged(len(self.names)):
                raise InputError(f"{self.name} was changed while it was being checked: check it again")
            starts, ends = (one.reshape(-1, len(self.names)) for one in (lot.starts, lot.ends))
            arrays = [
                pa.ExtensionArray.from_storage(kind, _fields(lot.raw, starts[:, at], ends[:, at]))
                for at, kind in zip(places, types)
            ]
            batch = pa.record_batch(arrays, names=list(columns))
            for first in range(0, batch.num_rows, BATCH):
                yield batch.slice(first, BATCH)

    def _lots(self) -> Iterator[_Lot]:
        try:
            yield from _lots(self.paths[0], self.body, self.delimiter, self.encoding, self.name)
        except (OSError, _EncodingError):
            raise InputError(f"{self.name} was changed while it was being checked: check it again") from None

    def whole(self) -> Table:
        return open_table(File(self.paths[0], delimiter=chr(self.delimiter), encoding=self.encoding), self.name)

    def held(self, table: Any) -> Table:
        """Some of the rows as any text in memory."""
        import pyarrow.compute as pc

        columns = [pa.concat_arrays([one.storage for one in column.chunks]) for column in table.columns]
        mark = bytes([self.delimiter])
        between = pa.scalar(mark, pa.large_binary())
        rows = pc.binary_join_element_wise(*columns, between) if len(columns) > 1 else columns[0]
        head = mark.join(b'"' + name.encode().replace(b'"', b'""') + b'"' for name in self.names)
        text = b"\n".join([head, *rows.to_pylist()])
        return DelimitedTable(text, self.delimiter, 0, self.name, points=self.points)

    def seams(self) -> object | None:
        return None if len(self.runs) < 2 else self.runs


@dataclass(frozen=True)
class _Lot:
    """Some megabytes of text, and the fields of the whole records in it."""

    raw: Any
    starts: Integers
    ends: Integers
    first: Integers

    def ragged(self, width: int) -> int:
        return int((np.diff(self.first) != width).sum())


class _EncodingError(Exception):
    """The text is not in the encoding that was tried."""


def open_text(path: Path, name: str, delimiter: str | None, encoding: str | None) -> TextSource | None:
    """What there is to know of a text before its values are looked at; None for encodings that are read whole only."""
    if delimiter is not None and (
        len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\r\n\0'
    ):
        raise InputError("the delimiter must be one ASCII character, no letter, digit, quote or line end")
    with path.open("rb") as handle:
        start = handle.read(CHUNK)
    mark = next((one for one in MARKS if start.startswith(one)), b"")
    tries = [MARKS[mark]] if mark else ["utf-8", "cp1252", "latin-1"]
    if encoding is not None:
        try:
            wanted = codecs.lookup(encoding).name
        except LookupError:
            raise InputError("unknown encoding: try utf-8, cp1252, latin-1 or utf-16") from None
        tries = [{"utf-8-sig": "utf-8"}.get(wanted, wanted)]
        mark = mark if MARKS.get(mark) == tries[0] else b""
    for one in tries:
        if one not in ("utf-8", "ascii") and not _has_single_bytes(one):
            return None
        try:
            return _survey(path, name, _head(start, len(mark), one, delimiter, name), one)
        except _EncodingError:
            continue
    raise InputError(f"{name} is not text in {tries[-1]}: give the right encoding, such as utf-8, cp1252 or utf-16")


def _has_single_bytes(encoding: str) -> bool:
    """Whether every byte is a character, and those of ASCII are what they are there."""
    try:
        every = bytes(range(256)).decode(encoding, "replace")
    except (LookupError, UnicodeError, AssertionError):
        return False
    return len(every) == 256 and every[:128] == bytes(range(128)).decode("ascii")


def _as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    if 0 in data:
        raise InputError(f"{name} contains NUL characters, so it is not plain text: if it is UTF-16, give more memory")
    if data.isascii():
        return data
    try:
        text = data.decode(encoding)
    except UnicodeError:
        raise _EncodingError from None
    return data if encoding == "utf-8" else text.encode("utf-8")


def _head(start: bytes, begin: int, encoding: str, delimiter: str | None, name: str) -> tuple[list[str], int, int]:
    """The names of columns, the delimiter, and the byte of the file where records begin."""
    whole = start[begin:] if len(start) < CHUNK else start[begin : max(start.rfind(b"\n"), start.rfind(b"\r")) + 1]
    if not whole:
        raise InputError(f"{name} is empty: it needs a line of column names and at least one row")
    text = _as_utf8(whole, encoding, name)
    first, hinted = hint_of(text)
    mark = ord(delimiter) if delimiter is not None else hinted if hinted is not None else likely_delimiter(text)
    raw = np.frombuffer(text, np.uint8)
    none = np.empty(0, np.int64)
    records, fields, _, after = scan.walk(raw, first, mark, 1, none, none, none)
    if not records:
        raise InputError(f"{name} has no text: it needs a line of column names and at least one row")
    starts, ends = np.empty(fields, np.int64), np.empty(fields, np.int64)
    scan.walk(raw, first, mark, 1, starts, ends, np.zeros(2, np.int64))
    names = [bare_text(text[a:b]) for a, b in zip(starts.tolist(), ends.tolist())]
    repeated = [one for one in dict.fromkeys(names) if names.count(one) > 1]
    if repeated:
        raise InputError(f"{name} has {names.count(one)} columns named {shown(one)!r}: rename them" for one in repeated)
    head = text[: int(after)]
    return names, mark, begin + len(head if encoding == "utf-8" else head.decode("utf-8").encode(encoding))


def _survey(path: Path, name: str, head: tuple[list[str], int, int], encoding: str) -> TextSource:
    """All records once."""
    names, mark, body = head
    width = len(names)
    rows = ragged = 0
    points: set[str] = set()
    runs = _Runs()
    for lot in _lots(path, body, mark, encoding, name):
        own = lot.ragged(width)
        ragged, rows = ragged + own, rows + len(lot.first) - 1
        if ragged or not len(lot.starts):
            continue
        starts, ends = (one.reshape(-1, width) for one in (lot.starts, lot.ends))
        runs.add(lot.raw, starts[:, 0], ends[:, -1])
        if mark != 44:
            for at, column in enumerate(names):
                if column not in points and b"." in _content(lot.raw, starts[:, at], ends[:, at]):
                    points.add(column)
    if ragged:
        said = "tab" if mark == 9 else repr(chr(mark))
        raise InputError(
            f"{name}: {ragged} of {rows} rows do not have the {width} fields of the header; the delimiter is taken to "
            f"be {said}"
        )
    if not rows:
        raise InputError(f"{name} has column names but no rows")
    # Decimal commas are for files that are not separated by them, and for columns without any point.
    schema = pa.schema([(column, Written(mark != 44 and column not in points)) for column in names])
    return TextSource(
        name,
        (path,),
        schema,
        rows,
        path.stat().st_size,
        (),
        delimiter=mark,
        encoding=encoding,
        body=body,
        points=frozenset(points),
        runs=tuple(runs.found),
    )


class _Runs:
    """What stands between one record and the next: in a row, how often the same."""

    def __init__(self) -> None:
        self.found: list[tuple[bytes, int]] = []
        self._held = b""
        self._begun = False

    def add(self, raw: Any, starts: Integers, ends: Integers) -> None:
        """Another lot, which begins where the one before ended."""
        if self._begun:
            self._note(self._held + raw[: starts[0]].tobytes(), 1)
        self._begun, self._held = True, raw[ends[-1] :].tobytes()
        begin, end = ends[:-1], starts[1:]
        widths = end - begin
        if not begin.size:
            return
        width = int(widths[0])
        if (widths == width).all() and all((raw[begin + i] == raw[begin[0] + i]).all() for i in range(width)):
            self._note(raw[begin[0] : end[0]].tobytes(), begin.size)
            return
        for a, b in zip(begin.tolist(), end.tolist()):
            self._note(raw[a:b].tobytes(), 1)

    def _note(self, seam: bytes, count: int) -> None:
        if self.found and self.found[-1][0] == seam:
            self.found[-1] = (seam, self.found[-1][1] + count)
        elif len(self.found) < MOST_RUNS:
            self.found.append((seam, count))
        else:  # too many to be compared: like no other text
            self.found[-1] = (object().__repr__().encode(), 0)


def _lots(path: Path, body: int, delimiter: int, encoding: str, name: str) -> Iterator[_Lot]:
    """The records from this byte on. The last one of a lot may go on in the next, and stands there."""
    with path.open("rb") as handle:
        handle.seek(body)
        held = b""
        while True:
            data = handle.read(CHUNK)
            held += data
            if not held:
                return
            raw = np.frombuffer(held, np.uint8)
            starts, ends, first, state = fields_of(raw, 0, delimiter)
            cut = len(held)
            if data:
                kept = int(first[-2]) if len(first) > 1 else 0
                if not kept:
                    if len(held) > LONGEST:
                        raise InputError(f"{name}: a row is longer than {LONGEST >> 20} MB, or a quote is never closed")
                    continue
                cut, starts, ends, first = int(starts[kept]), starts[:kept], ends[:kept], first[:-1]
            elif state == scan.QUOTED:
                raise InputError(f"{name}: a quote that opens a field is never closed")
            text = _as_utf8(held[:cut], encoding, name)
            raw = np.frombuffer(text, np.uint8)
            if len(text) != cut:  # longer in UTF-8: the places are others
                starts, ends, first, _ = fields_of(raw, 0, delimiter)
            yield _Lot(raw, starts, ends, first)
            if not data:
                return
            held = held[cut:]


def _fields(raw: Any, starts: Integers, ends: Integers) -> Any:
    starts, ends = np.ascontiguousarray(starts), np.ascontiguousarray(ends)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(ends - starts)])
    data = np.empty(int(offsets[-1]), np.uint8)
    scan.gather(raw, starts, ends, offsets, data)
    return pa.Array.from_buffers(pa.large_binary(), len(starts), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def _content(raw: Any, starts: Integers, ends: Integers) -> bytes:
    return bytes(_fields(raw, starts, ends).buffers()[2])
