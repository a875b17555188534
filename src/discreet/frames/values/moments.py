"""Dates, times of day and instants as whole numbers of nanoseconds, from ISO 8601 text and from typed columns.

    date      1950-01-03
    instant   1950-01-03 12:30[:15[.5]] or with T between, and a zone (Z, +01:00) in all entries or in none
    time      12:30[:15[.5]]

A column of text is one of moments when every entry that is not missing is written so, all as times or all as dates and
instants. Whatever else looks like a date, such as 3.1.1950, is text: nobody can tell its day from its month for sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.frames.exact import Entries, encoded
from discreet.frames.text import as_text

SECOND = 1_000_000_000
DAY = 86_400 * SECOND
EPOCH = date(1970, 1, 1).toordinal()
_CLOCK = r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,9}))?)?"
_ZEROS = re.compile(r"\.0+$")  # parts of a second, where there are none
_TIME = re.compile(_CLOCK)
_MOMENT = re.compile(rf"([0-9]{{4}})-([0-9]{{2}})-([0-9]{{2}})(?:[ T]{_CLOCK}(Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?")


def moment(text: str) -> tuple[str, int] | None:
    """What a text is, "date", "zoned" (an instant with a zone) or "time", and its nanoseconds; None for other text."""
    clock = _TIME.fullmatch(text)
    if clock is not None:
        return "time", _nanoseconds(clock.groups())
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    year, month, day, *clock_parts, zone = found.groups()
    try:
        days = date(int(year), int(month), int(day)).toordinal() - EPOCH
    except ValueError:
        return None
    value = days * DAY + (_nanoseconds(clock_parts) if clock_parts[0] is not None else 0)
    if zone is None:
        return "date", value
    if zone == "Z":
        return "zoned", value
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return "zoned", value - (minutes if zone[0] == "+" else -minutes) * 60 * SECOND


def moments_of(texts: Sequence[str]) -> list[int] | None:
    """The texts as nanoseconds, None where not all of them are moments of one kind."""
    found = []
    kinds = set()
    for text in texts:
        one = moment(text)
        if one is None:
            return None
        kinds.add(one[0])
        if len(kinds) > 1:
            return None
        found.append(one[1])
    return found or None


def text_moments(array: Any) -> Entries | None:
    """A column of text as moments, each spelled in the shortest way it is written; None where it is other text."""
    codes, found = encoded(array)
    texts: list[str] = found.to_pylist()
    present = [text for text in texts if text != ""]
    values = moments_of(present)
    if values is None:
        return None
    spelled: dict[int, str] = {}
    for text, value in zip(present, values):
        best = spelled.get(value)
        if best is None or (len(text), text) < (len(best), best):
            spelled[value] = text
    ascending = sorted(spelled)
    rank = {value: place for place, value in enumerate(ascending)}
    of_present = iter(values)
    of_text = np.array([*(-1 if text == "" else rank[next(of_present)] for text in texts), -1], np.int64)
    respelled = len(ascending) < len(texts)
    return Entries(of_text[codes], [spelled[value] for value in ascending], shares(ascending), 0, respelled)


def stored_moments(array: Any, column: str) -> Entries:
    """A column of dates, times or timestamps in ascending order, spelled as a CSV file shows them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    codes, found = encoded(array)
    wide = pa.int32() if found.type.bit_width == 32 else pa.int64()
    counts = found.view(wide).cast(pa.int64())
    order = pc.sort_indices(counts).to_numpy(zero_copy_only=False).astype(np.int64)
    rank = np.full(len(found) + 1, -1, np.int64)
    rank[order] = np.arange(len(found))
    texts = [_ZEROS.sub("", text) for text in as_text(found).to_pylist()]
    if len(set(texts)) < len(texts):
        raise InputError(f"column {column!r} holds moments that its text cannot tell apart: convert it to text first")
    values = counts.take(pa.array(order)).to_pylist()
    return Entries(rank[codes], [texts[i] for i in order.tolist()], shares(values))


def shares(ascending: Sequence[Any]) -> NDArray[np.float64]:
    """Ascending exact numbers as places in [0, 1]."""
    if len(ascending) < 2:
        return np.zeros(len(ascending))
    low, span = ascending[0], ascending[-1] - ascending[0]
    return np.array([float((value - low) / span) for value in ascending])


def _nanoseconds(parts: Sequence[str | None]) -> int:
    hours, minutes, seconds, part = parts
    total = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return total * SECOND + int((part or "").ljust(9, "0"))
