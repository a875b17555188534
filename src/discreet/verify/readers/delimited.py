"""Delimited text for the checker: which bytes are which field, and nothing more.

Unless given, the encoding is that of a byte order mark, else UTF-8, Windows-1252 or Latin-1, the first that fits; the
delimiter is the one that Excel's first line `sep=;` names, else tab, semicolon, bar or comma: one that stands in the
header and splits most of the first lines into as many fields as it. Files may be compressed with gzip.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.verify.readers import scan
from discreet.verify.readers.column import DELIMITED, Column, Integers, Table, shown

CANDIDATES = b"\t;|,"
SAMPLE = 65536
NAMED = 0b11100  # a gzip header with extra fields, a name or a comment
CARRIED = "names, comments or several parts of the gzip format"
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class DelimitedTable(Table):
    """A delimited text and the places of its fields: `starts[r, c]` and `ends[r, c]` bound one with its quotes.

    In the columns `points` there are decimal points, in other rows of a text of which this is a part.
    """

    def __init__(self, text: bytes, delimiter: int, begin: int, name: str, *, points: Collection[str] = ()) -> None:
        self.points = points
        self.raw = np.frombuffer(text, np.uint8)
        self.delimiter = delimiter
        head, body = _records(self.raw, begin, delimiter, 1)
        if not head:
            raise InputError(f"{name} has no text: it needs a line of column names and at least one row")
        self.names = [bare_text(text[a:b]) for a, b in head[0]]
        self._place = {column: c for c, column in enumerate(self.names)}
        faults = Faults()
        for column, count in Counter(self.names).items():
            faults.check(count == 1, f"{name} has {count} columns named {shown(column)!r}: rename them")
        starts, ends, first, state = fields_of(self.raw, body, delimiter)
        width = len(self.names)
        self.rows = first.size - 1
        ragged = int((np.diff(first) != width).sum())
        if state == scan.QUOTED:
            faults.add(f"{name}: a quote that opens a field is never closed")
        elif ragged:
            faults.add(
                f"{name}: {ragged} of {self.rows} rows do not have the {width} fields of the header; the delimiter is "
                f"taken to be {'tab' if delimiter == 9 else repr(chr(delimiter))}"
            )
        elif not self.rows:
            faults.add(f"{name} has column names but no rows")
        faults.raise_if_any()
        self.starts, self.ends = starts.reshape(self.rows, width), ends.reshape(self.rows, width)

    def read(self, name: str) -> Column:
        import pyarrow as pa

        c = self._place[name]
        starts, ends = np.ascontiguousarray(self.starts[:, c]), np.ascontiguousarray(self.ends[:, c])
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(ends - starts)])
        data = np.empty(int(offsets[-1]), np.uint8)
        scan.gather(self.raw, starts, ends, offsets, data)
        fields = pa.Array.from_buffers(
            pa.large_binary(), self.rows, [None, pa.py_buffer(offsets), pa.py_buffer(data)]
        ).dictionary_encode()
        codes = fields.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        entries = fields.dictionary
        # Decimal commas are for files that are not separated by them, and for columns without any point.
        comma = self.delimiter != 44 and name not in self.points and b"." not in _content(entries)
        return Column(name, DELIMITED, codes, entries, np.zeros(len(entries), bool), comma=comma)

    def peek(self, name: str, rows: Sequence[int]) -> list[str]:
        c = self._place[name]
        return [bare_text(self.raw[self.starts[r, c] : self.ends[r, c]].tobytes()) for r in rows]

    def profile(self, names: Sequence[str]) -> dict[str, tuple[int, int, bool]]:
        # All fields at once: columns without any number, and plain ones of numbers, need no second look.
        which = np.array([self._place[name] for name in names], np.int64)
        plain, zeros, empty = scan.survey(self.raw, self.starts, self.ends, which)
        numbers, blanks, padded = plain.tolist(), empty.tolist(), zeros.tolist()
        found = {}
        for j, name in enumerate(names):
            if numbers[j] + blanks[j] == self.rows and not padded[j]:
                found[name] = (numbers[j], 0, False)
            else:
                found |= super().profile([name])
        return found

    def same(self, other: Table, names: Sequence[str]) -> set[str]:
        if not isinstance(other, DelimitedTable) or other.rows != self.rows:
            return set()
        here = np.array([self._place[name] for name in names], np.int64)
        there = np.array([other._place[name] for name in names], np.int64)
        equal = scan.alike(self.raw, self.starts, self.ends, other.raw, other.starts, other.ends, here, there)
        # The same bytes mean the same in both files only if neither takes commas for points where the other does not.
        if (self.delimiter == 44) != (other.delimiter == 44):
            return set()
        return {name for name, held in zip(names, equal.tolist()) if held}

    def seams(self) -> tuple[bytes, ...] | None:
        begin, end = self.ends[:-1, -1], self.starts[1:, 0]
        if not begin.size:
            return None
        width = int(end[0] - begin[0])
        if (end - begin == width).all() and all(
            (self.raw[begin + i] == self.raw[begin[0] + i]).all() for i in range(width)
        ):
            return None
        return tuple(self.raw[a:b].tobytes() for a, b in zip(begin.tolist(), end.tolist()))

    def left_rows(self, other: Table, names: Sequence[str]) -> tuple[Integers, Integers] | None:
        import pyarrow as pa

        if not isinstance(other, DelimitedTable) or (self.delimiter == 44) != (other.delimiter == 44):
            return None
        packed = pa.concat_arrays([self._packed(names), other._packed(names)]).dictionary_encode()
        codes = packed.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        return codes[: self.rows], codes[self.rows :]

    def _packed(self, names: Sequence[str]) -> Any:
        """The fields of each row in some columns, one after another, each with its length before it."""
        import pyarrow as pa

        which = np.array([self._place[name] for name in names], np.int64)
        offsets = np.zeros(self.rows + 1, np.int64)
        scan.pack(self.raw, self.starts, self.ends, which, offsets, np.empty(0, np.uint8))
        data = np.empty(int(offsets[-1]), np.uint8)
        scan.pack(self.raw, self.starts, self.ends, which, offsets, data)
        return pa.Array.from_buffers(pa.large_binary(), self.rows, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def read_delimited(
    data: bytes, name: str, *, compressed: bool, delimiter: str | None, encoding: str | None
) -> DelimitedTable:
    """The table in the bytes of a file; `name` is what messages call it."""
    body = data
    if compressed and data:
        try:
            body = gzip.decompress(data)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise InputError(f"cannot read {name}: it is damaged or not compressed with gzip") from None
    if not body:
        raise InputError(f"{name} is empty: it needs a line of column names and at least one row")
    text = _as_utf8(body, name, encoding)
    if 0 in text:
        raise InputError(f"{name} contains NUL characters, so it is not plain text: if it is UTF-16, give the encoding")
    begin, hinted = hint_of(text)
    if delimiter is not None:
        if len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\r\n\0':
            raise InputError("the delimiter must be one ASCII character, no letter, digit, quote or line end")
        mark = ord(delimiter)
    else:
        mark = hinted if hinted is not None else likely_delimiter(text)
    table = DelimitedTable(text, mark, begin, name)
    if compressed and (data[3] & NAMED or _behind(data)):
        table.carried = (CARRIED,)
    return table


def _behind(data: bytes) -> bool:
    """Whether something stands behind the first part of a gzip file: other parts, which may have names too."""
    inflate = zlib.decompressobj(31)
    inflate.decompress(data)
    return bool(inflate.unused_data)


def bare_entries(column: Column) -> Any:
    """The distinct fields of a column without their quotes, as an Arrow array of bytes."""
    import pyarrow as pa

    entries = column.entries
    data = _content(entries)
    if 34 not in data:
        return entries
    offsets = _offsets(entries)
    out, bounds = np.empty(len(data), np.uint8), np.empty(len(entries) + 1, np.int64)
    scan.bare(np.frombuffer(data, np.uint8), offsets, out, bounds)
    return pa.Array.from_buffers(
        pa.large_binary(), len(entries), [None, pa.py_buffer(bounds), pa.py_buffer(out[: bounds[-1]])]
    )


def _offsets(array: Any) -> Integers:
    """Where the values of a binary Arrow array begin and end in `_content`."""
    offsets = np.frombuffer(array.buffers()[1], np.int64)[array.offset : array.offset + len(array) + 1]
    return np.asarray(offsets - offsets[0], np.int64)


def _content(array: Any) -> bytes:
    """All bytes of a binary Arrow array, one value after another."""
    offsets = np.frombuffer(array.buffers()[1], np.int64)[array.offset : array.offset + len(array) + 1]
    data = array.buffers()[2]
    return b"" if data is None else data[int(offsets[0]) : int(offsets[-1])].to_pybytes()


def _as_utf8(data: bytes, name: str, encoding: str | None) -> bytes:
    tries, mark = encodings_of(data, encoding)
    for kind in tries:
        try:
            body = data[len(mark) :]
            if kind in ("utf-8", "ascii", "cp1252", "latin-1") and body.isascii():
                return body
            text = body.decode(kind)
            return text.encode("utf-8") if kind != "utf-8" else body
        except (UnicodeError, LookupError, AttributeError, TypeError):
            continue
    raise InputError(undecodable(name, tries[-1]))


def encodings_of(data: bytes, encoding: str | None) -> tuple[list[str], bytes]:
    """The encodings to try on a text that begins so, and its byte order mark."""
    mark = next((m for m in MARKS if data.startswith(m)), b"")
    if encoding is None:
        return ([MARKS[mark]] if mark else ["utf-8", "cp1252", "latin-1"]), mark
    try:
        wanted = codecs.lookup(encoding).name
    except LookupError:
        raise InputError("unknown encoding: try utf-8, cp1252, latin-1 or utf-16") from None
    unmarked = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
    if mark and wanted in (*unmarked, MARKS[mark]):
        return [MARKS[mark]], mark
    return [unmarked.get(wanted, wanted)], b""


def undecodable(name: str, encoding: str) -> str:
    return f"{name} is not text in {encoding}: give the right encoding, such as utf-8, cp1252 or utf-16"


def hint_of(text: bytes) -> tuple[int, int | None]:
    """Excel's first line `sep=;`: the byte after it and the delimiter it names."""
    if text[:4].lower() == b"sep=" and len(text) > 5 and (text[4] == 9 or 32 <= text[4] <= 126):
        if text[5:7] == b"\r\n":
            return 7, text[4]
        if text[5:6] in (b"\r", b"\n"):
            return 6, text[4]
    return 0, None


def likely_delimiter(text: bytes) -> int:
    sample = np.frombuffer(text[:SAMPLE], np.uint8)
    best, score = 44, (0.0, 0)
    for mark in CANDIDATES:
        _, _, first, _ = fields_of(sample, 0, mark)
        widths = np.diff(first)
        if not widths.size or widths[0] < 2:
            continue
        right = int((widths[1:] == widths[0]).sum())
        wrong = widths.size - 1 - right
        if len(text) > SAMPLE:
            wrong = max(0, wrong - 1)  # the sample may end within a record
        found = (right / (right + wrong) if right + wrong else 1.0, int(widths[0]))
        if found > score:
            best, score = mark, found
    return best


def fields_of(raw: Any, begin: int, delimiter: int) -> tuple[Integers, Integers, Integers, int]:
    """Starts and ends of all fields, the number of fields before each record, and the state at the end."""
    lines = int(np.count_nonzero(raw == 10)) + int(np.count_nonzero(raw == 13)) + 1
    most = lines + int(np.count_nonzero(raw == delimiter))
    starts, ends, first = np.empty(most, np.int64), np.empty(most, np.int64), np.zeros(lines + 1, np.int64)
    records, fields, state, _ = scan.walk(raw, begin, delimiter, np.iinfo(np.int64).max, starts, ends, first)
    return starts[:fields], ends[:fields], first[: records + 1], int(state)


def _records(raw: Any, begin: int, delimiter: int, most: int) -> tuple[list[list[tuple[int, int]]], int]:
    """The bounds of the fields of the first records, and the byte after them."""
    none = np.empty(0, np.int64)
    records, fields, _, after = scan.walk(raw, begin, delimiter, most, none, none, none)
    starts, ends, first = np.empty(fields, np.int64), np.empty(fields, np.int64), np.zeros(records + 1, np.int64)
    scan.walk(raw, begin, delimiter, most, starts, ends, first)
    bounds = list(zip(starts.tolist(), ends.tolist()))
    return [bounds[first[r] : first[r + 1]] for r in range(records)], int(after)


def bare_text(field: bytes) -> str:
    if field[:1] == b'"':
        raw = np.frombuffer(field, np.uint8)
        out, bounds = np.empty(raw.size, np.uint8), np.empty(2, np.int64)
        scan.bare(raw, np.array([0, raw.size], np.int64), out, bounds)
        field = out[: bounds[1]].tobytes()
    return field.decode("utf-8")
