"""Read quasi-identifiers and widened values back from two tables, for the check of `matchings.py`.

A published value on an attribute becomes runs of codes: `[17, 39]` one run of the sorted numbers, `{a, b}` and the
labels of a hierarchy one run for each stretch of neighboring values, an unchanged value a run of length one. So all
kinds of attributes look alike from here on. Numbers, moments and texts are exact; nothing is rounded or trimmed.

The formats are those of the contract: a widened number or date `[low, high]`, a widened category `{a, b}` with values
that hold a comma, brace or quote quoted as in CSV, `*` for anything. An entry that is a value of the original is that
value, however it looks: a category that is itself spelled `{a, b}` covers itself alone. That is never too much: an
intruder who also thinks of the other reading sees more ways to explain the release, not fewer.

Two different entries that mean the same set tell rows apart that are meant to be alike: they are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.readers.column import DATE, MIXED, NESTED, TEMPORAL, TIME, Column, shown
from discreet.verify.values.exact import Numbers, normal, parse, rank
from discreet.verify.values.hierarchies import Labels
from discreet.verify.values.meaning import (
    NUMERIC,
    TEXTUAL,
    content,
    folded_codes,
    is_numeric,
    missing,
    numbers,
    slices,
    stored_moments,
    texts,
)
from discreet.verify.values.moments import parse_moments
from discreet.verify.values.notation import Runs, all_items, is_set, range_ends, set_items, split_ranges, stretches

Integers = NDArray[np.int64]

ANYTHING = "*"

__all__ = ["Reading", "UnreadableError", "folded_codes", "read_attribute"]


class UnreadableError(Exception):
    """A column that cannot be judged; the message names it and says why."""


@dataclass(frozen=True)
class Reading:
    """One attribute: the code of each original (−1 where it lies in every box), and the runs of each published text.

    `kind` says what boxes can be: "numbers" (intervals), "sets" or "labels" (of a hierarchy). `attained` tells, per
    text, whether its ends or items are values of the original.
    """

    codes: Integers
    texts: Integers
    run_ends: Integers
    run_low: Integers
    run_high: Integers
    kind: str = ""
    attained: NDArray[np.bool_] | None = None


MISSING, ANY, LISTED = -2, -3, -4


@dataclass(frozen=True)
class _Cover:
    """Codes of the original's entries, and what the published ones cover and mean; `last` is the code of "missing".

    A published entry covers the codes low … high (none where low > high), or the runs in `several`. It means the pair
    in `meaning`: two ranks, or MISSING, ANY, or LISTED and the number of a set. `attained` and `kind`: see `Reading`.
    """

    codes: Integers
    low: Integers
    high: Integers
    several: dict[int, Runs]
    meaning: Integers
    last: int
    attained: NDArray[np.bool_]
    kind: str


def read_attribute(
    original: Column, published: Column, *, categorical: bool, labels: Labels | None, missing: str
) -> tuple[Reading, int]:
    """The reading of an attribute, and how many values are spelled in more than one way.

    `categorical` says that numbers are categories; `labels` are those of a hierarchy; `missing` is "value" or
    "wildcard".
    """
    cover = _cover(original, published, categorical, labels)
    codes, low, high = cover.codes, cover.low, cover.high
    if missing == "wildcard":
        codes = np.where(codes == cover.last, -1, codes)
        blank = cover.meaning[:, 0] == MISSING
        low, high = np.where(blank, 0, low), np.where(blank, cover.last, high)
    counts = (low <= high).astype(np.int64)
    for code, runs in cover.several.items():
        counts[code] = len(runs)
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    first = ends[:-1][low <= high]
    run_low, run_high = np.zeros(int(ends[-1]), np.int64), np.zeros(int(ends[-1]), np.int64)
    run_low[first], run_high[first] = low[low <= high], high[low <= high]
    for code, runs in cover.several.items():
        for q, (least, most) in enumerate(runs):
            run_low[ends[code] + q], run_high[ends[code] + q] = least, most
    reading = Reading(codes[original.codes], published.codes, ends, run_low, run_high, cover.kind, cover.attained)
    return reading, respelled(cover.meaning)


def respelled(meaning: Integers) -> int:
    """How many meanings belong to more than one entry."""
    if not len(meaning):
        return 0
    paired = (meaning[:, 0] + 8) * (int(meaning[:, 1].max()) + 16) + meaning[:, 1] + 8
    return int((np.unique(paired, return_counts=True)[1] > 1).sum())


def spellings(column: Column, *, numeric: bool) -> int:
    """How many values of a published column alone are spelled in more than one way."""
    if column.kind == NESTED:
        return 0
    if numeric and column.kind != MIXED:
        found, gone = numbers(column), missing(column, numeric=True)
        if (found.valid | gone).all():
            return _repeated(found, gone)
    try:
        return respelled(_cover(column, column, False, None, numeric=numeric).meaning)
    except UnreadableError:
        gone = missing(column, numeric=numeric)
        known: dict[str, int] = {}
        ids = [MISSING if away else known.setdefault(text, len(known)) for text, away in zip(texts(column), gone)]
        return respelled(np.stack([np.array(ids, np.int64)] * 2, axis=1))


def _repeated(found: Numbers, gone: NDArray[np.bool_]) -> int:
    """How many of the numbers, or "missing", belong to more than one entry."""
    if found.floats is not None:
        keys: list[NDArray[Any]] = [found.floats[~gone] + 0.0]
    else:
        plain = normal(found)
        keys = [plain.mantissa[~gone], plain.exponent[~gone], *_long_keys(plain, gone)]
    order = np.lexsort(keys)
    same = np.ones(max(order.size - 1, 0), bool)
    for key in keys:
        same &= key[order][1:] == key[order][:-1]
    return int((same & ~np.append(False, same[:-1])).sum() if same.size else 0) + int(gone.sum() > 1)


def _long_keys(found: Numbers, gone: NDArray[np.bool_]) -> list[Integers]:
    """A number for each number beyond 64 bits, 0 for others."""
    if not found.long:
        return []
    known: dict[tuple[int, int], int] = {}
    key = np.zeros(found.valid.size, np.int64)
    for code, value in found.long.items():
        key[code] = known.setdefault(value, len(known) + 1)
    return [key[~gone]]


def _cover(
    original: Column, published: Column, categorical: bool, labels: Labels | None, numeric: bool | None = None
) -> _Cover:
    for column in (original, published):
        if column.kind == NESTED:
            raise UnreadableError(f"column {shown(column.name)} holds lists or records, which cannot be judged")
    if labels is None:
        if original.kind in NUMERIC or (numeric if numeric is not None else not categorical and is_numeric(original)):
            return _numeric(original, published, categorical)
        if original.kind in TEMPORAL:
            return _temporal(original, published, original.kind)
        kind = None if categorical else _hidden_moments(original, published)
        if kind is not None:
            return _temporal(original, published, kind)
    return _textual(original, published, labels)


def _numeric(original: Column, published: Column, categorical: bool) -> _Cover:
    """A column of numbers: ranges (unless the numbers are categories) and sets of them."""
    was_gone, now_gone = missing(original, numeric=True), missing(published, numeric=True)
    single = numbers(published)
    low = high = single
    braced: list[str | None] = [None] * published.size
    star = np.zeros(published.size, bool)
    if published.kind in TEXTUAL or published.kind == MIXED:
        written = texts(published) if published.kind == MIXED else None
        arrow = content(published) if written is None else _arrow(written)
        data, starts, ends = slices(arrow)
        if not categorical:
            bounds = np.zeros((4, published.size), np.int64)
            split_ranges(np.frombuffer(data, np.uint8), starts, ends, bounds)
            low = parse(data, bounds[0], bounds[1], published.comma)
            high = parse(data, bounds[2], bounds[3], published.comma)
        rest = np.flatnonzero(~single.valid & ~(low.valid & high.valid) & ~now_gone)
        for code in rest.tolist():
            text = data[starts[code] : ends[code]].decode("utf-8")
            star[code] = text == ANYTHING
            braced[code] = text if is_set(text) else None
    ranged = low.valid & high.valid & ~single.valid
    items, members = all_items(braced)
    listed = _numbers_of(items, published.comma)
    was, one, a, b, each = rank([numbers(original), single, low, high, listed])
    gone_items = np.array([item == "" for item in items], bool)
    bad_sets = {code for code, within in members.items() if any(each[i] < 0 and not gone_items[i] for i in within)}
    readable = single.valid | ranged | now_gone | star
    for code in members:
        readable[code] = code not in bad_sets
    if not readable.all():
        count = int((~readable)[published.codes].sum())
        kinds = "numbers nor sets of them" if categorical else "numbers nor [low, high]"
        raise UnreadableError(f"column {shown(published.name)}: {count} published entries are neither {kinds}")
    places = np.unique(was[(was >= 0) & ~was_gone])
    last = places.size
    codes = np.where(was_gone | (was < 0), last, np.searchsorted(places, was))
    lower, upper = np.where(ranged, a, one), np.where(ranged, b, one)
    first = np.searchsorted(places, lower, "left")
    final = np.searchsorted(places, upper, "right") - 1
    meaning = np.stack([lower, upper], axis=1)
    for blank, meant, begin in ((star, ANY, 0), (now_gone, MISSING, last)):
        first, final = np.where(blank, begin, first), np.where(blank, last, final)
        meaning[blank] = meant
    sets = _Sets(places, last)
    for code, within in members.items():
        sets.add(code, {None if gone_items[i] else int(each[i]) for i in within}, first, final, meaning)
    attained = _attained(places, lower, upper, star | now_gone, sets)
    return _Cover(codes, first, final, sets.several, meaning, last, attained, "sets" if categorical else "numbers")


class _Sets:
    """Sets among the published entries of numbers or moments: what they cover, and which of them are the same."""

    def __init__(self, places: Integers, last: int) -> None:
        self._places, self._last = places, last
        self._known: dict[frozenset[int | None], int] = {}
        self.several: dict[int, Runs] = {}
        self.members: list[int] = []
        self.beyond: list[int] = []

    def add(self, code: int, members: set[int | None], low: Integers, high: Integers, meaning: Integers) -> None:
        """Note that the entry `code` is the set of these ranks (None: missing); a set of one value means that value."""
        inside = []
        for member in members:
            at = self._last if member is None else int(np.searchsorted(self._places, member))
            if member is None or (at < self._last and self._places[at] == member):
                inside.append(at)
        self.members.append(code)
        if len(inside) < len(members):
            self.beyond.append(code)
        runs = stretches(sorted(inside))
        low[code], high[code] = runs[0] if len(runs) == 1 else (1, 0)
        if len(runs) > 1:
            self.several[code] = runs
        only = next(iter(members)) if len(members) == 1 else None
        if members == {None}:
            meaning[code] = MISSING
        elif only is not None:
            meaning[code] = only
        else:
            meaning[code] = LISTED, self._known.setdefault(frozenset(members), len(self._known))


def _attained(places: Integers, lower: Integers, upper: Integers, whole: Any, sets: _Sets) -> NDArray[np.bool_]:
    """Per entry whether its ends, or the items of its set, are values of the original."""
    attained = np.isin(lower, places) & np.isin(upper, places) | whole
    attained[sets.members] = True
    attained[sets.beyond] = False
    return attained


def _arrow(values: list[str]) -> Any:
    import pyarrow as pa

    return pa.array([value.encode("utf-8", "surrogatepass") for value in values], pa.large_binary())


def _numbers_of(items: list[str], comma: bool) -> Numbers:
    encoded = [item.encode("utf-8", "surrogatepass") for item in items]
    ends = np.cumsum([0, *map(len, encoded)]).astype(np.int64)
    return parse(b"".join(encoded), ends[:-1].copy(), ends[1:].copy(), comma)


def _hidden_moments(original: Column, published: Column) -> str | None:
    """The kind of a text column of dates or times, where some published entry is a range."""
    if original.kind not in TEXTUAL or published.kind not in TEXTUAL:
        return None
    known = set(texts(original))
    if not any(text.startswith("[") and text.endswith("]") for text in texts(published) if text not in known):
        return None
    for kind in (DATE, TIME):
        gone = missing(original, numeric=False)
        found = parse_moments([None if away else text for text, away in zip(texts(original), gone)], kind)
        if (found.valid | gone).all() and not gone.all():
            return kind
    return None


def _temporal(original: Column, published: Column, kind: str) -> _Cover:
    """A column of dates, times or durations: ranges and sets of them."""
    was_gone, now_gone = missing(original, numeric=False), missing(published, numeric=False)
    unit = original.unit or "ns"

    def read(column: Column, gone: Any) -> Numbers:
        if column.kind in TEMPORAL:
            return stored_moments(column)
        return parse_moments([None if away else text for text, away in zip(texts(column), gone)], kind, unit)

    single = read(published, now_gone)
    written = texts(published) if published.kind not in TEMPORAL else [""] * published.size
    ends_of = [range_ends(text) for text in written]
    low = parse_moments([pair[0] if pair else None for pair in ends_of], kind, unit)
    high = parse_moments([pair[1] if pair else None for pair in ends_of], kind, unit)
    items, members = all_items([text if is_set(text) else None for text in written])
    listed = parse_moments([item or None for item in items], kind, unit)
    was, one, a, b, each = rank([read(original, was_gone), single, low, high, listed])
    places = np.unique(was[(was >= 0) & ~was_gone])
    last = places.size
    codes = np.where(was_gone, last, np.searchsorted(places, was))
    ranged = (a >= 0) & (b >= 0) & (one < 0)
    lower, upper = np.where(ranged, a, one), np.where(ranged, b, one)
    star = np.array([text == ANYTHING for text in written], bool) & ~now_gone
    readable = now_gone | (one >= 0) | ranged | star
    first, final = np.searchsorted(places, lower, "left"), np.searchsorted(places, upper, "right") - 1
    meaning = np.stack([lower, upper], axis=1)
    for blank, meant, begin in ((star, ANY, 0), (now_gone, MISSING, last)):
        first, final = np.where(blank, begin, first), np.where(blank, last, final)
        meaning[blank] = meant
    sets = _Sets(places, last)
    for code, within in members.items():
        if not readable[code] and all(each[i] >= 0 or items[i] == "" for i in within):
            sets.add(code, {None if items[i] == "" else int(each[i]) for i in within}, first, final, meaning)
            readable[code] = True
    if not readable.all():
        count = int((~readable)[published.codes].sum())
        raise UnreadableError(
            f"column {shown(published.name)}: {count} published entries are neither a {kind} nor [first, last]"
        )
    attained = _attained(places, lower, upper, star | now_gone, sets)
    kind = "sets" if sets.members else "numbers"  # moments are widened to the one or the other
    return _Cover(codes, first, final, sets.several, meaning, last, attained, kind)


def _textual(original: Column, published: Column, labels: Labels | None) -> _Cover:
    """A column of categories: sets of them, and labels."""
    was_gone, now_gone = missing(original, numeric=False), missing(published, numeric=False)
    spelled = ["" if away else text for text, away in zip(texts(original), was_gone)]
    known = {text: place for place, text in enumerate(sorted(set(spelled) - {""}))}
    last = len(known)
    codes = np.array([known.get(text, last) for text in spelled], np.int64)
    low, high = np.ones(published.size, np.int64), np.zeros(published.size, np.int64)
    several: dict[int, Runs] = {}
    sets: dict[frozenset[str], int] = {}
    meaning = np.zeros((published.size, 2), np.int64)
    unreadable, attained = np.zeros(published.size, bool), np.ones(published.size, bool)
    for code, (text, away) in enumerate(zip(texts(published), now_gone.tolist())):
        members = _members(text, away, known, labels)
        if members is None:
            unreadable[code] = True
        elif text == ANYTHING and not members:
            low[code], high[code], meaning[code] = 0, last, ANY
        else:
            inside = sorted({last if m == "" else known[m] for m in members if m == "" or m in known})
            attained[code] = len(inside) == len(members) or (labels is not None and text in labels)
            runs = stretches(inside)
            if len(runs) == 1:
                low[code], high[code] = runs[0]
            elif runs:
                several[code] = runs
            meaning[code] = LISTED, sets.setdefault(members, len(sets))
            if members == {""}:
                meaning[code] = MISSING
    if unreadable.any():
        count = int(unreadable[published.codes].sum())
        raise UnreadableError(
            f"column {shown(published.name)}: {count} published entries are neither values of the original, nor sets "
            "of them" + (", nor labels of the hierarchy" if labels is not None else "")
        )
    return _Cover(codes, low, high, several, meaning, last, attained, "sets" if labels is None else "labels")


def _members(text: str, away: bool, known: Mapping[str, int], labels: Labels | None) -> frozenset[str] | None:
    """The values an entry stands for ("" is missing; none of them: anything), or None where it cannot be read."""
    if away:
        return frozenset([""])
    if text in known:
        return frozenset([text])
    if labels is not None and text in labels:
        return labels[text]
    if text == ANYTHING:
        return frozenset()
    items = set_items(text) if is_set(text) else None
    return None if items is None else frozenset(items)
