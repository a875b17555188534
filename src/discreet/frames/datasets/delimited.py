"""Delimited text that is read and written as a stream: which bytes are whole records, and what its columns hold.

Opening reads the text once, some megabytes at a time: it is cut between records, every record must have the fields of
the header, and a column is one of numbers by the rules for text in memory (`discreet.frames.csv_text`), judged by all
of its values. Fields that are not replaced are published as they are written, to the byte; between them stand the
delimiter and the line end of the header.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames import csv_scan
from discreet.frames.csv_text import (
    EXCEL_HINT,
    check_delimiter,
    detect_delimiter,
    encodings_of,
    first_record,
    ragged_fault,
    room_for,
    string_array,
    undecodable,
    unquoted,
)
from discreet.frames.datasets.streams import Reader, has_bytes_for_letters, opened, unpacked
from discreet.frames.numbers import TEXT, manner_of, numbers_as, type_of

CHUNK = 1 << 22
LONGEST = 1 << 26
"""Bytes that a record may have."""
Span = tuple[int, int, int]


@dataclass(frozen=True)
class Delimited:
    """How a text is written, what its columns hold, and where its records are.

    `head` is all that stands before the first record; `kinds` are the types of columns, `commas` those with decimal
    commas, `quoted` those whose fields all stand in quotes. `spans` are (first byte, byte after the last, records).
    """

    names: tuple[str, ...]
    header: tuple[bytes, ...] = field(repr=False)
    head: bytes = field(repr=False)
    delimiter: str
    encoding: str
    bom: bytes
    compressed: bool = False
    ends_with_newline: bool = True
    kinds: tuple[str, ...] = ()
    commas: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = field(default=(), repr=False)

    @property
    def terminator(self) -> bytes:
        """How the header's line ends."""
        return b"\r\n" if self.head.endswith(b"\r\n") else self.head[-1:]

    @property
    def hint(self) -> bytes:
        """Excel's first line, which names the delimiter, if there is one."""
        found = EXCEL_HINT.match(self.head)
        return self.head[: found.end()] if found else b""

    @property
    def in_a_row(self) -> bool:
        """Whether the text can only be read from its beginning, and places are those in its UTF-8."""
        return self.compressed or not has_bytes_for_letters(self.encoding)

    @property
    def schema(self) -> Any:
        import pyarrow as pa

        types = {"int64": pa.int64(), "double": pa.float64(), "string": pa.string()}
        return pa.schema([(name, types[kind]) for name, kind in zip(self.names, self.kinds)])

    @property
    def row_bytes(self) -> float:
        """Bytes that a record takes in memory, as written and with the bounds of its fields."""
        size, rows = sum(end - begin for begin, end, _ in self.spans), sum(rows for _, _, rows in self.spans)
        return 2.0 * size / rows + 16.0 * len(self.names)

    def part(self, groups: tuple[int, int]) -> Delimited:
        """The same of some of its spans."""
        return replace(self, spans=self.spans[slice(*groups)])

    def opened(self, file: str) -> AbstractContextManager[Reader]:
        """The text in this file, from its beginning on."""
        return opened(file, self.encoding, self.bom, compressed=self.compressed)

    def utf8(self, data: bytes) -> bytes | None:
        """What was read from the text in UTF-8; None where it is not in this encoding."""
        return data if self.in_a_row else _to_utf8(data, self.encoding)

    def batches(
        self, file: str, columns: Sequence[str] | None, *, raw: Collection[str] = (), texts: Collection[str] = ()
    ) -> Iterator[Any]:
        """The records of the spans as record batches of values; of columns in `texts` as text, in `raw` as bytes."""
        import pyarrow as pa

        names = list(self.names if columns is None else columns)
        with self.opened(file) as source:
            for begin, end, rows in self.spans:
                try:
                    source.seek(begin)
                    text = self.utf8(source.read(end - begin))
                except UnicodeError:
                    text = None
                fields = None if text is None else _Fields.of(text, self)
                if fields is None or fields.ragged or len(fields.starts) != rows:
                    raise _changed(file)
                arrays = []
                for name in names:
                    if name in raw:
                        arrays.append(fields.raw_column(self.names.index(name)))
                    elif name in texts:
                        arrays.append(fields.strings(self.names.index(name))[0].cast(pa.string()))
                    else:
                        arrays.append(self._values(fields, name, file))
                yield pa.record_batch(arrays, names=names)

    def _values(self, fields: _Fields, name: str, file: str) -> Any:
        import pyarrow as pa

        at = self.names.index(name)
        strings, kind = fields.strings(at)[0], self.kinds[at]
        found = strings.cast(pa.string()) if kind == "string" else numbers_as(strings, kind, name in self.commas)
        if found is None:
            raise _changed(file)
        return found


def _changed(file: str) -> InputError:
    return InputError(f"{file} was changed while it was being worked on: run it again")


@dataclass(frozen=True)
class _Fields:
    """Whole records in memory, in UTF-8, and the places of their fields."""

    raw: NDArray[np.uint8]
    starts: NDArray[Any]
    ends: NDArray[Any]
    ragged: int
    lines: list[int]
    open_quote: int

    @staticmethod
    def of(text: bytes, how: Delimited) -> _Fields:
        raw = np.frombuffer(text, np.uint8)
        starts, ends = room_for(raw, 0, len(how.names))
        lines = np.zeros(5, np.int64)
        found = csv_scan.scan(raw, 0, ord(how.delimiter), len(how.names), starts, ends, lines)
        rows, ragged = int(found[csv_scan.RECORDS]), int(found[csv_scan.RAGGED])
        return _Fields(
            raw, starts[:rows], ends[:rows], ragged, lines[:ragged].tolist(), int(found[csv_scan.OPEN_QUOTE])
        )

    def bare(self) -> NDArray[np.bool_]:
        """Which columns have something without quotes in the first record."""
        first, end = self.starts[0], self.ends[0]
        return (first < end) & (self.raw[np.minimum(first, self.raw.size - 1)] != csv_scan.QUOTE)

    def strings(self, at: int) -> tuple[Any, int]:
        """A column's unquoted texts, null where empty, and how many fields are quoted."""
        return string_array(self.raw, self.starts[:, at], self.ends[:, at])

    def raw_column(self, at: int) -> Any:
        """A column's fields as they are written."""
        import pyarrow as pa

        starts, ends = self.starts[:, at].astype(np.int64), self.ends[:, at].astype(np.int64)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(ends - starts)])
        data = np.empty(int(offsets[-1]), np.uint8)
        csv_scan.copy_fields(self.raw, starts, ends, data)
        return pa.Array.from_buffers(pa.large_binary(), len(starts), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def open_delimited(
    path: Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    wanted: str | None = None,
    compressed: bool = False,
) -> Delimited:
    """What there is to know of a text; `wanted` is the delimiter that its name stands for."""
    name = str(path)
    if delimiter is not None:
        check_delimiter(delimiter)
    with unpacked(name, compressed=compressed) as source:
        choices, bom = encodings_of(source.read(4), encoding)
    for choice in choices:
        try:
            how = _head(path, name, choice, bom, delimiter or wanted, compressed)
            found = None if how is None else _survey(path, name, how)
        except UnicodeError:
            continue
        if found is not None:
            return found
    raise undecodable(name, choices[-1])


def _to_utf8(data: bytes, encoding: str) -> bytes | None:
    """Whole records in UTF-8; None where they are not in this encoding."""
    if data.isascii():
        return data
    try:
        text = data.decode(encoding)
    except UnicodeError:
        return None
    return data if encoding == "utf-8" else text.encode("utf-8")


def _head(
    path: Path, name: str, encoding: str, bom: bytes, delimiter: str | None, compressed: bool
) -> Delimited | None:
    """The header of a text; None where it is not in this encoding."""
    how = Delimited((), (), b"", "", encoding, bom, compressed)
    with how.opened(name) as source:
        if not how.in_a_row:
            source.seek(len(bom))
        start = source.read(CHUNK)
    if not start:
        raise InputError(f"{name} is empty: it needs a line of column names and at least one row")
    whole = len(start) < CHUNK
    ahead = start if whole else start[: max(start.rfind(b"\n"), start.rfind(b"\r")) + 1]
    text = how.utf8(ahead)
    if text is None:
        return None
    if b"\0" in text:
        raise InputError(
            f"{name} contains NUL characters, so it is not plain text in {encoding}: if it is a UTF-16 file, "
            "say so with the encoding (utf-16)"
        )
    raw = np.frombuffer(text, np.uint8)
    hint = EXCEL_HINT.match(text)
    mark = delimiter or (hint[1].decode() if hint else detect_delimiter(raw))
    header, body = first_record(raw, check_delimiter(mark), hint.end() if hint else 0)
    if not header:
        raise InputError(f"{name} has no text: it needs a line of column names and at least one row")
    head = text[:body]
    if head[-1:] not in (b"\n", b"\r"):
        if not whole:
            raise InputError(f"{name}: the line of column names is longer than {CHUNK >> 20} MB")
        raise InputError(f"{name} has column names but no rows")
    names = tuple(unquoted(one).decode("utf-8") for one in header)
    repeated = [(column, count) for column, count in Counter(names).items() if count > 1]
    if repeated:
        raise InputError(f"{name} has {count} columns named {column!r}: rename them" for column, count in repeated)
    found = replace(how, names=names, header=header, head=head, delimiter=mark)
    _check_writable(name, found)
    return found


def _check_writable(name: str, how: Delimited) -> None:
    """Raise `InputError` where the text, written in its own encoding, would not be what was read."""
    written = how.bom + how.head.decode("utf-8").encode(how.encoding)
    with unpacked(name, compressed=how.compressed) as source:
        if source.read(len(written)) != written:
            raise InputError(
                f"{name} is read, but cannot be written as {how.encoding} as it stands: convert it to UTF-8, or give "
                "the right encoding"
            )


def _survey(path: Path, name: str, how: Delimited) -> Delimited | None:
    """All records once: where they are and what columns hold; None where they are not in the encoding."""
    faults = Faults()
    allow_comma = how.delimiter != ","
    manners: list[set[str]] = [set() for _ in how.names]
    quoted, filled = np.zeros(len(how.names), np.int64), np.zeros(len(how.names), np.int64)
    bare = np.zeros(len(how.names), np.bool_)  # columns whose first field stands without quotes, as in memory
    spans: list[Span] = []
    rows = ragged = 0
    lines: list[int] = []
    line = how.head.count(b"\n") + how.head.count(b"\r") - how.head.count(b"\r\n")
    body = len(how.head)
    if not how.in_a_row:
        body = len(how.bom) + len(how.head.decode("utf-8").encode(how.encoding))
    last = b""
    with how.opened(name) as source:
        for begin, data in _chunks(source, body, how.delimiter, name):
            text = how.utf8(data)
            if text is None:
                return None
            if b"\0" in text:
                raise InputError(f"{name} contains NUL characters, so it is not plain text in {how.encoding}")
            fields = _Fields.of(text, how)
            if fields.open_quote:
                raise InputError(
                    f"{name}: the quote that opens a field on line {line + fields.open_quote} is never closed"
                )
            ragged += fields.ragged
            lines += [line + one for one in fields.lines]
            line += data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
            last = data[-1:]
            if not len(fields.starts):
                continue
            if not rows:
                bare = fields.bare()
            rows += len(fields.starts)
            spans.append((begin, begin + len(data), len(fields.starts)))
            for at, said in enumerate(manners):
                strings, within = fields.strings(at)
                quoted[at] += within
                filled[at] += len(strings) - strings.null_count
                if TEXT not in said:
                    said.add(manner_of(strings, allow_comma))
    if ragged:
        faults.add(ragged_fault(name, ragged, rows + ragged, len(how.names), lines[:5], how.delimiter))
    elif not rows:
        faults.add(f"{name} has column names but no rows")
    faults.raise_if_any()
    types = [type_of(said) for said in manners]
    return replace(
        how,
        ends_with_newline=last in (b"\n", b"\r"),
        kinds=tuple(kind for kind, _ in types),
        commas=frozenset(column for column, (_, comma) in zip(how.names, types) if comma),
        quoted=frozenset(how.names[at] for at in np.flatnonzero((quoted > 0) & (quoted >= filled) & ~bare).tolist()),
        spans=tuple(spans),
    )


def _chunks(source: Reader, begin: int, delimiter: str, name: str) -> Iterator[tuple[int, bytes]]:
    """Whole records from this byte on, some megabytes at a time, and the byte where each lot begins."""
    source.seek(begin)
    held = b""
    while True:
        data = source.read(CHUNK)
        held += data
        if not data:
            if held:
                yield begin, held
            return
        cut = int(csv_scan.last_record(np.frombuffer(held, np.uint8), ord(delimiter)))
        if cut:
            yield begin, held[:cut]
            begin, held = begin + cut, held[cut:]
        elif len(held) > LONGEST:
            raise InputError(
                f"{name}: a row is longer than {LONGEST >> 20} MB; perhaps a quote that opens a field is never closed"
            )
