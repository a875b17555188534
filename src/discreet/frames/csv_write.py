"""Write delimited text; what was read from a text and not changed goes back byte for byte.

A column counts as changed if any of its values differs from what was read, and is then written anew
throughout: were the old text kept where the value happens to be the same, records that are published as equal
could be told apart by `1.5` and `1.50`. New fields are quoted where they must be, or where every field of
their column was.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames import csv_scan, csv_wide
from discreet.frames.csv_text import DELIMITERS, EXCEL_HINT, CsvText, Dialect
from discreet.frames.text import as_text

_BLOCK = 1 << 16


def write_csv(
    table: Any,
    handle: BinaryIO,
    *,
    read: Any = None,
    source: CsvText | None = None,
    order: NDArray[np.int64] | None = None,
    anew: Collection[str] = (),
    delimiter: str | None = None,
    encoding: str | None = None,
) -> None:
    """Write the pyarrow Table.

    `source` is the text to follow and `read` the table that was read from it. Row i of the table is row
    `order[i]` of the text (by default row i); if the numbers of rows differ, only the dialect is followed. The
    columns in `anew` are written anew even if no value in them changed.
    """
    dialect = source.delimiter if source is not None else ","
    out = _Plan(table, delimiter or dialect, source)
    if source is not None and read is not None:
        out.keep_unchanged(read, source, order, anew)
    target = Encoder(handle, source, encoding)
    target.write(out.header())
    for block in out.blocks():
        target.write(block)


class Encoder:
    """Turns UTF-8 into the encoding of the text that is followed."""

    def __init__(self, handle: BinaryIO, source: CsvText | Dialect | None, encoding: str | None) -> None:
        self._handle = handle
        self._encoding = encoding or (source.encoding if source is not None else "utf-8")
        try:
            self._encode = codecs.getincrementalencoder(self._encoding)().encode  # writes a mark once, if at all
            self._decode = codecs.getincrementaldecoder("utf-8")().decode  # what is written may end within a letter
        except LookupError:
            raise InputError(f"unknown encoding {encoding!r}: try utf-8, cp1252 or utf-16") from None
        if source is not None and encoding is None:
            handle.write(source.bom)

    def write(self, utf8: bytes) -> None:
        if self._encoding != "utf-8":
            try:
                utf8 = self._encode(self._decode(utf8))
            except UnicodeEncodeError:
                raise InputError(
                    f"the result holds characters that {self._encoding} cannot write: choose the encoding utf-8"
                ) from None
        self._handle.write(utf8)


class _Plan:
    """Which bytes every output column consists of."""

    def __init__(self, table: Any, delimiter: str, source: CsvText | None) -> None:
        self.table = table
        self.delimiter = delimiter
        self.n = len(table)
        self.names: list[str] = table.column_names
        self.types = {field.name: field.type for field in table.schema}
        self.terminator = source.terminator if source is not None else b"\n"
        self.final_newline = source.ends_with_newline if source is not None else True
        self.source = source
        self.kept: dict[str, int] = {}  # columns whose raw fields are copied, and which fields of the text they are
        self.old_text: set[str] = set()  # unchanged columns whose raw fields do not suit the new delimiter
        self.rows = np.arange(self.n, dtype=np.int64)
        self.verbatim = False
        self._texts: dict[str, Any] = {}
        self._quoted: dict[str, bool] = {}
        self._commas: dict[str, bool] = {}

    def keep_unchanged(
        self, read: Any, source: CsvText, order: NDArray[np.int64] | None, anew: Collection[str]
    ) -> None:
        n = len(source.starts)
        if order is not None:
            self.rows = np.asarray(order, dtype=np.int64)
            if self.rows.shape != (self.n,) or (self.n and not 0 <= self.rows.min() <= self.rows.max() < n):
                raise InputError("order must give, for every row of the result, its row in the file that was read")
            if bool(np.array_equal(self.rows, np.arange(n))):
                order = None
        elif self.n != n:
            return
        afresh = set(anew)
        old = dict(zip(read.column_names, read.columns))
        for name, column in zip(self.names, self.table.columns):
            if name in afresh or name not in old:
                continue
            if same_column(column, old[name], order):
                # A single field that is empty would be an empty line, and so no record: it needs new quotes.
                if source.delimiter == self.delimiter and (len(self.names) > 1 or len(source.names) == 1):
                    self.kept[name] = source.places[name]
                else:
                    self.old_text.add(name)
        self.verbatim = order is None and self.delimiter == source.delimiter and tuple(self.names) == source.names

    def header(self) -> bytes:
        source = self.source
        if source is not None and self.verbatim:
            return source.raw[: source.body].tobytes()
        shown = (
            dict(zip(source.names, source.header)) if source is not None and source.delimiter == self.delimiter else {}
        )
        fields = [shown[name] if name in shown else self._quote_name(name) for name in self.names]
        hint = EXCEL_HINT.match(source.raw[: source.body].tobytes()) if source is not None and shown else None
        return (hint[0] if hint else b"") + self.delimiter.encode().join(fields) + self.terminator

    def blocks(self) -> Iterator[bytes]:
        """The records, some thousand at a time."""
        begin = self.source.body if self.source is not None else 0
        for first in range(0, self.n, _BLOCK):
            rows = self.rows[first : first + _BLOCK]
            block = self._block(first, rows, begin)
            last = first + rows.size >= self.n
            if self.verbatim and self.source is not None:
                begin = int(self.source.ends[rows[-1], -1])
                if last:
                    block += self.source.raw[begin:].tobytes()
            elif last and not self.final_newline:
                block = block[: -len(self.terminator)]
            yield block

    def _block(self, first: int, rows: NDArray[np.int64], begin: int) -> bytes:
        taken = np.empty(len(self.names), dtype=np.int64)
        datas: list[NDArray[np.uint8]] = []
        offsets: list[NDArray[np.int64]] = []
        base = 0
        plain = self._plain_fields(first, rows)
        for c, name in enumerate(self.names):
            if name in self.kept:
                taken[c] = self.kept[name]
                continue
            taken[c] = -1 - len(offsets)
            data, places = plain[name] if name in plain else _bytes_of(self._fields(name, first, rows))
            datas.append(data)
            offsets.append(places + base)
            base += data.size
        fresh = np.concatenate(datas) if datas else np.empty(0, np.uint8)
        source = self.source
        if source is not None and (self.kept or self.verbatim):
            raw, starts, ends = source.raw, source.starts, source.ends
        else:
            raw, starts, ends = np.frombuffer(b"", np.uint8), np.empty((0, 1), np.int32), np.empty((0, 1), np.int32)
        size = fresh.size + rows.size * (len(self.names) + len(self.terminator))
        if self.verbatim:
            size += int(ends[rows[-1], -1]) - begin
        else:
            for c in self.kept.values():
                size += int((ends[rows, c] - starts[rows, c]).sum(dtype=np.int64))
        out = np.empty(size, dtype=np.uint8)
        terminator = np.frombuffer(self.terminator, dtype=np.uint8)
        places_2d = np.stack(offsets) if offsets else np.zeros((0, 1), np.int64)
        written = csv_scan.weave(
            raw,
            starts,
            ends,
            rows,
            taken,
            fresh,
            places_2d,
            ord(self.delimiter),
            terminator,
            self.verbatim,
            begin,
            out,
        )
        return out[:written].tobytes()

    def _plain_fields(self, first: int, rows: NDArray[np.int64]) -> dict[str, tuple[Any, NDArray[np.int64]]]:
        """New fields of a wide table that are numbers without quotes, written together: their bytes and offsets."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if len(self.names) < csv_wide.WIDTH or rows.size > csv_wide.ROWS or self.delimiter not in DELIMITERS:
            return {}
        groups: dict[Any, list[tuple[str, Any]]] = {}
        for name, column in zip(self.names, self.table.columns):
            old = name in self.kept or name in self.old_text or self._comma(name) or self._always_quoted(name)
            if not old and self._numeric(name):
                groups.setdefault(self.types[name], []).append((name, column.slice(first, rows.size)))
        found = {}
        for kind, columns in groups.items():
            cells = pa.chunked_array([chunk for _, column in columns for chunk in column.chunks], kind)
            text = pc.fill_null(as_text(cells).cast(pa.large_string()), "")
            data, places = _bytes_of(pa.concat_arrays(text.chunks))
            for place, (name, _) in enumerate(columns):
                own = places[place * rows.size : (place + 1) * rows.size + 1]
                found[name] = (data[own[0] : own[-1]], own - own[0])
        return found

    def _fields(self, name: str, first: int, rows: NDArray[np.int64]) -> Any:
        """New fields of a column: an Arrow string array without nulls, quoted as needed."""
        import pyarrow as pa
        import pyarrow.compute as pc

        number = self._numeric(name) and name not in self.old_text
        comma = self._comma(name)
        text = self._text(name, first, rows)
        if comma:
            text = pc.replace_substring(text, ".", ",")
        text = pc.fill_null(text.cast(pa.large_string()), "")
        always = self._always_quoted(name)
        if number and not comma and not always and len(self.names) > 1 and self.delimiter in DELIMITERS:
            return text  # a number that cannot need quotes
        return self._quote(text, always)

    def _comma(self, name: str) -> bool:
        """Whether new numbers get decimal commas: those of a column that had them, unless ranges stand among them."""
        import pyarrow.compute as pc

        if self.source is None or name not in self.source.decimal_commas or name in self.old_text:
            return False
        if name not in self._commas:
            whole = self._whole_text(name)
            self._commas[name] = self._numeric(name) or not pc.any(pc.match_substring_regex(whole, r"[\[*]")).as_py()
        return self._commas[name]

    def _text(self, name: str, first: int, rows: NDArray[np.int64]) -> Any:
        """The text of some rows of a column, in one Arrow array."""
        import pyarrow as pa

        if name in self.old_text:
            return self._whole_text(name).take(pa.array(rows))
        if pa.types.is_timestamp(self.types[name]):
            text = self._whole_text(name).slice(first, rows.size)  # whether a time is shown depends on all rows
        else:
            text = as_text(self.table.column(name).slice(first, rows.size))
        return pa.concat_arrays(text.chunks) if text.num_chunks else pa.array([], text.type)

    def _numeric(self, name: str) -> bool:
        import pyarrow as pa

        kind = self.types[name]
        return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind))

    def _whole_text(self, name: str) -> Any:
        if name not in self._texts:
            old = self.source.text(name) if self.source is not None and name in self.old_text else None
            self._texts[name] = as_text(self.table.column(name)) if old is None else old
        return self._texts[name]

    def _always_quoted(self, name: str) -> bool:
        if name not in self._quoted:
            source = self.source
            self._quoted[name] = source is not None and name in source.places and source.all_quoted(name)
        return self._quoted[name]

    def _quote(self, text: Any, always: bool) -> Any:
        return quoted(text, self.delimiter, always=always, alone=len(self.names) == 1)

    def _quote_name(self, name: str) -> bytes:
        import pyarrow as pa

        return str(self._quote(pa.array([name], pa.large_string()), False)[0].as_py()).encode()


def quoted(text: Any, delimiter: str, *, always: bool, alone: bool) -> Any:
    """Fields with quotes where they need them, or wherever something stands; `alone` in their row, empty ones too."""
    import pyarrow as pa
    import pyarrow.compute as pc

    special = pc.match_substring_regex(text, f'[\\x{ord(delimiter):02x}"\\r\\n]')
    if alone:  # an empty line is no record
        special = pc.or_(special, pc.equal(text, ""))
    if not always and not pc.any(special).as_py():
        return text
    quote = pa.scalar('"', pa.large_string())
    doubled = pc.replace_substring(text, '"', '""')
    found = pc.binary_join_element_wise(quote, doubled, quote, pa.scalar("", pa.large_string()))
    if always:
        special = pc.or_(special, pc.not_equal(text, ""))
    return pc.if_else(special, found, text)


def same_column(new: Any, old: Any, order: NDArray[np.int64] | None) -> bool:
    import pyarrow as pa

    if new.type != old.type:
        if _sort(new.type) != _sort(old.type):
            return False
        try:
            new = new.cast(old.type)  # another kind of frame has other types for the same values
        except pa.ArrowInvalid:
            return False
    return bool(new.equals(old if order is None else old.take(pa.array(order))))


def _sort(kind: Any) -> str:
    import pyarrow as pa

    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return "number"
    return "text" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else str(kind)


def _bytes_of(text: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The characters of a large string array one after another, and the offsets of its values in them."""
    _, places, data = text.buffers()
    offsets = np.frombuffer(places, dtype=np.int64)[text.offset : text.offset + len(text) + 1]
    raw = np.frombuffer(data, dtype=np.uint8) if data is not None else np.empty(0, np.uint8)
    return raw[offsets[0] : offsets[-1]], offsets - offsets[0]
