"""Delimited text that does not fit: its records in order, some megabytes at a time, each field as it is published.

A batch holds the bytes of fields with their quotes, in UTF-8, in arrays of a type of their own: what they mean is told
by the rules for text in memory. Opening reads the text once: that every record has the fields of the header, which
columns have decimal commas, and what stands between records. It is read from its beginning each time, compressed or
not, in whatever encoding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.errors import InputError
from discreet.verify.file import File
from discreet.verify.large.source import BATCH, Source
from discreet.verify.large.stream import EncodingError, Stream
from discreet.verify.large.values import WRITTEN
from discreet.verify.readers import open_table, scan
from discreet.verify.readers.column import Integers, Table, shown
from discreet.verify.readers.delimited import (
    CARRIED,
    DelimitedTable,
    bare_text,
    encodings_of,
    fields_of,
    hint_of,
    likely_delimiter,
    undecodable,
)

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

    stream: Stream | None = None
    delimiter: int = 44
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
        assert self.stream is not None
        try:
            yield from _lots(self.stream, self.body, self.delimiter)
        except (OSError, EncodingError):
            raise InputError(f"{self.name} was changed while it was being checked: check it again") from None

    def whole(self) -> Table:
        assert self.stream is not None
        return open_table(File(self.paths[0], delimiter=chr(self.delimiter), encoding=self.stream.encoding), self.name)

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


def open_text(
    path: Path, name: str, delimiter: str | None, encoding: str | None, *, compressed: bool = False
) -> TextSource:
    """What there is to know of a text before its values are looked at."""
    if delimiter is not None and (
        len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\r\n\0'
    ):
        raise InputError("the delimiter must be one ASCII character, no letter, digit, quote or line end")
    tries, mark = encodings_of(_beginning(Stream(path, name, compressed).content(4), 4), encoding)
    for one in tries:
        stream = Stream(path, name, compressed, one, mark)
        try:
            return _survey(stream, _head(stream, delimiter))
        except EncodingError:
            continue
    raise InputError(undecodable(name, tries[-1]))


def _beginning(pieces: Iterator[bytes], size: int) -> bytes:
    """The first bytes, so many unless there are fewer."""
    found = b""
    for piece in pieces:
        found += piece
        if len(found) >= size:
            break
    return found[:size]


def _head(stream: Stream, delimiter: str | None) -> tuple[list[str], int, int]:
    """The names of columns, the delimiter, and the byte of the text where records begin."""
    name = stream.name
    start = _beginning(stream.utf8(CHUNK), CHUNK)
    text = start if len(start) < CHUNK else start[: max(start.rfind(b"\n"), start.rfind(b"\r")) + 1]
    if not start:
        raise InputError(f"{name} is empty: it needs a line of column names and at least one row")
    _check_plain(text, name)
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
    return names, mark, int(after)


def _check_plain(text: bytes, name: str) -> None:
    if 0 in text:
        raise InputError(f"{name} contains NUL characters, so it is not plain text: if it is UTF-16, give the encoding")


def _survey(stream: Stream, head: tuple[list[str], int, int]) -> TextSource:
    """All records once."""
    names, mark, body = head
    name, width = stream.name, len(names)
    rows = ragged = size = 0
    points: set[str] = set()
    runs = _Runs()
    for lot in _lots(stream, body, mark):
        own = lot.ragged(width)
        ragged, rows, size = ragged + own, rows + len(lot.first) - 1, size + lot.raw.size
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
        (stream.path,),
        schema,
        rows,
        size,
        (CARRIED,) if stream.extra else (),
        stream=stream,
        delimiter=mark,
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


def _lots(stream: Stream, body: int, delimiter: int) -> Iterator[_Lot]:
    """The records from this byte on. The last one of a lot may go on in the next, and stands there."""
    held = b""
    for data in chain(stream.utf8(CHUNK), [None]):
        held += data or b""
        if body:
            body, held = max(0, body - len(held)), held[body:]
        if not held:
            continue
        raw = np.frombuffer(held, np.uint8)
        starts, ends, first, state = fields_of(raw, 0, delimiter)
        cut = len(held)
        if data is not None:
            kept = int(first[-2]) if len(first) > 1 else 0
            if not kept:
                if len(held) > LONGEST:
                    raise InputError(
                        f"{stream.name}: a row is longer than {LONGEST >> 20} MB, or a quote is never closed"
                    )
                continue
            cut, starts, ends, first = int(starts[kept]), starts[:kept], ends[:kept], first[:-1]
        elif state == scan.QUOTED:
            raise InputError(f"{stream.name}: a quote that opens a field is never closed")
        _check_plain(held[:cut], stream.name)
        yield _Lot(raw[:cut], starts, ends, first)
        held = held[cut:]


def _fields(raw: Any, starts: Integers, ends: Integers) -> Any:
    starts, ends = np.ascontiguousarray(starts), np.ascontiguousarray(ends)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(ends - starts)])
    data = np.empty(int(offsets[-1]), np.uint8)
    scan.gather(raw, starts, ends, offsets, data)
    return pa.Array.from_buffers(pa.large_binary(), len(starts), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def _content(raw: Any, starts: Integers, ends: Integers) -> bytes:
    return bytes(_fields(raw, starts, ends).buffers()[2])
