"""Dates, times and durations as whole numbers of nanoseconds, exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from discreet.verify.readers.column import DATE, DURATION, TIME, TIMESTAMP
from discreet.verify.values.exact import Numbers, whole

UNITS = {"day": 86_400_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}
_CLOCK = r"(\d{1,}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
_TIME = re.compile(_CLOCK, re.ASCII)
_MOMENT = re.compile(rf"(\d{{4}})-(\d\d)-(\d\d)(?:[ T]{_CLOCK})?\s?(Z|UTC|[+-]\d\d:?\d\d)?", re.ASCII)
_DURATION = re.compile(rf"(?:([+-]?\d+) days?,? ?)?(?:([+-])?{_CLOCK})?", re.ASCII)


def moments(values: Sequence[int | None], unit: str) -> Numbers:
    """Stored whole numbers of a unit."""
    return whole([None if value is None else value * UNITS[unit] for value in values])


def parse_moments(texts: Sequence[str | None], kind: str, unit: str = "ns") -> Numbers:
    """Texts as moments of a kind; None, and what is none, is no number."""
    return whole([None if text is None else parse_moment(text, kind, unit) for text in texts])


def parse_moment(text: str, kind: str, unit: str = "ns") -> int | None:
    """One text as nanoseconds: ISO 8601 dates and times; durations as `3 days, 1:02:03.5`, or as a count of `unit`."""
    if kind in (DATE, TIMESTAMP):
        return _moment(text)
    if kind == TIME:
        found = _TIME.fullmatch(text)
        return None if found is None else _clock(found.groups())
    assert kind == DURATION
    if re.fullmatch(r"[+-]?\d{1,400}", text, re.ASCII):
        return int(text) * UNITS[unit]
    found = _DURATION.fullmatch(text)
    if found is None or not text:
        return None
    days, sign, *clock = found.groups()
    time = _clock(clock) if clock[0] is not None else 0
    if time is None or (days is None and clock[0] is None):
        return None
    return int(days or 0) * UNITS["day"] + (-time if sign == "-" else time)


def _moment(text: str) -> int | None:
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    year, month, day, *clock, zone = found.groups()
    try:
        days = date(int(year), int(month), int(day)).toordinal() - 719_163
    except ValueError:
        return None
    time = _clock(clock) if clock[0] is not None else 0
    if time is None:
        return None
    offset = 0
    if zone and zone not in ("Z", "UTC"):
        minutes = int(zone[1:3]) * 60 + int(zone[-2:])
        offset = (-minutes if zone[0] == "-" else minutes) * 60 * UNITS["s"]
    return days * UNITS["day"] + time - offset


def _clock(parts: Sequence[str | None]) -> int | None:
    hours, minutes, seconds, part = parts
    if int(minutes or 0) > 59 or int(seconds or 0) > 59:
        return None
    total = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return total * UNITS["s"] + int((part or "").ljust(9, "0"))
