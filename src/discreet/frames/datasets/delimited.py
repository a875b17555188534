"""Delimited text that is read and written as a stream: which bytes are whole records, and what its columns hold.

Opening reads the text once, some megabytes at a time: it is cut between records, every record must have the fields of
the header, and a column is one of numbers by the rules for text in memory (`discreet.frames.csv_text`), judged by all
of its values. Fields that are not replaced are published as they are written, to the byte; between them stand the
delimiter and the line end of the header.
"""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames import csv_scan
from discreet.frames.csv_text import (
    BOMS,
    DELIMITERS,
    EXCEL_HINT,
    check_delimiter,
    detect_delimiter,
    first_record,
    ragged_fault,
    room_for,
    string_array,
    unquoted,
)
from discreet.frames.numbers import TEXT, manner_of, numbers_as, type_of

CHUNK = 1 << 22
LONGEST = 1 << 26
"""Bytes that a record may have."""
ROWS = 1 << 16
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

    def batches(self, file: str, columns: Sequence[str] | None, *, raw: bool) -> Iterator[Any]:
        """The records of the spans as record batches, of values or, `raw`, of bytes as they are written."""
        import pyarrow as pa

        names = list(self.names if columns is None else columns)
        with open(file, "rb") as handle:
            for begin, end, rows in self.spans:
                handle.seek(begin)
                text = _to_utf8(handle.read(end - begin), self.encoding)
                fields = None if text is None else _Fields.of(text, self)
                if fields is None or fields.ragged or len(fields.starts) != rows:
                    raise _changed(file)
                arrays = [
                    fields.raw_column(self.names.index(name)) if raw else self._values(fields, name, file)
                    for name in names
                ]
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
    path: Path, *, delimiter: str | None = None, encoding: str | None = None, wanted: str | None = None
) -> Delimited:
    """What there is to know of a text; `wanted` is the delimiter that its name stands for."""
    name = str(path)
    if delimiter is not None:
        check_delimiter(delimiter)
    bom, marked = _mark(path)
    if marked is not None and marked != "utf-8":
        raise InputError(f"{name} is in {marked}, which is read in memory only: convert it to UTF-8 or to Parquet")
    choices = [encoding] if encoding is not None else [marked] if marked else ["utf-8", "cp1252", "latin-1"]
    for choice in choices:
        plain = _single_bytes(choice)
        how = _head(path, name, plain, bom, delimiter or wanted)
        found = None if how is None else _survey(path, name, how)
        if found is not None:
            return found
    raise InputError(f"{name} is not text in {choices[-1]}: give the right encoding, such as utf-8, cp1252 or utf-16")


def _mark(path: Path) -> tuple[bytes, str | None]:
    with path.open("rb") as handle:
        start = handle.read(4)
    return next(((mark, kind) for mark, kind in BOMS if start.startswith(mark)), (b"", None))


def _single_bytes(encoding: str) -> str:
    """An encoding in which line ends, quotes and delimiters are bytes of their own."""
    try:
        plain = codecs.lookup(encoding).name
    except LookupError:
        raise InputError(f"unknown encoding {encoding!r}: try utf-8, cp1252, latin-1 or utf-16") from None
    plain = {"utf-8-sig": "utf-8", "iso8859-1": "latin-1"}.get(plain, plain)
    try:
        every = bytes(range(256)).decode(plain, "replace")
        single = len(every) == 256 and every[:128].encode("ascii") == bytes(range(128))
    except (LookupError, UnicodeError, AssertionError):
        single = False
    if plain not in ("utf-8", "ascii") and not single:
        raise InputError(f"text in {plain} is read in memory only: convert it to UTF-8 or to Parquet")
    return plain


def _to_utf8(data: bytes, encoding: str) -> bytes | None:
    """Whole records in UTF-8; None where they are not in this encoding."""
    if data.isascii():
        return data
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return data if encoding == "utf-8" else text.encode("utf-8")


def _head(path: Path, name: str, encoding: str, bom: bytes, delimiter: str | None) -> Delimited | None:
    """The header of a text; None where it is not in this encoding."""
    with path.open("rb") as handle:
        start = handle.read(CHUNK)[len(bom) :]
    if not start:
        raise InputError(f"{name} is empty: it needs a line of column names and at least one row")
    ahead = start if len(start) < CHUNK - len(bom) else start[: max(start.rfind(b"\n"), start.rfind(b"\r")) + 1]
    text = _to_utf8(ahead, encoding)
    if text is None:
        return None
    if b"\0" in text:
        raise InputError(
            f"{name} contains NUL characters, so it is not plain text in {encoding}: if it is a UTF-16 file, convert it"
        )
    raw = np.frombuffer(text, np.uint8)
    hint = EXCEL_HINT.match(text)
    mark = delimiter or (hint[1].decode() if hint else detect_delimiter(raw))
    header, body = first_record(raw, check_delimiter(mark), hint.end() if hint else 0)
    if not header:
        raise InputError(f"{name} has no text: it needs a line of column names and at least one row")
    head = text[:body]
    if head[-1:] not in (b"\n", b"\r"):
        if len(start) >= CHUNK - len(bom):
            raise InputError(f"{name}: the line of column names is longer than {CHUNK >> 20} MB")
        raise InputError(f"{name} has column names but no rows")
    names = tuple(unquoted(one).decode("utf-8") for one in header)
    repeated = [(column, count) for column, count in Counter(names).items() if count > 1]
    if repeated:
        raise InputError(f"{name} has {count} columns named {column!r}: rename them" for column, count in repeated)
    return Delimited(names, header, head, mark, encoding, bom)


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
    body = len(how.bom) + len(how.head if how.encoding == "utf-8" else how.head.decode("utf-8").encode(how.encoding))
    last = b""
    with path.open("rb") as handle:
        for begin, data in _chunks(handle, body, how.delimiter, name):
            text = _to_utf8(data, how.encoding)
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


def _chunks(handle: BinaryIO, begin: int, delimiter: str, name: str) -> Iterator[tuple[int, bytes]]:
    """Whole records from this byte on, some megabytes at a time, and the byte where each lot begins."""
    handle.seek(begin)
    held = b""
    while True:
        data = handle.read(CHUNK)
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


class TextCopy:
    """A text that is written piece by piece in the manner of another; what is binary in a piece stands as it is."""

    def __init__(self, handle: BinaryIO, how: Delimited, columns: Collection[str]) -> None:
        from discreet.frames.csv_write import Encoder

        self._how, self._target = how, Encoder(handle, how, None)
        fields = [one for name, one in zip(how.names, how.header) if name in columns]
        head = how.head if len(fields) == len(how.names) else how.delimiter.encode().join(fields) + how.terminator
        self._target.write(head)
        self._end = b""

    def write(self, table: Any) -> None:
        """Add a piece."""
        import pyarrow as pa
        import pyarrow.compute as pc

        binary = pa.large_binary()
        delimiter, end = (pa.scalar(one, binary) for one in (self._how.delimiter.encode(), self._how.terminator))
        for batch in table.to_batches(max_chunksize=ROWS):
            fields = [self._fields(name, batch.column(name), batch.num_columns == 1) for name in batch.schema.names]
            rows = pc.binary_join_element_wise(*fields, delimiter) if len(fields) > 1 else fields[0]
            block = pc.binary_join_element_wise(rows, pa.scalar(b"", binary), end)
            offsets = np.frombuffer(block.buffers()[1], np.int64)[block.offset : block.offset + len(block) + 1]
            text = block.buffers()[2].slice(int(offsets[0]), int(offsets[-1] - offsets[0])).to_pybytes()
            self._target.write(self._end + text.removesuffix(self._how.terminator))
            self._end = self._how.terminator

    def _fields(self, name: str, column: Any, alone: bool) -> Any:
        """The fields of a column as bytes: what is binary as it is, numbers as in memory."""
        import pyarrow as pa
        import pyarrow.compute as pc

        from discreet.frames.csv_write import quoted
        from discreet.frames.text import as_text

        if pa.types.is_large_binary(column.type):  # alone in its row, an empty field would be an empty line
            return pc.if_else(pc.equal(column, b""), pa.scalar(b'""', column.type), column) if alone else column
        text = pa.concat_arrays(as_text(column).chunks)
        if name in self._how.commas:
            text = pc.replace_substring(text, ".", ",")
        text = pc.fill_null(text.cast(pa.large_string()), "")
        always = name in self._how.quoted
        if always or alone or self._how.delimiter not in DELIMITERS:
            text = quoted(text, self._how.delimiter, always=always, alone=alone)
        return text.cast(pa.large_binary())

    def close(self) -> None:
        """The last line ends as that of the other text does."""
        if self._how.ends_with_newline:
            self._target.write(self._end)
