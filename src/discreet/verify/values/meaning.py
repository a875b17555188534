"""What the entries of a column mean: an exact number, an exact text, or that the value is missing.

Missing are null, NaN, the empty field and what the file itself declares; in a column that otherwise holds numbers also
NA, NaN, nan, null and NULL. A column of text is one of numbers when every entry that is not missing is a number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.verify.readers.column import (
    BOOL,
    BYTES,
    DATE,
    DECIMAL,
    DELIMITED,
    DURATION,
    FLOATS,
    INT,
    MIXED,
    TEMPORAL,
    TEXT,
    TIME,
    Column,
)
from discreet.verify.values.exact import Integers, Mask, Numbers, binary, parse, parse_text, rank
from discreet.verify.values.moments import UNITS, moments

T = TypeVar("T")

TEXTUAL = (DELIMITED, TEXT)
NUMERIC = (INT, DECIMAL, *FLOATS)
CODES = 0.05  # the least share of leading zeros that makes digits of one length codes
FEW = 64
NAMES_OF_NOTHING = ("", "NA", "NaN", "nan", "null", "NULL")
SAYING_NOTHING = frozenset(name.casefold() for name in NAMES_OF_NOTHING)
# Beyond control and format characters: joiners, fillers, variation selectors and the empty Braille pattern (the
# property Default_Ignorable_Code_Point of Unicode, and U+2800).
DRAWN_AS_NOTHING = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x2065, 0x2065),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
)


def once(find: Callable[[Column], T]) -> Callable[[Column], T]:
    """Keep in the column what was found out about it."""

    def found(column: Column) -> T:
        if find.__name__ not in column.notes:
            column.notes[find.__name__] = find(column)
        kept: T = column.notes[find.__name__]
        return kept

    found.__doc__ = find.__doc__
    return found


@once
def content(column: Column) -> Any:
    """The distinct texts of a textual column, without quotes, as an Arrow array; null where the entry is."""
    import pyarrow as pa

    if column.kind == DELIMITED:
        from discreet.verify.readers.delimited import bare_entries

        return bare_entries(column).cast(pa.large_string())
    return column.entries


def slices(texts: Any) -> tuple[bytes, Integers, Integers]:
    """The bytes of an Arrow array of texts, and where each begins and ends; null is empty."""
    offsets = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
    data = texts.buffers()[2]
    return (b"" if data is None else data.to_pybytes()), offsets[:-1].copy(), offsets[1:].copy()


@once
def numbers(column: Column) -> Numbers:
    """The number that each distinct entry is, where it is one."""
    if column.kind in TEXTUAL or column.kind == DECIMAL:
        texts = content(column)
        return parse(*slices(texts), column.comma)
    if column.kind == INT:
        return _whole(column)
    if column.kind in FLOATS:
        return binary(floats(column), int(column.kind[5:]))
    found = [None] * column.size if column.kind != MIXED else [_object_number(value) for value in column.entries]
    long = {i: value for i, value in enumerate(found) if value is not None}
    zeros = np.zeros(column.size, np.int64)
    return Numbers(np.array([value is not None for value in found], bool), zeros, zeros, long)


def _whole(column: Column) -> Numbers:
    import pyarrow as pa

    entries, valid = column.entries, ~_nulls(column)
    zeros = np.zeros(column.size, np.int64)
    if entries.type != pa.uint64():
        return Numbers(valid, entries.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False), zeros)
    values = entries.fill_null(0).to_numpy(zero_copy_only=False)
    large = values >= np.uint64(2**63)
    long = {i: (int(values[i]), 0) for i in np.flatnonzero(large).tolist()}
    return Numbers(valid, np.where(large, np.uint64(0), values).astype(np.int64), zeros, long)


def floats(column: Column) -> NDArray[np.float64]:
    """The values of a column of floats as float64; NaN where null."""
    width = int(column.kind[5:])
    bits = column.entries.fill_null(0).to_numpy(zero_copy_only=False)
    kinds: Any = {16: (np.int16, np.float16), 32: (np.int32, np.float32), 64: (np.int64, np.float64)}
    whole, kind = kinds[width]
    values = np.ascontiguousarray(bits, whole).view(kind).astype(np.float64)
    return np.where(_nulls(column), np.nan, values)


def _object_number(value: Any) -> tuple[int, int] | None:
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, int | np.integer):
        return int(value), 0
    if isinstance(value, str):
        return parse_text(value)
    if isinstance(value, float | np.floating | Decimal):
        exact = Decimal(value) if isinstance(value, Decimal) else Decimal(float(value))
        if not exact.is_finite() or abs(exact.adjusted()) > 400:
            return None
        sign, digits, exponent = exact.as_tuple()
        whole = int("".join(map(str, digits)) or "0")
        return (-whole if sign else whole), int(exponent)
    return None


def stored_moments(column: Column) -> Numbers:
    """The distinct entries of a column of dates, times or durations, in nanoseconds."""
    return moments(column.entries.to_pylist(), column.unit)


def missing(column: Column, *, numeric: bool) -> Mask:
    """Which distinct entries mean that the value is missing; `numeric` where the column is one of numbers."""
    return _missing_number(column) if numeric else _missing_text(column)


@once
def _missing_number(column: Column) -> Mask:
    return _missing(column, NAMES_OF_NOTHING)


@once
def _missing_text(column: Column) -> Mask:
    return _missing(column, ("",))


def _missing(column: Column, names: tuple[str, ...]) -> Mask:
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.kind in TEXTUAL:
        words = content(column)
        if column.size <= FEW:
            blank = " \t\r\n\v\f" if len(names) > 1 else ""
            return column.absent | np.array([(w or "").strip(blank) in names for w in words.to_pylist()], bool)
        if len(names) > 1:
            words = pc.ascii_trim_whitespace(words)
        found = pc.is_in(words, value_set=pa.array(names, pa.large_string()))
        return column.absent | np.asarray(found.fill_null(False).to_numpy(zero_copy_only=False), bool)
    if column.kind in FLOATS:
        return column.absent | np.isnan(floats(column))
    if column.kind == MIXED:
        empty = [value == "" or (isinstance(value, float) and value != value) for value in column.entries]
        return column.absent | np.array(empty, bool)
    return column.absent


def profile(column: Column) -> tuple[int, int, bool]:
    """Rows with a number, rows with something else that is not missing, and whether the numbers are codes.

    Codes are digits of one length, and not just a few of them have leading zeros.
    """
    if column.kind in NUMERIC:
        absent = missing(column, numeric=True)
        return int((~absent)[column.codes].sum()), 0, False
    if column.kind not in (*TEXTUAL, MIXED):
        return 0, len(column.codes), False
    absent = missing(column, numeric=True)
    number = numbers(column).valid & ~absent
    odd = int((~number & ~absent)[column.codes].sum())
    coded = False
    if number.any() and not odd:
        shown = texts(column)
        sure = [text for text, held in zip(shown, number.tolist()) if held]
        if len(sure[0]) > 1 and all(len(text) == len(sure[0]) and text.isdigit() for text in sure):
            padded = number & np.array([text[:1] == "0" for text in shown], bool)
            coded = bool(padded[column.codes].sum() >= CODES * number[column.codes].sum())
    return int(number[column.codes].sum()), odd, coded


@once
def is_numeric(column: Column) -> bool:
    """Whether the column is one of numbers: by its type, or because all its texts are."""
    if column.kind in NUMERIC:
        return True
    if column.kind not in (*TEXTUAL, MIXED):
        return False
    absent = missing(column, numeric=True)
    return bool((numbers(column).valid | absent).all() and not absent.all())


@once
def texts(column: Column) -> list[str]:
    """Each distinct entry as a text file would show it; the empty text where it is null."""
    import pyarrow as pa

    entries = column.entries
    if column.kind in TEXTUAL:
        return [text or "" for text in content(column).to_pylist()]
    if column.kind in FLOATS:
        shown = pa.array(floats(column)).cast(pa.string()) if column.kind == "float64" else None
        found = shown.to_pylist() if shown is not None else [_narrow_text(x, column.kind) for x in floats(column)]
        return ["" if text is None or text == "nan" else text for text in found]
    if column.kind == BOOL:
        return ["" if value is None else "true" if value else "false" for value in entries.to_pylist()]
    if column.kind == BYTES:
        return ["" if value is None else value.decode("utf-8", "surrogateescape") for value in entries.to_pylist()]
    if column.kind in TEMPORAL:
        return _moment_texts(column)
    if column.kind == MIXED:
        return ["" if gone else str(value) for gone, value in zip(missing(column, numeric=False), entries)]
    return ["" if value is None else str(value) for value in entries.to_pylist()]


def _narrow_text(value: float, kind: str) -> str:
    import pyarrow as pa

    return str(pa.array([np.float32(value)]).cast(pa.string())[0].as_py())


def _moment_texts(column: Column) -> list[str]:
    from datetime import date

    values = [None if value is None else value * UNITS[column.unit] for value in column.entries.to_pylist()]
    day = UNITS["day"]
    if column.kind == DURATION:
        return ["" if value is None else str(value) for value in values]
    dates = column.kind == DATE or (column.kind != TIME and all(value is None or value % day == 0 for value in values))
    out = []
    for value in values:
        if value is None:
            out.append("")
            continue
        days, rest = divmod(value, day)
        seconds, part = divmod(rest, UNITS["s"])
        clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        clock += f".{part:09d}".rstrip("0") if part else ""
        if column.kind == TIME:
            out.append(clock)
            continue
        within = 1 <= days + 719_163 <= 3_652_059
        shown = date.fromordinal(days + 719_163).isoformat() if within else f"day {days}"
        out.append(shown if dates else f"{shown} {clock}")
    return out


def folded_codes(column: Column) -> Integers:
    """Sensitive values by what they say: a code for each row, equal for values that differ in form only.

    Texts are compared after NFKC, without case, invisible characters and surplus white space; numbers by their exact
    value; all missing values, and the names they go by, are −1.
    """
    numeric = is_numeric(column)
    absent = missing(column, numeric=numeric)
    if column.kind in NUMERIC or (numeric and column.kind == DELIMITED):
        found = rank([numbers(column)])[0]
        return np.where(absent, -1, found)[column.codes]
    if column.kind in TEMPORAL:
        return np.where(absent, -1, rank([stored_moments(column)])[0])[column.codes]
    known: dict[Any, int] = {}
    codes = np.zeros(column.size, np.int64)
    for code, (text, gone) in enumerate(zip(texts(column), absent.tolist())):
        folded = fold(text)
        number = parse_text(folded)
        key: Any = folded if number is None else _normal(number)
        codes[code] = -1 if gone or folded in SAYING_NOTHING else known.setdefault(key, len(known))
    return codes[column.codes]


def fold(text: str) -> str:
    """A text without what does not change what it says."""
    if text.isascii() and text.isprintable():
        return " ".join(text.casefold().split())
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _seen(text)).casefold())
    return " ".join(_seen(plain).split())


def _seen(text: str) -> str:
    """A text without control characters and those that are drawn as nothing; white space stays."""
    return "".join(
        char
        for char in text
        if char.isspace()
        or not (unicodedata.category(char) in ("Cc", "Cf") or any(a <= ord(char) <= b for a, b in DRAWN_AS_NOTHING))
    )


def _normal(number: tuple[int, int]) -> tuple[int, int]:
    m, e = number
    while m and m % 10 == 0:
        m, e = m // 10, e + 1
    return (m, e) if m else (0, 0)


def _nulls(column: Column) -> Mask:
    return np.asarray(column.entries.is_null().to_numpy(zero_copy_only=False), bool)
