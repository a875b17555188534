"""Top and bottom coding: values beyond a cap are published as the cap, which then means "this or more".

    capped(x) = min(max(x, bottom), top)

Numbers and moments have caps, compared exactly. Caps come as a number or date (the top), as a pair (bottom, top) with
None for neither, or as a mapping with the keys "bottom" and "top".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np

from discreet.errors import Faults
from discreet.frames.exact import Entries, as_number
from discreet.frames.values.moments import moment, shares


@dataclass(frozen=True)
class Cap:
    """The least and the greatest value that is published, as text; None where there is no limit."""

    bottom: str | None
    top: str | None

    def named(self) -> dict[str, str]:
        """The ends that there are, by name."""
        return {name: text for name, text in (("bottom", self.bottom), ("top", self.top)) if text is not None}


def as_cap(given: Any, column: str, faults: Faults) -> Cap | None:
    """A cap from whatever describes it; what is wrong with it is noted."""
    wrong = f"the cap of {column!r} must be a number or date (the top), a pair (bottom, top), or give bottom and top"
    if isinstance(given, Mapping):
        if not faults.check(bool(given) and set(given) <= {"bottom", "top"}, wrong):
            return None
        ends = given.get("bottom"), given.get("top")
    elif isinstance(given, Sequence) and not isinstance(given, str):
        if not faults.check(len(given) == 2, wrong):
            return None
        ends = given[0], given[1]
    else:
        ends = None, given
    texts = [None if end is None else as_text(end) for end in ends]
    sound = texts != [None, None] and "" not in texts
    return Cap(texts[0], texts[1]) if faults.check(sound, wrong) else None


def as_text(end: Any) -> str:
    """An end as a file would show it; the empty text where it is none."""
    if isinstance(end, datetime):
        return end.isoformat(" ") if end.time() != time() else end.date().isoformat()
    if isinstance(end, date | time):
        return end.isoformat()
    if isinstance(end, bool | np.bool_):
        return ""
    if isinstance(end, str | int | Decimal | np.integer):
        return str(end).strip()
    if isinstance(end, float | np.floating) and np.isfinite(end):
        return str(int(end)) if float(end).is_integer() else repr(float(end))
    return ""


def capped(entries: Entries, cap: Cap, column: str, faults: Faults) -> Entries:
    """The column with values beyond the cap put at the cap; of several spellings the column's own is kept."""
    found = _comparable(entries.texts, cap)
    if found is None:
        faults.add(
            f"the cap of {column!r} does not fit the column: caps are for numbers and ISO dates, and of the same kind"
        )
        return entries
    values, bottom, top = found
    if not faults.check(bottom is None or top is None or bottom <= top, f"the caps of {column!r} are in reverse order"):
        return entries
    kept: dict[Any, str] = {}
    for value, text in zip(values, entries.texts):
        at = _clipped(value, bottom, top)
        if at == value or at not in kept:
            kept[at] = text if at == value else str(cap.bottom if at == bottom else cap.top)
    ascending = sorted(kept)
    rank = {value: place for place, value in enumerate(ascending)}
    of_value = np.array([*(rank[_clipped(value, bottom, top)] for value in values), -1], np.int64)
    place = shares(ascending) if entries.place is not None else None
    return replace(entries, codes=of_value[entries.codes], texts=[kept[v] for v in ascending], place=place)


def _clipped(value: Any, bottom: Any, top: Any) -> Any:
    if bottom is not None and value < bottom:
        return bottom
    return top if top is not None and value > top else value


def _comparable(texts: Sequence[str], cap: Cap) -> tuple[list[Any], Any, Any] | None:
    """The values and the ends as numbers, or as moments; None where they are neither throughout."""
    exact = comparable([*texts, *(end for end in (cap.bottom, cap.top) if end is not None)])
    if exact is None:
        return None
    bottom = exact[len(texts)] if cap.bottom is not None else None
    top = exact[-1] if cap.top is not None else None
    return exact[: len(texts)], bottom, top


def comparable(texts: Sequence[str]) -> list[Any] | None:
    """Texts as exact numbers, or as moments of one kind; None where they are neither throughout."""
    numbers = [as_number(text) for text in texts]
    if all(number is not None for number in numbers):
        return list(numbers)
    moments = [moment(text) for text in texts]
    if len({one[0] for one in moments if one is not None}) != 1 or None in moments:
        return None
    return [one[1] for one in moments if one is not None]
