"""A column by exact value: which entries mean the same, and the one text each value has.

Two entries are the same only if their exact values are: whole numbers and decimals with every digit, floats by their
binary value, text by its characters, moments by the instant. Text counts as numbers where every entry is one, in ASCII:

    [sign] digits [. digits] [e [sign] digits]        spaces and tabs around it do not matter

read as an exact decimal, with a decimal comma where the file's delimiter allows that; exponents beyond ±400 are text.
No number goes through float64 on its way to a code; places in [0, 1] are rounded, and serve costs only.

Missing is null, NaN, the empty text and, among numbers written as text, what `numbers.MISSING` lists: one value. Of
several spellings of a number the shortest is kept, of those the least; a zero has no sign.
"""

from __future__ import annotations

import decimal
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames.dataframes import COMMA, adopt, arrow_column, column_faults
from discreet.frames.numbers import MISSING
from discreet.frames.text import as_text

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

GREATEST_EXPONENT = 400
_NUMBER = re.compile(r"[ \t]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?[ \t]*")
# What Unicode calls default ignorable, beyond the categories Cc and Cf, and the empty Braille pattern.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
_EXPONENT_DIGITS = len(str(GREATEST_EXPONENT))
# Enough digits for a place in [0, 1]; comparing decimals needs no context, it is exact.
_ROUGH = decimal.Context(prec=40, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[])


@dataclass(frozen=True)
class Entries:
    """A column by value: entry i is value `codes[i]`, or missing where that is −1.

    `texts` spells each value. Where they are numbers, `place` gives each its place in [0, 1], ascending; else it is
    None. `odd` counts the entries that are no numbers in a column of text of which at least half are. `respelled` says
    that some entry is spelled otherwise than `texts` spells its value. `times`, where entries stand for all that are
    equal in a column too long to be held, says how often each occurs.
    """

    codes: Codes = field(repr=False)
    texts: list[str] = field(repr=False)
    place: Floats | None = field(repr=False)
    odd: int = 0
    respelled: bool = False
    times: Codes | None = field(default=None, repr=False)

    @property
    def missing(self) -> int:
        """How many entries are missing."""
        absent = self.codes < 0
        return int(absent.sum() if self.times is None else self.times[absent].sum())

    @property
    def known(self) -> int:
        """How many entries are not missing."""
        return (len(self.codes) if self.times is None else int(self.times.sum())) - self.missing


def entries(frame: Any, column: str, *, categories: bool = False) -> Entries:
    """The column by exact value; with `categories` text is text even where it holds numbers."""
    adopted = adopt(frame)
    faults = column_faults(adopted, [column])
    if faults:
        raise InputError(faults)
    return exact(plain_array(adopted, column), column, categories=categories, comma=has_comma(adopted, column))


def exact(array: Any, column: str, *, categories: bool, comma: bool, times: Codes | None = None) -> Entries:
    """`entries` of an Arrow array, each of which stands `times` times where that is given."""
    found = _exact(array, column, categories, comma, times)
    return found if times is None else replace(found, times=times)


def _exact(array: Any, column: str, categories: bool, comma: bool, times: Codes | None) -> Entries:
    import pyarrow as pa

    kind = array.type
    if is_text(kind):
        return _of_text(array, categories, comma, times)
    if pa.types.is_integer(kind):
        return _of_integers(array)
    if pa.types.is_floating(kind):
        return _of_floats(array, column, categories)
    if pa.types.is_decimal(kind):
        return _of_decimals(array)
    if pa.types.is_null(kind):
        return Entries(np.full(len(array), -1, np.int64), [], None)
    if pa.types.is_boolean(kind) or pa.types.is_date(kind) or pa.types.is_time(kind) or pa.types.is_timestamp(kind):
        return _of_moments(array, column)
    raise InputError(
        f"column {column!r} holds values of a type that cannot be widened ({_kind(kind)}): "
        "convert it to text, numbers or dates first"
    )


def folded(frame: Any, column: str) -> Codes:
    """A number for each entry, the same where a reader would take two entries for the same.

    Numbers by value; text after Unicode compatibility normalization, without regard to case, white space and what
    nobody sees; −1 for all that is missing. So diversity is not made of spellings, nor of gaps.
    """
    import pyarrow as pa

    adopted = adopt(frame)
    faults = column_faults(adopted, [column])
    if faults:
        raise InputError(faults)
    array = plain_array(adopted, column)
    if not is_text(array.type):
        if pa.types.is_duration(array.type) or pa.types.is_binary(array.type) or pa.types.is_large_binary(array.type):
            codes, found = encoded(array)
            return np.where(codes < len(found), codes, -1)
        return exact(array, column, categories=True, comma=False).codes
    codes, found = encoded(array)
    comma = has_comma(adopted, column)
    keys = [meaning(text, comma) for text in found.to_pylist()]
    place: dict[str | Decimal | None, int] = {None: -1}
    for key in keys:
        place.setdefault(key, len(place) - 1)
    of_code = np.array([*(place[key] for key in keys), -1], np.int64)
    return of_code[codes]


def meaning(text: str, comma: bool = False) -> str | Decimal | None:
    """What a reader takes a text for: a number, words without case and spacing, or None for missing."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _visible(text)).casefold())
    plain = " ".join(_visible(plain).split())
    if plain in {word.lower() for word in MISSING}:
        return None
    number = as_number(plain)
    if number is None and comma and "." not in plain:
        number = as_number(plain.replace(",", ".", 1))
    return plain if number is None else number


def _visible(text: str) -> str:
    """A text without characters that nobody sees: controls, joiners, fillers, variation selectors."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub("", "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf")))


def as_number(text: str) -> Decimal | None:
    """The exact number a text stands for, None if it is none."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    exponent = found[1]
    if exponent is not None:
        digits = exponent.lstrip("+-").lstrip("0")
        if len(digits) > _EXPONENT_DIGITS or int(digits or "0") > GREATEST_EXPONENT:
            return None
    return Decimal(text.strip(" \t"))


def plain_array(adopted: Any, column: str) -> Any:
    """A column as one Arrow array of values: dictionaries are looked up, views are made plain."""
    import pyarrow as pa

    array = arrow_column(adopted.get_column(column))
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if str(array.type) == "string_view":
        array = array.cast(pa.large_string())
    return array


def is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def has_comma(adopted: Any, column: str) -> bool:
    """Whether the column comes from a text in which decimals may have a comma."""
    native = adopted.to_native()
    metadata = native.schema.field(column).metadata if hasattr(native, "column_names") else None
    return COMMA.items() <= (metadata or {}).items()


def _kind(kind: Any) -> str:
    return str(kind).split("[")[0].split("<")[0].split("(")[0]


def _of_text(array: Any, categories: bool, comma: bool, times: Codes | None) -> Entries:
    codes, found = encoded(array)
    texts: list[str] = found.to_pylist()
    if categories:
        return _of_words(codes, texts, 0)
    numbers, shown, odd = numbers_in(codes, texts, comma, times)
    if numbers is None:
        return _of_words(codes, texts, odd)
    spelled: dict[Decimal, str] = {}
    alike = True  # every text is the one spelling of its value
    for text, number in zip(shown, numbers):
        if number is None:  # missing, and not spelled as null
            alike = False
            continue
        word = text.strip(" \t")
        if not number and word.startswith("-"):
            word = "0"
        best = spelled.get(number)
        alike = alike and word == text and best is None
        if best is None or (len(word), word) < (len(best), best):
            spelled[number] = word
    values = sorted(spelled)
    place = {number: code for code, number in enumerate(values)}
    of_text = np.array([*(-1 if number is None else place[number] for number in numbers), -1], np.int64)
    respelled = not alike or shown is not texts
    return Entries(of_text[codes], [spelled[v] for v in values], _places(values), 0, respelled)


def _of_words(codes: Codes, texts: list[str], odd: int) -> Entries:
    """Text as it is; the empty text is missing."""
    kept = [text for text in texts if text != ""]
    if len(kept) == len(texts):
        return Entries(np.where(codes < len(texts), codes, -1), kept, None, odd)
    empty = texts.index("")
    of_text = np.arange(len(texts) + 1, dtype=np.int64)
    of_text[empty + 1 :] -= 1
    of_text[[empty, len(texts)]] = -1
    return Entries(of_text[codes], kept, None, odd, respelled=True)


def numbers_in(
    codes: Codes, texts: list[str], comma: bool, times: Codes | None = None
) -> tuple[list[Decimal | None] | None, list[str], int]:
    """Every text as a number (None where missing), and the texts, with a decimal point where they had a comma.

    Where some entry is no number there are no numbers, and the last figure counts these entries, if they are the
    lesser part; `codes` tells how often each text stands (with `times`, how often each of them does), and with `comma`
    decimal commas are understood, in a column that has no points.
    """
    sizes = np.bincount(codes, times, minlength=len(texts) + 1).astype(np.int64).tolist()
    readings = [texts]
    if comma and any("," in text for text in texts) and not any("." in text for text in texts):
        readings.append([text.replace(",", ".", 1) for text in texts])
    odd = 0
    for shown in readings:
        numbers = [as_number(text) for text in shown]
        right = sum(size for size, number in zip(sizes, numbers) if number is not None)
        wrong = sum(
            size for size, number, text in zip(sizes, numbers, shown) if number is None and not is_missing(text)
        )
        if right and not wrong:
            return numbers, shown, 0
        if right >= wrong:
            odd = min(odd or wrong, wrong)
    return None, texts, odd


def is_missing(text: str) -> bool:
    """Whether a text among numbers means that there is none."""
    return text.strip(" \t") in MISSING


def _of_integers(array: Any) -> Entries:
    absent = _absent(array)
    values = array.fill_null(0).to_numpy(zero_copy_only=False)
    found, codes = np.unique(values[~absent], return_inverse=True)
    out = np.full(len(values), -1, np.int64)
    out[~absent] = codes
    # Differences wrap around to their exact value in unsigned arithmetic.
    away = found.astype(np.uint64) - found[:1].astype(np.uint64) if found.size else found.astype(np.uint64)
    return Entries(out, [str(value) for value in found.tolist()], _share(away.astype(np.float64)))


def _of_floats(array: Any, column: str, categories: bool) -> Entries:
    import pyarrow as pa

    absent = _absent(array)
    stored = array.to_numpy(zero_copy_only=False).astype(np.float64)
    nan = np.isnan(stored) & ~absent
    values = np.where(absent, 0.0, stored) + 0.0  # −0 becomes 0
    absent |= nan
    infinite = int(np.isinf(values[~absent]).sum())
    if infinite and not categories:
        raise InputError(f"column {column!r} holds infinite numbers ({infinite} entries): replace or remove them")
    found, codes = np.unique(values[~absent], return_inverse=True)
    out = np.full(len(values), -1, np.int64)
    out[~absent] = codes
    respelled = bool(nan.any() or (np.signbit(stored) & (stored == 0) & ~absent).any())
    with np.errstate(over="ignore"):
        away = found - found[:1]
    if not np.isfinite(away).all():  # the span of finite numbers may be infinite, that of their halves is not
        away = found / 2 - found[:1] / 2
    place = None if infinite else _share(away)
    return Entries(out, as_text(pa.array(found)).to_pylist(), place, 0, respelled)


def _of_decimals(array: Any) -> Entries:
    codes, found = encoded(array)
    values: list[Decimal] = found.to_pylist()
    order = sorted(range(len(values)), key=values.__getitem__)
    rank = np.full(len(values) + 1, -1, np.int64)
    rank[order] = np.arange(len(values))
    texts = as_text(found).to_pylist()
    return Entries(rank[codes], [texts[i] for i in order], _places([values[i] for i in order]))


def _of_moments(array: Any, column: str) -> Entries:
    """Truth values, dates, times: by their exact value, spelled as a CSV file shows them."""
    codes, found = encoded(array)
    texts = as_text(found).to_pylist()
    if len(set(texts)) < len(texts):
        raise InputError(
            f"column {column!r} holds values that its text cannot tell apart ({_kind(array.type)}): convert it to "
            "text, numbers or dates first"
        )
    return Entries(np.where(codes < len(texts), codes, -1), texts, None)


def encoded(array: Any) -> tuple[Codes, Any]:
    """The number of each entry among the distinct ones, and those; null has the number after the last."""
    import pyarrow as pa

    try:
        encoded = array.dictionary_encode()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise InputError("nested values have no order and no text: convert such columns first") from None
    found = encoded.dictionary
    codes = encoded.indices.cast(pa.int64()).fill_null(len(found)).to_numpy(zero_copy_only=False)
    return np.asarray(codes, np.int64), found


def _absent(array: Any) -> NDArray[np.bool_]:
    absent: NDArray[np.bool_] = array.is_null().to_numpy(zero_copy_only=False).copy()
    return absent


def _places(values: Sequence[Decimal]) -> Floats:
    """Ascending decimals as places in [0, 1]."""
    if len(values) < 2:
        return np.zeros(len(values))
    low = values[0]
    span = _ROUGH.subtract(values[-1], low)
    return np.array([float(_ROUGH.divide(_ROUGH.subtract(value, low), span)) for value in values])


def _share(away: Floats) -> Floats:
    return away / away[-1] if away.size and away[-1] > 0 else np.zeros(away.size)
