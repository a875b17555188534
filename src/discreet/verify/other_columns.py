"""Columns that are not quasi-identifiers: are they what they were, and do they undo the protection of others?

A column that the original does not have could say anything, a changed one too; a copy of a quasi-identifier gives away
what was hidden. Each is a failure. A custodian may accept a column by name: what it tells as it stands in the original
is a stated limit then. What was made of it is not accepted with it: other values, spellings that tell equal ones apart
or are of several styles, rows torn, a dictionary in the order of the rows. What goes out unchanged is named: whoever
knows it can tell rows apart.

Where rows kept their order columns are compared row by row, else as a multiset of whole rows. Values may be respelled
on the way from one format to another, but not in two ways: then the spelling would tell rows apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import lgamma, log
from typing import Protocol

import numpy as np

from discreet.verify.groups import Codes, combine, dense
from discreet.verify.order import aligned
from discreet.verify.readers.column import BOOL, TEMPORAL, Column, Table, shown_list
from discreet.verify.values.exact import Numbers, rank, whole
from discreet.verify.values.meaning import (
    NUMERIC,
    TEXTUAL,
    is_numeric,
    missing,
    numbers,
    stored_moments,
    texts,
)
from discreet.verify.values.moments import parse_moments
from discreet.verify.values.styles import one_style

CHANCE = log(1e4)
NOT_THE_VALUES = "column {}, which is not among the protected ones, does not hold the original values"
TORN = "the values of the columns {} were put together anew: rows of the original are torn"
MORE_WAYS = "column {} spells equal values in more ways than the original, which tells rows apart"
SEVERAL_STYLES = "column {} is respelled in several styles (quotes, decimals, signs), which may tell rows apart"
# A missing value as a text, whatever its type: NaN is not equal to itself, so it must not become a number.
ROUGHLY_NOTHING = ("", "na", "nan", "+nan", "-nan", "null", "none", "<na>", "nat")


@dataclass
class Findings:
    """What was found, as sentences by the column they are about; accepted ones become limits.

    `words` have a place for the names: the first `{}` in them.
    """

    accepted: Collection[str]
    failures: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    copied: set[str] = field(default_factory=set)

    def about(self, names: Sequence[str], words: str) -> None:
        """What columns tell."""
        held = [name for name in names if name not in self.accepted]
        if held:
            self.failures.append(words.replace("{}", shown_list(held), 1))
        taken = [name for name in names if name in self.accepted]
        if taken:
            self.limits.append("accepted by name: " + words.replace("{}", shown_list(taken), 1))

    def altered(self, names: Sequence[str], words: str) -> None:
        """What was made of columns: they are not what was accepted."""
        self.failures.append(words.replace("{}", shown_list(names), 1))

    def about_all(self, names: Sequence[str], words: str) -> None:
        """What columns tell together and none does alone: who accepts one of them accepts that."""
        said = words.replace("{}", shown_list(names), 1)
        if any(name in self.accepted for name in names):
            self.limits.append("accepted by name: " + said)
        else:
            self.failures.append(said)


def left_columns(before: Table, after: Table, chosen: Sequence[str]) -> list[str]:
    """The published columns outside the chosen ones that the original also has."""
    known, named = set(before.names), set(chosen)
    return [name for name in after.names if name in known and name not in named]


def extra_columns(before: Table, after: Table, findings: Findings) -> None:
    """Published columns that the original does not have."""
    known = set(before.names)
    extra = [name for name in after.names if name not in known]
    if extra:
        findings.about(extra, "the original has no column {}: what it says about people cannot be judged")


def compare_rows(before: Table, after: Table, left: Sequence[str], findings: Findings) -> None:
    """Left columns row by row, for releases that keep the order of rows."""
    same = before.same(after, left)
    changed: dict[str, int] = {}
    spelled, styled = [], []
    for name in left:
        if name in same:
            continue
        was, now = before.column(name), after.column(name)
        a, b = joint(was, now)
        differ = int((a[was.codes] != b[now.codes]).sum())
        if differ:
            changed[name] = differ
        elif _ways(was.codes, now.codes) > was.size:
            spelled.append(name)
        elif not one_style(was, now):
            styled.append(name)
    for name, rows in changed.items():
        findings.altered([name], f"column {{}}, which is not among the protected ones, differs in {rows} rows")
    if spelled:
        findings.altered(spelled, MORE_WAYS)
    if styled:
        findings.altered(styled, SEVERAL_STYLES)


def _ways(was: Codes, now: Codes) -> int:
    """How many pairs of an original and a published entry there are."""
    return int(np.unique(was * (int(now.max(initial=0)) + 1) + now).size)


class Rows(Protocol):
    """What has rows in a row, with something between them."""

    def seams(self) -> object | None: ...


def compare_seams(before: Rows | None, after: Rows, findings: Findings, *, ordered: bool) -> None:
    """What stands between the rows of a text: line ends of several kinds and blank lines are signs on single rows.

    Where rows keep their order they may be those of the original, like a column that goes out as it is.
    """
    seams = after.seams()
    if seams is None:
        return
    if ordered and (before is None or before.seams() == seams):
        findings.limits.append(
            "line ends or blank lines between rows differ: whoever can read them can tell rows apart"
        )
    else:
        findings.failures.append("line ends differ, or blank lines stand between rows, which tells rows apart")


def listed_in_order(before: Table, after: Table, left: Sequence[str], findings: Findings) -> None:
    """Dictionaries of left columns that list values in the order of the original rows, for shuffled releases."""
    found = []
    for name in left:
        listing = after.listing(name)
        if listing is None:
            continue
        was = before.column(name)
        old, new = joint(was, listing)
        if aligned(old[was.codes], new[listing.codes]):
            found.append(name)
    if found:
        findings.altered(found, "the dictionary of column {} lists its values in the order of the original rows")


def compare_multisets(before: Table, after: Table, left: Sequence[str], findings: Findings) -> tuple[Codes, Codes]:
    """Left columns as a multiset of rows, for shuffled releases; a number for each left row of both tables."""
    whole = before.left_rows(after, left)
    if whole is not None and same_multiset(*whole):
        return whole
    was, now = [np.zeros(before.rows, np.int64)], [np.zeros(after.rows, np.int64)]
    changed, spelled, styled = [], [], []
    for name in left:
        a, b = before.column(name), after.column(name)
        as_published = _raw(a, b)
        if as_published is not None and same_multiset(*as_published):
            rows_a, rows_b = as_published
        else:
            entries_a, entries_b = joint(a, b)
            rows_a, rows_b = entries_a[a.codes], entries_b[b.codes]
            if not same_multiset(rows_a, rows_b):
                changed.append(name)
                continue
            if np.unique(entries_b).size < b.size:
                spelled.append(name)
            elif not one_style(a, b):
                styled.append(name)
        was.append(rows_a)
        now.append(rows_b)
    if changed:
        findings.altered(changed, NOT_THE_VALUES)
    if spelled:
        findings.altered(spelled, MORE_WAYS)
    if styled:
        findings.altered(styled, SEVERAL_STYLES)
    rows = combine([np.concatenate(pair) for pair in zip(was, now)])
    old, new = rows[: before.rows], rows[before.rows :]
    if len(was) > 1 and not same_multiset(old, new):
        joined = [name for name in left if name not in changed]
        findings.altered(joined, TORN)
    return old, new


def same_multiset(a: Codes, b: Codes) -> bool:
    """Whether two columns of numbers are the same but for their order."""
    size = int(max(a.max(initial=0), b.max(initial=0))) + 1
    return a.size == b.size and bool((np.bincount(a, minlength=size) == np.bincount(b, minlength=size)).all())


def _raw(a: Column, b: Column) -> tuple[Codes, Codes] | None:
    """Numbers for the rows of two columns of one kind, equal for entries that are the same as published."""
    if a.kind != b.kind or a.comma != b.comma:
        return None
    import pyarrow as pa

    if isinstance(a.entries, list):
        known: dict[object, int] = {}
        objects = [
            np.array([known.setdefault((type(x), repr(x)), len(known)) for x in column.entries], np.int64)
            for column in (a, b)
        ]
        return objects[0][a.codes], objects[1][b.codes]
    if a.entries.type != b.entries.type:
        return None
    both = pa.concat_arrays([a.entries, b.entries]).dictionary_encode(null_encoding="encode").indices
    codes = both.to_numpy(zero_copy_only=False).astype(np.int64)
    return codes[: a.size][a.codes], codes[a.size :][b.codes]


def joint(a: Column, b: Column) -> tuple[Codes, Codes]:
    """Numbers for the distinct entries of two columns, equal for those that mean the same; 0 is missing."""
    if is_numeric(a) and is_numeric(b):  # each by its own decimal mark
        gone = missing(a, numeric=True), missing(b, numeric=True)
        ranks = rank([numbers(a), numbers(b)])
    elif (moments := _moments(a, b)) is not None:
        gone = missing(a, numeric=False), missing(b, numeric=False)
        ranks = rank(moments)
    elif BOOL in (a.kind, b.kind) and (a.kind in NUMERIC or b.kind in NUMERIC):  # SPSS and Stata have no truth values
        gone = missing(a, numeric=a.kind in NUMERIC), missing(b, numeric=b.kind in NUMERIC)
        ranks = rank([_truth(column) if column.kind == BOOL else numbers(column) for column in (a, b)])
    else:
        both_numbers = [column.kind in NUMERIC for column in (a, b)]
        gone = missing(a, numeric=any(both_numbers)), missing(b, numeric=any(both_numbers))
        known: dict[str, int] = {}
        ranks = [
            np.array([known.setdefault(text, len(known)) for text in texts(column)], np.int64) for column in (a, b)
        ]
    first, second = (np.where(away, 0, found + 1) for away, found in zip(gone, ranks))
    both = dense(np.concatenate([np.zeros(1, np.int64), first, second]))
    return both[1 : a.size + 1], both[a.size + 1 :]


def _moments(a: Column, b: Column) -> list[Numbers] | None:
    """Both columns as dates, times or durations, where one is stored as such and the other alike or as text."""
    stored = a if a.kind in TEMPORAL else b
    if stored.kind not in TEMPORAL:
        return None
    found = []
    for column in (a, b):
        if column.kind == stored.kind:
            found.append(stored_moments(column))
        elif column.kind in TEXTUAL:
            gone = missing(column, numeric=False)
            read = parse_moments(
                [None if away else text for text, away in zip(texts(column), gone)], stored.kind, stored.unit or "ns"
            )
            if not (read.valid | gone).all():
                return None
            found.append(read)
        else:
            return None
    return found


def _truth(column: Column) -> Numbers:
    return whole([None if value is None else int(value) for value in column.entries.to_pylist()])


def copies(before: Table, after: Table, chosen: Sequence[str], left: Sequence[str], findings: Findings) -> None:
    """Left columns that equal, row by row in the original, a quasi-identifier that the release changed.

    Two columns of a handful of rows may agree by chance: that is a limit, no failure.
    """
    if not left or not before.rows:
        return
    looked = np.unique(np.linspace(0, before.rows - 1, 8).astype(np.int64)).tolist()

    def glance(name: str) -> tuple[object, ...]:
        return tuple(_rough(text) for text in before.peek(name, looked))

    named = {glance(name) for name in chosen}
    alike: dict[tuple[object, ...], list[_Alike]] = {}
    for name in left:
        if (seen := glance(name)) in named:
            _sort_in(before, name, alike.setdefault((*seen, _pattern(before.column(name))), [])).left.append(name)
    for name in chosen if alike else ():
        kinds = alike.get((*glance(name), _pattern(before.column(name))), [])
        if kinds and was_changed(before, after, name):
            for kind in kinds:
                if _row_by_row(before.column(kind.left[0]), before.column(name)):
                    kind.chosen.append(name)
    for kind in (kind for kinds in alike.values() for kind in kinds if kind.chosen):
        column = before.column(kind.left[0])
        own = joint(column, column)[0]
        words = shown_list(kind.chosen)
        if np.unique(own).size == 1:
            continue
        findings.copied.update(kind.left)
        if _arrangements(own[column.codes]) > CHANCE:
            findings.about(kind.left, f"column {{}} repeats {words} of the original, which was to be protected")
        else:
            findings.limits.append(
                f"column {shown_list(kind.left)} repeats {words}, in so few rows that it may be chance"
            )


@dataclass
class _Alike:
    """Left columns that are equal row by row, and the chosen ones that equal them."""

    left: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)


def _sort_in(table: Table, name: str, kinds: list[_Alike]) -> _Alike:
    """The kind that a column belongs to, which is added where there is none."""
    for kind in kinds:
        if _row_by_row(table.column(kind.left[0]), table.column(name)):
            return kind
    kinds.append(_Alike())
    return kinds[-1]


def _row_by_row(a: Column, b: Column) -> bool:
    was, now = joint(a, b)
    return bool((was[a.codes] == now[b.codes]).all())


def _pattern(column: Column) -> bytes:
    """Which rows have equal values, whatever these are: columns that are equal row by row have it in common."""
    return hashlib.sha256(dense(joint(column, column)[0][column.codes]).tobytes()).digest()


def _arrangements(values: Codes) -> float:
    """The logarithm of the number of orders that these values can stand in: n!/Πm!."""
    counts = np.bincount(values - values.min())
    return lgamma(values.size + 1) - sum(lgamma(int(count) + 1) for count in counts[counts > 1])


def _rough(text: str) -> object:
    """A text for a quick comparison: numbers by their value, all names of nothing alike, the rest without case."""
    text = text.strip().casefold()
    if text in ROUGHLY_NOTHING:
        return None
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text


def was_changed(before: Table, after: Table, name: str) -> bool:
    """Whether a column is published with other values than it had."""
    a, b = before.column(name), after.column(name)
    was, now = joint(a, b)
    return not same_multiset(was[a.codes], now[b.codes])


def told(left: Sequence[str], guarantee: str, *, compared: bool) -> str | None:
    """The limit that names what goes out as it is, or what could not be compared with an original."""
    ordered = guarantee != "matchings"
    if not left:
        return "whoever knows the order of rows can tell rows of a class apart" if ordered else None
    one = len(left) == 1
    knows = ("it" if one else "them") + (", or the order of rows," if ordered else "")
    class_ = "of a class " if ordered else ""
    if not compared:
        were, they = ("was", "it") if one else ("were", "they")
        return f"{shown_list(left)} {were} not examined, nor compared with an original: {they} may tell rows apart"
    goes = "goes out as it is" if one else "go out as they are"
    return f"{shown_list(left)} {goes}: whoever knows {knows} can tell rows {class_}apart"


__all__ = [
    "Findings",
    "compare_multisets",
    "compare_rows",
    "compare_seams",
    "copies",
    "extra_columns",
    "left_columns",
    "listed_in_order",
    "told",
]
