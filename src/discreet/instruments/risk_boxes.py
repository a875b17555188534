"""Keys of a generalized file as sets: `[17, 39]`, `{a, b}` and `*`, beside plain values.

A column is one of numbers where every entry is a number, a range of numbers or `*`; one of dates likewise; else one of
categories. Labels of a hierarchy are categories of their own: the file alone does not tell what they stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.measure.risk.overlaps import Sets

Codes = NDArray[np.int64]

ANYTHING = "*"
_ALL = (-np.inf, np.inf)


def as_sets(table: Any, names: Sequence[str], missing: str) -> tuple[Codes, Sets]:
    """Codes of the keys, none negative, and the set of values each may stand for; a missing "wildcard" for any."""
    from discreet.frames.exact import entries

    codes, spans, members, first = [], [], [], [0]
    for name in names:
        found = entries(table, name)
        lost = found.codes < 0
        codes.append(np.where(lost, len(found.texts), found.codes))
        span, member = _column(found.texts, missing)
        spans.append(span)
        members.append(member)
        first.append(first[-1] + len(span))
    words = max(1, *(-(-(1 + max((bit for group in member for bit in group), default=0)) // 64) for member in members))
    bits = np.zeros((first[-1], words), np.uint64)
    for start, member in zip(first, members):
        for code, group in enumerate(member):
            if not group:
                bits[start + code] = ~np.uint64(0)
            for bit in group:
                bits[start + code, bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
    ends = np.array([span for column in spans for span in column], np.float64)
    sets = Sets(ends[:, 0].copy(), ends[:, 1].copy(), bits, np.array(first[:-1], np.int64))
    return np.stack(codes, axis=1), sets


def _column(texts: Sequence[str], missing: str) -> tuple[list[tuple[float, float]], list[set[int]]]:
    """Per code, and for missing after them, the interval and the bits; no bits are all of them.

    A missing value of its own has a bit that no other value has, and only anything meets it.
    """
    for reader in (_number, _day):
        spans = [_span(text, reader) for text in texts]
        if texts and None not in spans:
            numeric = [span for span in spans if span is not None]
            groups = [set() if text == ANYTHING else {0} for text in texts]
            return [*numeric, _ALL], [*groups, set() if missing == "wildcard" else {1}]
    number: dict[str, int] = {}
    groups = [{number.setdefault(item, len(number)) for item in _items(text)} for text in texts]
    return [_ALL] * (len(texts) + 1), [*groups, set() if missing == "wildcard" else {len(number)}]


def _items(text: str) -> list[str]:
    """The categories a text stands for; none for all of them."""
    from discreet.verify.values.notation import is_set, set_items

    if text == ANYTHING:
        return []
    return (set_items(text) if is_set(text) else None) or [text]


def _span(text: str, reader: Callable[[str], float | None]) -> tuple[float, float] | None:
    """The interval a text stands for, None where it is neither a number of this kind, a range of them nor anything."""
    from discreet.verify.values.notation import range_ends

    if text == ANYTHING:
        return _ALL
    ends = range_ends(text) or (text, text)
    low, high = reader(ends[0]), reader(ends[1])
    return None if low is None or high is None else (low, high)


def _number(text: str) -> float | None:
    from discreet.frames.exact import as_number

    found = as_number(text)
    return None if found is None else float(found)


def _day(text: str) -> float | None:
    try:
        return float(date.fromisoformat(text.strip()).toordinal())
    except ValueError:
        return None
