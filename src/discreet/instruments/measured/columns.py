"""Columns of an original and of what was published of it, from two frames: `Numbers` and `Categories` in one coding.

The original tells what a column holds, as for `generalize`: numbers and moments (in days) are `Numbers`, all else is
`Categories`, codes with leading zeros too. What was published is read accordingly, ours or a peer's:

    *                                          anything
    [17, 39]  [17, 39)  (17, 39]  17-39        a range of numbers; the first also of moments
    {a, "b, c"}                                a set of categories; an item without text is a missing value
    a label of the hierarchy                   the values below it, where the hierarchy is given
    empty, null, NaN, NA                       blank; the last among categories only where it is none of the original's

Whatever else stands among numbers cannot be read, and counts as anything; a category that the original does not have is
taken for one of its values if it differs in case, spacing or leading zeros only, and else is a value of its own. How
many cells these are is kept (`unread`), for the reader to be told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.measure.utility.columns import (
    ANYTHING,
    MISSING,
    Categories,
    Codes,
    Column,
    Numbers,
    plain_categories,
    plain_numbers,
)

NUMBERS, MOMENTS, CATEGORIES = "numbers", "moments", "categories"
_ANY = "*"
_ALL = (-np.inf, np.inf)
_DASH = re.compile(r"([0-9.]+) ?[-–] ?([0-9.]+)")


@dataclass(frozen=True)
class Pair:
    """One column in both files: its name, kind, forms, labels of the original's values (categories only) and how many
    published cells could not be read."""

    name: str
    kind: str
    before: Column = field(repr=False)
    after: Column = field(repr=False)
    labels: Sequence[str] = field(default=(), repr=False)
    unread: int = 0


def read_pairs(
    original: Any,
    published: Any,
    names: Sequence[str],
    *,
    categorical: Collection[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
) -> list[Pair]:
    """The columns of both frames; `hierarchies` has per column a `Hierarchy` or what `generalize` takes for one."""
    from discreet.frames import adopt

    before, after = adopt(original), adopt(published)
    trees = hierarchies or {}
    return [_pair(before, after, name, name in categorical, trees.get(name)) for name in names]


def _pair(before: Any, after: Any, name: str, categorical: bool, hierarchy: Any) -> Pair:
    from discreet.frames import code_columns, is_numeric, numeric_array
    from discreet.frames.dataframes import measures
    from discreet.frames.values import kinds

    chosen = categorical or hierarchy is not None or name in code_columns(before)
    if not chosen and is_numeric(before, name) and measures(before).get(name, "scale") == "scale":
        values = numeric_array(before, [name])[:, 0]
        published, unread = _numbers(after, name, _number)
        return Pair(name, NUMBERS, plain_numbers(values), published, (), unread)
    found = kinds.values(before, name, categories=chosen)
    if found.kind in (kinds.NUMBERS, kinds.MOMENTS):
        reader = _number if found.kind == kinds.NUMBERS else _days
        of_code = np.array([*(_value(text, reader) for text in found.entries.texts), np.nan])
        published, unread = _numbers(after, name, reader)
        kind = NUMBERS if found.kind == kinds.NUMBERS else MOMENTS
        return Pair(name, kind, plain_numbers(of_code[found.entries.codes]), published, (), unread)
    below = _coverage(hierarchy, name)
    listed = (*(found.order or ()), *found.entries.texts, *(leaf for leaves in below.values() for leaf in leaves))
    place = {text: code for code, text in enumerate(dict.fromkeys(listed))}
    of_code = np.array([*(place[text] for text in found.entries.texts), MISSING], np.int64)
    original = plain_categories(of_code[found.entries.codes], len(place))
    sets, unread = _categories(after, name, original, place, below)
    return Pair(name, CATEGORIES, original, sets, tuple(place), unread)


def _value(text: str, reader: Callable[[str], float | None]) -> float:
    found = reader(text)
    return np.nan if found is None else found


def _numbers(table: Any, name: str, reader: Callable[[str], float | None]) -> tuple[Numbers, int]:
    """The published entries as ends of ranges, and how many could not be read."""
    from discreet.frames import is_numeric, numeric_array
    from discreet.frames.exact import encoded, has_comma, is_missing, plain_array
    from discreet.frames.text import as_text

    if reader is _number and is_numeric(table, name):
        return plain_numbers(numeric_array(table, [name])[:, 0]), 0
    codes, distinct = encoded(plain_array(table, name))
    comma = has_comma(table, name)
    ends = np.full((len(distinct) + 1, 2), np.nan)
    wrong = np.zeros(len(distinct) + 1, bool)
    for code, text in enumerate(as_text(distinct).to_pylist()):
        if text is None or is_missing(text):
            continue
        span = _span(text.strip(), reader, comma)
        wrong[code] = span is None
        ends[code] = _ALL if span is None else span
    return Numbers(ends[codes, 0], ends[codes, 1]), int(wrong[codes].sum())


def _span(text: str, reader: Callable[[str], float | None], comma: bool) -> tuple[float, float] | None:
    """The ends of what a text stands for, None where it cannot be read."""
    if text == _ANY:
        return _ALL
    plain = reader(text.replace(",", ".") if comma else text)
    if plain is not None:
        return plain, plain
    dash = _DASH.fullmatch(text) if reader is _number else None
    ends = _ends(text) if dash is None else dash.groups()
    if not ends:
        return None
    low, high = (reader(end.strip().replace(",", ".") if comma else end.strip()) for end in ends)
    return None if low is None or high is None or high < low else (low, high)


def _ends(text: str) -> Sequence[str]:
    """The two ends between brackets of any kind; nothing where there are no two."""
    if len(text) < 5 or text[0] not in "[](" or text[-1] not in "[])":
        return ()
    ends = text[1:-1].split(next((mark for mark in (";", ", ", ",") if mark in text), ","))
    return ends if len(ends) == 2 else ()


def _number(text: str) -> float | None:
    from discreet.frames.exact import as_number

    found = as_number(text)
    value = None if found is None else float(found)
    return value if value is not None and np.isfinite(value) else None


def _days(text: str) -> float | None:
    from discreet.frames.values.moments import DAY, moment

    found = moment(text)
    return None if found is None else found[1] / DAY


def _coverage(hierarchy: Any, name: str) -> Mapping[str, Sequence[str]]:
    """Label → the values below it."""
    from discreet.instruments.quasi_identifiers import as_hierarchy

    return {} if hierarchy is None else as_hierarchy(hierarchy, name).coverage()


def _categories(
    table: Any, name: str, original: Categories, place: Mapping[str, int], coverage: Mapping[str, Sequence[str]]
) -> tuple[Categories, int]:
    """The published entries as sets of the original's values, and how many have a value that it does not have."""
    from discreet.frames.exact import entries, is_missing, meaning

    found = entries(table, name, categories=True)
    alike: dict[object, int | None] = {}
    strangers: dict[str, int] = {}

    def nearly(text: str) -> int | None:
        if not alike:
            for known, code in place.items():
                key = meaning(known)
                alike[key] = None if key in alike else code  # of several that differ in case only, none
        return alike.get(meaning(text))

    def value(text: str) -> int:
        if text == "":
            return MISSING
        known = place.get(text)
        if known is None:
            known = nearly(text)
        return len(place) + strangers.setdefault(text, len(strangers)) if known is None else known

    sets: list[list[int]] = []
    of_text = np.full(len(found.texts) + 1, MISSING, np.int64)
    for code, text in enumerate(found.texts):
        if text == _ANY and text not in place:
            of_text[code] = ANYTHING
            continue
        if is_missing(text) and text not in place:
            continue
        of_text[code] = len(sets)
        items = [text] if text in place else (_items(text) or coverage.get(text) or [text])
        sets.append(sorted({value(item) for item in items}))
    first = np.concatenate([[0], np.cumsum([len(members) for members in sets])]).astype(np.int64)
    members = np.array([member for group in sets for member in group], np.int64)
    odd = np.array([*(any(member >= len(place) for member in group) for group in sets), False], bool)
    codes: Codes = of_text[found.codes]
    published = Categories(codes, first, members, original.size, original.absent)
    return published, int(odd[np.where(codes < 0, len(sets), codes)].sum())


def _items(text: str) -> list[str] | None:
    from discreet.verify.values.notation import is_set, set_items

    return set_items(text) if is_set(text) else None
