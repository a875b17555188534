"""A column as it is published: plain values, ranges, sets, anything and blanks, in one form for all measures.

    numbers      entry i lies between low_i and high_i; both are the same for a plain value
    categories   entry i is one of the members of its set; of one member for a plain value

A range or a set is read as if each of its values were as likely as the other: a reader of the file knows no better.
Numbers stand for moments too, in days. An original has plain values and blanks only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]

MISSING, ANYTHING = -1, -2


class Numbers(NamedTuple):
    """The ends of every entry: NaN where it is missing, infinite where it may be anything."""

    low: Floats
    high: Floats

    @property
    def missing(self) -> Marks:
        return np.isnan(self.low)

    @property
    def anything(self) -> Marks:
        return np.isinf(self.low)

    @property
    def known(self) -> Marks:
        """Neither missing nor anything."""
        return np.isfinite(self.low)

    @property
    def middle(self) -> Floats:
        """The middle of every range; NaN where nothing is known."""
        with np.errstate(invalid="ignore"):
            return np.where(self.known, self.low / 2 + self.high / 2, np.nan)


class Categories(NamedTuple):
    """The set of every entry, MISSING or ANYTHING: set s has the members `member[first[s]] … member[first[s + 1] − 1]`.

    Members are values 0 … size − 1 of the original, MISSING among them where a set says so; from `size` on they are
    values that the original does not have. `absent` says that the original has missing values, one more value then.
    """

    codes: Codes
    first: Codes
    member: Codes
    size: int
    absent: bool

    @property
    def missing(self) -> Marks:
        return self.codes == MISSING

    @property
    def anything(self) -> Marks:
        return self.codes == ANYTHING

    @property
    def values(self) -> int:
        """How many values the original has, missing as one of them."""
        return self.size + self.absent

    @property
    def width(self) -> Codes:
        """How many members each set has."""
        return np.diff(self.first)

    def plain(self) -> Codes:
        """The value of every entry; MISSING where it is missing or a set of several."""
        single = np.where(self.width == 1, self.member[self.first[:-1]] if self.member.size else 0, MISSING)
        out = np.full(self.codes.shape, MISSING, np.int64)
        known = self.codes >= 0
        out[known] = single[self.codes[known]]
        return out


Column = Numbers | Categories


def plain_numbers(values: Floats) -> Numbers:
    """Numbers that are what they are; NaN is missing."""
    return Numbers(values, values)


def plain_categories(codes: Codes, size: int) -> Categories:
    """Values 0 … size − 1 of an original; MISSING is missing."""
    return Categories(codes, np.arange(size + 1), np.arange(size), size, bool((codes == MISSING).any()))


def by_value(original: Numbers, published: Numbers) -> tuple[Categories, Categories, Floats]:
    """Numbers as categories: the original's values, ascending; a range stands for those of them that lie in it."""
    values, codes = np.unique(original.low[original.known], return_inverse=True)
    before = np.full(original.low.shape, MISSING, np.int64)
    before[original.known] = codes
    absent = bool((before == MISSING).any())
    known = published.known
    ends = np.stack([published.low[known], published.high[known]], axis=1)
    distinct, of = np.unique(ends, axis=0, return_inverse=True)
    start, stop = np.searchsorted(values, distinct[:, 0]), np.searchsorted(values, distinct[:, 1], side="right")
    width = stop - start
    first = np.concatenate([[0], np.cumsum(np.maximum(width, 1))]).astype(np.int64)
    member = np.repeat(np.where(width > 0, start, values.size) - first[:-1], np.diff(first)) + np.arange(first[-1])
    after = np.where(published.anything, ANYTHING, MISSING)
    after[known] = of.ravel()
    plain = Categories(before, np.arange(values.size + 1), np.arange(values.size), values.size, absent)
    return plain, Categories(after, first, member, values.size, absent), values


def holds(column: Categories, values: Codes) -> Marks:
    """Whether the set of each entry has this value among its members; False for what is missing or anything."""
    out = np.zeros(column.codes.shape, bool)
    known = column.codes >= 0
    width = column.width
    one = known.copy()
    one[known] = width[column.codes[known]] == 1
    out[one] = column.member[column.first[column.codes[one]]] == values[one]
    several = np.flatnonzero(known & ~one)
    if several.size:
        span = int(max(column.member.max(initial=0), values.max(initial=0))) + 2
        pairs = np.sort(np.repeat(np.arange(width.size), width) * span + column.member + 1)
        wanted = column.codes[several] * span + values[several] + 1
        place = np.minimum(np.searchsorted(pairs, wanted), pairs.size - 1)
        out[several] = pairs[place] == wanted
    return out


def take(column: Column, rows: Codes) -> Column:
    """The column with its rows in another order, or some of them."""
    if isinstance(column, Numbers):
        return Numbers(column.low[rows], column.high[rows])
    return column._replace(codes=column.codes[rows])
