"""Caps, as the checker understands them: a value beyond one counts as the cap.

A cap comes as a number or date (the top), as a pair (bottom, top) with None for neither, or as a mapping with the keys
bottom and top. Comparison is exact, by the ranks that numbers or moments have among all values of the column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.readers.column import DATE, TIME
from discreet.verify.values.exact import parse, rank
from discreet.verify.values.moments import parse_moments

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Cap:
    """The ends as texts, None where there is no limit."""

    bottom: str | None
    top: str | None


def read_cap(given: Any) -> Cap | None:
    """A cap from whatever describes it; None where nothing does."""
    bottom: Any = None
    top: Any = given
    if isinstance(given, Mapping):
        if not given or not set(given) <= {"bottom", "top"}:
            return None
        bottom, top = given.get("bottom"), given.get("top")
    elif isinstance(given, Sequence) and not isinstance(given, str | bytes):
        if len(given) != 2:
            return None
        bottom, top = given
    found = [None if end is None else _text(end) for end in (bottom, top)]
    return None if "" in found or found == [None, None] else Cap(found[0], found[1])


def _text(end: Any) -> str:
    if isinstance(end, str):
        return end.strip()
    if isinstance(end, datetime):
        return end.date().isoformat() if end.time() == time() else end.isoformat(" ")
    if isinstance(end, date | time):
        return end.isoformat()
    if isinstance(end, bool | np.bool_):
        return ""
    if isinstance(end, Integral | Decimal):
        return str(end)
    if isinstance(end, Real):
        number = float(end)
        return "" if not np.isfinite(number) else str(int(number)) if number.is_integer() else repr(number)
    return ""


def clip(ranks: Integers, cap: Cap | None, ends: Integers) -> Integers:
    """Ranks of the original's values (−1 for none) with those beyond the ranks of the cap's ends put there."""
    if cap is None:
        return ranks
    low = np.where((ranks >= 0) & (ends[0] >= 0) & (ranks < ends[0]), ends[0], ranks)
    return np.where((ranks >= 0) & (ends[1] >= 0) & (ranks > ends[1]), ends[1], low)


def beyond(lower: Integers, upper: Integers, cap: Cap | None, ends: Integers) -> NDArray[np.bool_]:
    """Which published entries reach beyond the cap; ranks of −1 stand for other things than values."""
    below = (lower >= 0) & (ends[0] >= 0) & (lower < ends[0])
    above = (upper >= 0) & (ends[1] >= 0) & (upper > ends[1])
    return (below | above) & (cap is not None)


def clip_texts(words: Sequence[str], cap: Cap) -> list[str] | None:
    """Texts of numbers or moments with those beyond the cap spelled as the cap; None where they are neither.

    Where the column has the cap's value itself, its spelling there is taken.
    """
    ends = [cap.bottom or "", cap.top or ""]
    known = np.array([word != "" for word in (*words, *ends)], bool)
    for kind in (None, DATE, TIME):
        if kind is None:
            raw = [word.encode("utf-8", "surrogatepass") for word in (*words, *ends)]
            stops = np.cumsum([0, *map(len, raw)]).astype(np.int64)
            found = parse(b"".join(raw), stops[:-1].copy(), stops[1:].copy())
        else:
            found = parse_moments([word or None for word in (*words, *ends)], kind)
        if not (found.valid == known).all():
            continue
        places = rank([found])[0]
        own, limits = places[:-2], places[-2:]
        clipped = clip(own, cap, limits)
        spelled = {int(place): word for place, word in zip(limits, ends)}
        spelled |= {int(place): word for place, word in zip(own, words)}
        return [spelled[int(place)] for place in clipped]
    return None
