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

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.matchings.covers import (
    MISSING,
    Cover,
    UnreadableError,
    numeric_cover,
    temporal_cover,
    textual_cover,
)
from discreet.verify.readers.column import DATE, MIXED, NESTED, TEMPORAL, TEXT, TIME, Column, shown
from discreet.verify.values.caps import Cap
from discreet.verify.values.exact import Numbers, normal
from discreet.verify.values.hierarchies import Labels
from discreet.verify.values.meaning import NUMERIC, TEXTUAL, folded_codes, is_numeric, missing, numbers, texts
from discreet.verify.values.moments import parse_moments
from discreet.verify.values.notation import is_set

Integers = NDArray[np.int64]

_ZERO = re.compile(r"\s*[+-]?0[0-9]")

__all__ = ["Reading", "UnreadableError", "folded_codes", "read_attribute"]


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


def read_attribute(
    original: Column,
    published: Column,
    *,
    categorical: bool,
    labels: Labels | None,
    missing: str,
    cap: Cap | None = None,
) -> tuple[Reading, int]:
    """The reading of an attribute, and how many values are spelled in more than one way.

    `categorical` says that numbers are categories; `labels` are those of a hierarchy; `missing` is "value" or
    "wildcard"; values of the original beyond `cap` count as the cap.
    """
    cover = _cover(original, published, categorical, labels, cap)
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
    original: Column,
    published: Column,
    categorical: bool,
    labels: Labels | None,
    cap: Cap | None = None,
    numeric: bool | None = None,
) -> Cover:
    for column in (original, published):
        if column.kind == NESTED:
            raise UnreadableError(f"column {shown(column.name)} holds lists or records, which cannot be judged")
    if labels is None:
        if numeric is None:
            numeric = not categorical and is_numeric(original) and not _codes(original, published, cap)
        if original.kind in NUMERIC or numeric:
            return numeric_cover(original, published, categorical, cap)
        if original.kind in TEMPORAL:
            return temporal_cover(original, published, original.kind, cap)
        kind = None if categorical else _hidden_moments(original, published, cap)
        if kind is not None:
            return temporal_cover(original, published, kind, cap)
    return textual_cover(original, published, labels, cap)


def _codes(original: Column, published: Column, cap: Cap | None) -> bool:
    """Whether text of digits was published as what it is: text by its type, or with zeros in front, and no range made.

    Then it was widened to sets, or it shows the very spellings of the original.
    """
    if original.kind not in TEXTUAL or published.kind not in TEXTUAL or cap is not None:
        return False
    known, now = set(texts(original)), set(texts(published))
    if original.kind != TEXT and not any(_ZERO.match(text) for text in known):
        return False
    fresh = now - known
    ranged = any(text.startswith("[") and text.endswith("]") for text in fresh)
    return not ranged and (now == known or any(is_set(text) for text in fresh))


def _hidden_moments(original: Column, published: Column, cap: Cap | None) -> str | None:
    """The kind of a text column of dates or times, where some published entry is a range, or there is a cap."""
    if original.kind not in TEXTUAL or published.kind not in TEXTUAL:
        return None
    known = set(texts(original))
    ranged = any(text.startswith("[") and text.endswith("]") for text in texts(published) if text not in known)
    if not ranged and cap is None:
        return None
    for kind in (DATE, TIME):
        gone = missing(original, numeric=False)
        found = parse_moments([None if away else text for text, away in zip(texts(original), gone)], kind)
        if (found.valid | gone).all() and not gone.all():
            return kind
    return None
