"""Read delimited text and keep it: which bytes are which field, and what numbers they mean.

Detected unless given: the encoding (a byte order mark, else UTF-8, else Windows-1252, else Latin-1) and the delimiter
(what Excel's first line `sep=;` says, else comma, semicolon, tab or bar: the one that stands in the header and splits
most of the first lines into as many fields). A column is numeric when every value that is not missing is a number;
where the delimiter is not a comma, numbers may be written with a decimal comma, throughout a column. In a numeric
column the texts in `numbers.MISSING` are missing, in a text column only the empty field.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames import csv_scan, csv_wide
from discreet.frames.dataframes import CODE, COMMA, DIGITS, ZEROS, check_columns
from discreet.frames.numbers import are_codes, looks_like_codes, parse_numbers

DELIMITERS = ("\t", ";", "|", ",")
_SAMPLE = 1 << 16
EXCEL_HINT = re.compile(rb"sep=([\x09\x20-\x7e])(?:\r\n|\r|\n)", re.IGNORECASE)
BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Dialect(Protocol):
    """What a text is encoded by."""

    @property
    def encoding(self) -> str: ...
    @property
    def bom(self) -> bytes: ...


@dataclass(frozen=True)
class CsvText:
    """A delimited text and the places of its fields.

    `raw` is the text in UTF-8 without byte order mark; `starts[r, c]` and `ends[r, c]` bound a field with its
    quotes; `body` is the byte where the header's line ends; `places` tells which field a column is.
    """

    raw: NDArray[np.uint8] = field(repr=False)
    starts: NDArray[Any] = field(repr=False)
    ends: NDArray[Any] = field(repr=False)
    body: int
    names: tuple[str, ...]
    header: tuple[bytes, ...]
    delimiter: str
    encoding: str
    bom: bytes
    decimal_commas: frozenset[str] = frozenset()
    places: Mapping[str, int] = field(default_factory=dict, repr=False)

    @property
    def terminator(self) -> bytes:
        """How the header's line ends; LF if the text ends there."""
        end = self.raw[max(0, self.body - 2) : self.body].tobytes()
        return end if end == b"\r\n" else end[-1:] if end[-1:] in (b"\r", b"\n") else b"\n"

    @property
    def ends_with_newline(self) -> bool:
        return bool(self.raw.size) and int(self.raw[-1]) in (10, 13)

    def text(self, column: str) -> Any:
        """A column's unquoted text as an Arrow string array, null where empty."""
        return self._column(column)[0]

    def all_quoted(self, column: str) -> bool:
        """Whether every field of the column that is not empty stands in quotes."""
        at = self.places[column]
        first, end = int(self.starts[0, at]), int(self.ends[0, at])
        if first < end and self.raw[first] != csv_scan.QUOTE:
            return False  # most columns are told by their first field
        text, quoted = self._column(column)
        return bool(0 < quoted >= len(text) - text.null_count)

    def _column(self, column: str) -> tuple[Any, int]:
        at = self.places[column]
        return string_array(self.raw, self.starts[:, at], self.ends[:, at])


def read_csv(
    data: bytes,
    name: str,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    text: Collection[str] = (),
    exact: Collection[str] = (),
    verbatim: Collection[str] = (),
) -> tuple[Any, CsvText]:
    """The pyarrow Table in `data` and the text itself; `name` is what messages call the file.

    The columns in `text` stay text, as do those in `exact` and `verbatim`, which need not exist.
    """
    if not data:
        raise InputError(f"{name} is empty: it needs a line of column names and at least one row")
    utf8, encoding, bom = _decode(data, name, encoding)
    raw = np.frombuffer(utf8, dtype=np.uint8)
    if utf8.find(b"\0") >= 0:
        raise InputError(
            f"{name} contains NUL characters, so it is not plain text in {encoding}: if it is a UTF-16 file, "
            "say so with the encoding (utf-16)"
        )
    hint = EXCEL_HINT.match(utf8)
    begin = hint.end() if hint else 0
    if delimiter is None and hint:
        delimiter = hint[1].decode()
    delimiter = check_delimiter(delimiter) if delimiter is not None else detect_delimiter(raw)
    header, body = first_record(raw, delimiter, begin)
    if not header:
        raise InputError(f"{name} has no text: it needs a line of column names and at least one row")
    names = tuple(unquoted(field).decode("utf-8") for field in header)
    starts, ends = _locate(raw, body, delimiter, names, name)
    places = {column: at for at, column in enumerate(names)}
    source = CsvText(raw, starts, ends, body, names, header, delimiter, encoding, bom, places=places)
    wanted = names if columns is None else tuple(columns)
    check_columns(name, list(dict.fromkeys((*wanted, *text))), names)
    as_written = frozenset([*text, *verbatim])
    return _type_columns(source, wanted, as_written, frozenset(exact) - as_written)


def detect_delimiter(raw: NDArray[np.uint8]) -> str:
    """The delimiter among `DELIMITERS` that fits the first lines best; a comma if none stands in the header."""
    sample = raw[:_SAMPLE]
    best, best_score = ",", (0.0, 0)
    for candidate in DELIMITERS:
        header, body = first_record(sample, candidate)
        width = len(header)
        if width < 2:
            continue
        starts, ends = room_for(sample, body, width)
        found = csv_scan.scan(sample, body, ord(candidate), width, starts, ends, np.zeros(1, np.int64))
        right, wrong = int(found[csv_scan.RECORDS]), int(found[csv_scan.RAGGED])
        if sample.size < raw.size:
            wrong = max(0, wrong - 1)  # the sample may end within a record
        score = (right / (right + wrong) if right + wrong else 1.0, width)
        if score > best_score:
            best, best_score = candidate, score
    return best


def check_delimiter(delimiter: str) -> str:
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0' or delimiter.isalnum():
        raise InputError(
            "the delimiter must be one ASCII character that is neither a letter, a digit, a quote nor a line end"
        )
    return delimiter


def _decode(data: bytes, name: str, encoding: str | None) -> tuple[bytes, str, bytes]:
    """The text as UTF-8, the encoding it came in and its byte order mark."""
    choices, bom = encodings_of(data[:4], encoding)
    body = data[len(bom) :]
    for choice in choices:
        try:
            return _to_utf8(body, choice), choice, bom
        except (UnicodeError, LookupError):
            continue
    raise undecodable(name, choices[-1])


def encodings_of(start: bytes, encoding: str | None) -> tuple[tuple[str, ...], bytes]:
    """The encodings that a text with these first bytes may be in, to be tried in turn, and its byte order mark."""
    bom, marked = next(((mark, kind) for mark, kind in BOMS if start.startswith(mark)), (b"", None))
    if encoding is None:
        return (marked,) if marked else ("utf-8", "cp1252", "latin-1"), bom
    try:
        plain = codecs.lookup(encoding).name
    except LookupError:
        raise InputError(f"unknown encoding {encoding!r}: try utf-8, cp1252, latin-1 or utf-16") from None
    family = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
    if marked and plain in (marked, "utf-8-sig", "utf-16", "utf-32"):
        return (marked,), bom
    return (family.get(plain, plain),), b""


def _to_utf8(data: bytes, encoding: str) -> bytes:
    if data.isascii() and encoding in ("utf-8", "cp1252", "latin-1", "ascii"):
        return data
    text = data.decode(encoding)
    return data if encoding == "utf-8" else text.encode("utf-8")


def undecodable(name: str, encoding: str) -> InputError:
    return InputError(f"{name} is not text in {encoding}: give the right encoding, such as utf-8, cp1252 or utf-16")


def first_record(raw: NDArray[np.uint8], delimiter: str, begin: int = 0) -> tuple[tuple[bytes, ...], int]:
    """The raw fields of the first record from byte `begin` on, and the byte after it."""
    room = 64
    while True:
        starts = np.empty((1, room), dtype=np.int32)
        ends = np.empty((1, room), dtype=np.int32)
        found = csv_scan.scan(raw, begin, ord(delimiter), 0, starts, ends, np.zeros(1, np.int64))
        width = int(found[csv_scan.RECORDS])
        if width <= room:
            fields = tuple(raw[starts[0, c] : ends[0, c]].tobytes() for c in range(width))
            return fields, int(found[csv_scan.STOP])
        room = width


def _locate(
    raw: NDArray[np.uint8], body: int, delimiter: str, names: tuple[str, ...], name: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    faults = Faults()
    for column, count in Counter(names).items():
        faults.check(count == 1, f"{name} has {count} columns named {column!r}: rename them")
    starts, ends = room_for(raw, body, len(names))
    lines = np.zeros(5, dtype=np.int64)
    found = csv_scan.scan(raw, body, ord(delimiter), len(names), starts, ends, lines)
    rows, ragged = int(found[csv_scan.RECORDS]), int(found[csv_scan.RAGGED])
    if found[csv_scan.OPEN_QUOTE]:
        faults.add(f"{name}: the quote that opens a field on line {found[csv_scan.OPEN_QUOTE]} is never closed")
    elif ragged:
        faults.add(ragged_fault(name, ragged, rows + ragged, len(names), lines[:ragged].tolist(), delimiter))
    elif not rows:
        faults.add(f"{name} has column names but no rows")
    faults.raise_if_any()
    return starts[:rows], ends[:rows]


def ragged_fault(name: str, ragged: int, rows: int, width: int, lines: Sequence[int], delimiter: str) -> str:
    """What to say of rows that have more or fewer fields than the header."""
    shown = ", ".join(map(str, lines)) + (", ..." if ragged > len(lines) else "")
    shown_delimiter = {"\t": "tab"}.get(delimiter, delimiter)
    return (
        f"{name}: {ragged} of {rows} rows do not have the {width} fields of the header (line {shown}); the delimiter "
        f"is taken to be {shown_delimiter!r}"
    )


def room_for(raw: NDArray[np.uint8], body: int, width: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Arrays for the places of as many records as there can be from byte `body` on."""
    rest = raw[body:]
    records = int(np.count_nonzero(rest == 10) + np.count_nonzero(rest == 13)) + 1
    kind = np.int32 if raw.size < 2**31 - 1 else np.int64
    return np.empty((records, width), dtype=kind), np.empty((records, width), dtype=kind)


def unquoted(field: bytes) -> bytes:
    if not field.startswith(b'"'):
        return field
    raw = np.frombuffer(field, dtype=np.uint8)
    bounds = np.array([[0, raw.size]], dtype=np.int32)
    text, _ = string_array(raw, bounds[:, 0], bounds[:, 1])
    return str(text[0].as_py() or "").encode()


def string_array(raw: NDArray[np.uint8], starts: NDArray[Any], ends: NDArray[Any]) -> tuple[Any, int]:
    """The fields as an Arrow string array, null where empty, and how many are quoted."""
    import pyarrow as pa

    offsets = np.empty(starts.size + 1, dtype=np.int64)
    quoted = csv_scan.lengths(raw, starts, ends, offsets)
    data = np.empty(int(offsets[-1]), dtype=np.uint8)
    csv_scan.unquote(raw, starts, ends, data)
    present = offsets[1:] > offsets[:-1]
    validity = None if present.all() else pa.py_buffer(np.packbits(present, bitorder="little"))
    if offsets[-1] < 2**31:
        kind, offsets = pa.string(), offsets.astype(np.int32)
    else:
        kind = pa.large_string()
    buffers = [validity, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(kind, starts.size, buffers), int(quoted)


def _type_columns(
    source: CsvText, wanted: Sequence[str], text: frozenset[str], exact: frozenset[str]
) -> tuple[Any, CsvText]:
    import pyarrow as pa

    arrays, fields = [], []
    commas = set()
    allow_comma = source.delimiter != ","
    plain = _plain_numbers(source, [column for column in wanted if column not in text and column not in exact])
    for column in wanted:
        if column in plain:
            numbers, coded = plain[column]
            arrays.append(numbers)
            fields.append(pa.field(column, numbers.type, metadata=_mark(source.text(column)) if coded else None))
            continue
        strings = source.text(column)
        if column in text or column in exact:
            strings, marked, comma = exact_text(strings, allow_comma, as_written=column in text)
            arrays.append(strings)
        else:
            numbers, comma = parse_numbers(strings, allow_comma)
            arrays.append(strings if numbers is None else numbers)
            coded = numbers is not None and pa.types.is_integer(numbers.type) and looks_like_codes(strings)
            marked = _mark(strings) if coded else COMMA if numbers is None and allow_comma else None
        fields.append(pa.field(column, arrays[-1].type, metadata=marked))
        if comma:
            commas.add(column)
    return pa.table(arrays, schema=pa.schema(fields)), replace(source, decimal_commas=frozenset(commas))


def exact_text(strings: Any, allow_comma: bool, *, as_written: bool) -> tuple[Any, dict[bytes, bytes] | None, bool]:
    """A column that stays text, what its field says of it, and whether its numbers had decimal commas.

    Numbers get decimal points, and keep all of their digits, unless the text is to be `as_written`.
    """
    marks = dict(COMMA) if allow_comma else {}
    if as_written:
        return strings, marks or None, False
    strings, comma = _with_points(strings) if allow_comma else (strings, False)
    if not looks_like_codes(strings):
        marks |= DIGITS
    return strings, marks or None, comma


def _mark(strings: Any) -> dict[bytes, bytes]:
    """What a column of whole numbers with leading zeros is taken for."""
    return CODE if are_codes(strings) else ZEROS


def _plain_numbers(source: CsvText, columns: Sequence[str]) -> dict[str, tuple[Any, bool]]:
    """The columns of a wide text that hold plain numbers, and whether these look like codes."""
    rows = len(source.starts)
    if rows > csv_wide.ROWS or len(columns) < csv_wide.WIDTH:
        return {}
    found = {}
    for block in csv_wide.blocks(rows, len(columns)):
        names = columns[block]
        places = [source.places[name] for name in names]
        starts = np.ascontiguousarray(source.starts[:, places].T).ravel()
        ends = np.ascontiguousarray(source.ends[:, places].T).ravel()
        cells, _ = string_array(source.raw, starts, ends)
        for name, numbers in zip(names, csv_wide.plain_numbers(cells, rows)):
            if numbers is not None:
                found[name] = numbers
    return found


def _with_points(strings: Any) -> tuple[Any, bool]:
    """Numbers with decimal commas as text with decimal points, and whether there were any; other text as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from discreet.frames.exact import numbers_in

    if not pc.any(pc.match_substring(strings, ",")).as_py():
        return strings, False
    encoded = strings.dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
    numbers, shown, _ = numbers_in(codes, texts, True)
    if numbers is None or shown is texts:
        return strings, False
    return pa.DictionaryArray.from_arrays(encoded.indices, pa.array(shown, strings.type)).dictionary_decode(), True
