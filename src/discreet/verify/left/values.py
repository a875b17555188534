"""A column as an intruder reads it: which rows have equal values, and where a value stands if it is a number or a date.

`codes` numbers the values of the rows, equal for equal ones; what is missing has one number of its own. `places` are
floats for numbers, dates and times, NaN where missing, and None for words. Digits of one length with leading zeros are
words, as they are codes. Words have an order, that of the alphabet: codes that begin alike stand side by side in it.

Dates in text are those of ISO 8601, and days, months and years of four digits in any order with `.`, `/` or `-` between
them; for `3/4/1980` the order is that of the column's other dates, or the day first if none tells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import dense
from discreet.verify.other_columns import joint
from discreet.verify.readers.column import DATE, NESTED, TEMPORAL, TIME, Column
from discreet.verify.values.exact import Numbers, as_floats
from discreet.verify.values.meaning import TEXTUAL, is_numeric, missing, numbers, profile, stored_moments, texts
from discreet.verify.values.moments import parse_moments

_DAY = re.compile(r"(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,4})", re.ASCII)

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Values:
    """One column, row by row: see above. `kind` is "numbers", "dates" or "words"."""

    name: str
    codes: Integers
    known: Mask
    places: Floats | None
    kind: str
    order: Floats | None = None

    @property
    def size(self) -> int:
        """How many different values there are; what is missing counts as one."""
        return int(self.codes.max(initial=-1)) + 1

    def take(self, rows: Integers | None) -> Values:
        """Some of the rows, or all."""
        if rows is None:
            return self
        places = None if self.places is None else self.places[rows]
        order = None if self.order is None else self.order[rows]
        return Values(self.name, dense(self.codes[rows]), self.known[rows], places, self.kind, order)

    def as_words(self) -> Values:
        """The same column of categories, however these are spelled."""
        return Values(self.name, self.codes, self.known, None, "words")


def read_values(column: Column) -> Values:
    """The values of a column."""
    if column.kind == NESTED:
        known = ~column.absent[column.codes]
        return Values(column.name, dense(column.codes), known, None, "words")
    found = _places(column)
    kind, gone, places = ("words", missing(column, numeric=False), None) if found is None else found
    codes = dense(joint(column, column)[0][column.codes])
    known = ~gone[column.codes]
    if places is not None:
        places = np.where(known, places[column.codes], np.nan)
        known = np.isfinite(places)
    return Values(column.name, codes, known, places, kind, _alphabet(column, known) if places is None else None)


def _alphabet(column: Column, known: Mask) -> Floats:
    """The places of words in the alphabet, row by row; NaN where missing."""
    written = texts(column)
    rank = np.empty(column.size)
    rank[sorted(range(column.size), key=written.__getitem__)] = np.arange(column.size)
    return np.where(known, rank[column.codes], np.nan)


def _places(column: Column) -> tuple[str, Mask, Floats] | None:
    """The kind, the gaps and the places of the distinct entries; None for a column of words."""
    if column.kind in TEMPORAL:
        return "dates", missing(column, numeric=False), as_floats(stored_moments(column))
    if is_numeric(column) and not profile(column)[2]:
        gone = missing(column, numeric=True)
        with np.errstate(over="ignore"):
            return "numbers", gone, np.where(gone, np.nan, as_floats(numbers(column)))
    if column.kind not in TEXTUAL:
        return None
    gone = missing(column, numeric=False)
    written = [None if away else text.strip() for text, away in zip(texts(column), gone.tolist())]
    moments = _iso_moments(written, gone)
    if moments is not None:
        return "dates", gone, as_floats(moments)
    days = _days(written)
    return None if days is None else ("dates", gone, days)


def _iso_moments(written: list[str | None], gone: Mask) -> Numbers | None:
    """Texts that are ISO dates or times, as moments."""
    first = [text for text in written if text is not None][:3]
    for kind in (DATE, TIME):
        if first and parse_moments(first, kind).valid.all():
            found = parse_moments(written, kind)
            if (found.valid | gone).all():
                return found
    return None


def _days(written: list[str | None]) -> Floats | None:
    """Texts that are dates in another order, as days on one line: 372 to a year, 31 to a month; NaN for None."""
    known = [text for text in written if text is not None]
    parts = [_DAY.fullmatch(text) for text in known[:3]]
    if not parts or None in parts:
        return None
    found = [None if text is None else _DAY.fullmatch(text) for text in written]
    if any(part is None and text is not None for part, text in zip(found, written)):
        return None
    rows = [part.groups() for part in found if part is not None]
    year_first = all(len(a) == 4 for a, *_ in rows)
    if not year_first and not all(len(c) == 4 for *_, c in rows):
        return None
    pairs = [(int(b), int(c)) if year_first else (int(a), int(b)) for a, b, c in rows]
    years = [int(a if year_first else c) for a, _, c in rows]
    day_first = not year_first and not any(b > 12 for _, b in pairs)
    days = iter(372.0 * y + 31.0 * (b if day_first else a) + (a if day_first else b) for y, (a, b) in zip(years, pairs))
    return np.array([np.nan if part is None else next(days) for part in found])
