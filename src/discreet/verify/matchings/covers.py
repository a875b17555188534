"""What the entries of a published column cover: runs of the codes of the original's values, and what each one means.

There are three ways to read a column: as numbers, as moments, and as texts (with the labels of a hierarchy, if there is
one). Caps put the original's values beyond them at the cap before anything is compared, as the release did; a published
entry beyond a cap would tell what the cap was to hide, and is not readable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.readers.column import MIXED, TEMPORAL, Column, shown
from discreet.verify.values.caps import Cap, beyond, clip, clip_texts
from discreet.verify.values.exact import Numbers, parse, rank
from discreet.verify.values.hierarchies import Labels
from discreet.verify.values.meaning import TEXTUAL, content, missing, numbers, slices, stored_moments, texts
from discreet.verify.values.moments import parse_moments
from discreet.verify.values.notation import Runs, all_items, is_set, range_ends, set_items, split_ranges, stretches

Integers = NDArray[np.int64]

ANYTHING = "*"


class UnreadableError(Exception):
    """A column that cannot be judged; the message names it and says why."""


MISSING, ANY, LISTED = -2, -3, -4


@dataclass(frozen=True)
class Cover:
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


def numeric_cover(original: Column, published: Column, categorical: bool, cap: Cap | None) -> Cover:
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
    was, one, a, b, each, ends = rank([numbers(original), single, low, high, listed, _ends(cap, None)])
    was = clip(was, cap, ends)
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
    _check_within(
        published, beyond(lower, upper, cap, ends), [each[list(within)] for within in members.values()], cap, ends
    )
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
    return Cover(codes, first, final, sets.several, meaning, last, attained, "sets" if categorical else "numbers")


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


def temporal_cover(original: Column, published: Column, kind: str, cap: Cap | None) -> Cover:
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
    was, one, a, b, each, caps = rank([read(original, was_gone), single, low, high, listed, _ends(cap, kind, unit)])
    was = clip(was, cap, caps)
    places = np.unique(was[(was >= 0) & ~was_gone])
    last = places.size
    codes = np.where(was_gone, last, np.searchsorted(places, was))
    ranged = (a >= 0) & (b >= 0) & (one < 0)
    lower, upper = np.where(ranged, a, one), np.where(ranged, b, one)
    _check_within(
        published, beyond(lower, upper, cap, caps), [each[list(within)] for within in members.values()], cap, caps
    )
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
    return Cover(codes, first, final, sets.several, meaning, last, attained, kind)


def textual_cover(original: Column, published: Column, labels: Labels | None, cap: Cap | None) -> Cover:
    """A column of categories: sets of them, and labels."""
    was_gone, now_gone = missing(original, numeric=False), missing(published, numeric=False)
    spelled = ["" if away else text for text, away in zip(texts(original), was_gone)]
    if cap is not None:
        clipped = clip_texts(spelled, cap)
        if clipped is None:
            raise UnreadableError(f"column {shown(original.name)}: its cap does not fit its values")
        spelled = clipped
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
    return Cover(codes, low, high, several, meaning, last, attained, "sets" if labels is None else "labels")


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


def _ends(cap: Cap | None, kind: str | None, unit: str = "ns") -> Numbers:
    """The ends of a cap as numbers, or as moments of a kind; the first is the bottom."""
    given = (None, None) if cap is None else (cap.bottom, cap.top)
    return _numbers_of([end or "" for end in given], False) if kind is None else parse_moments(given, kind, unit)


def _check_within(published: Column, over: Any, sets: list[Any], cap: Cap | None, ends: Integers) -> None:
    """An error where an entry, or an item of a set, lies beyond the cap, or the cap is of another kind."""
    if cap is None:
        return
    name = shown(published.name)
    if any(end is not None and place < 0 for end, place in zip((cap.bottom, cap.top), ends.tolist())):
        raise UnreadableError(f"column {name}: its cap does not fit its values")
    count = int(over[published.codes].sum()) + sum(bool(beyond(each, each, cap, ends).any()) for each in sets)
    if count:
        raise UnreadableError(f"column {name}: {count} published entries lie beyond its cap")
