"""Who is found again by somebody who knows original values: every person asked is compared with every published row.

    d(i, r)² = Σ ((x_ij − y_rj) / s_j)² over numbers  +  number of other columns in which they differ

s_j is the standard deviation of the original. Of m rows that are nearest the guess is right with probability 1/m, if
the own one is among them. Nothing clever: the slow way, on persons evenly spaced over the file where it is large.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import combine
from discreet.verify.other_columns import joint
from discreet.verify.readers.column import Column
from discreet.verify.values.exact import as_floats
from discreet.verify.values.meaning import is_numeric, missing, numbers

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

WORK, FEWEST = 200_000_000, 100
SAME = 1e-9
# A gap is far from every number: what is missing stays missing.
FAR = 1e12


def as_numbers(column: Column) -> Floats | None:
    """The entries of each row as numbers, NaN where missing; None for a column of other things."""
    if not is_numeric(column):
        return None
    values = np.where(missing(column, numeric=True), np.nan, as_floats(numbers(column)))
    return np.asarray(values[column.codes], np.float64)


def found_again(before: Sequence[Column], after: Sequence[Column], known: Sequence[Column] = ()) -> tuple[float, int]:
    """The expected share of persons who are rightly linked, by rows that agree in all `known`; and how many were
    asked."""
    pairs = [_pair(a, b) for a, b in zip(before, after)]
    n = len(before[0].codes)
    blocks = combine([column.codes for column in known]) if known else np.zeros(n, np.int64)
    count = max(FEWEST, WORK // max(n * len(pairs), 1))
    persons = np.arange(n) if n <= count else np.linspace(0, n - 1, count).astype(np.int64)
    total = 0.0
    for person in persons.tolist():
        rows = np.flatnonzero(blocks == blocks[person]) if known else np.arange(n)
        apart = np.zeros(len(rows))
        for old, new, is_number in pairs:
            if is_number:
                gap = np.square(new[rows] - old[person])
                apart += np.where(np.isnan(gap), np.where(np.isnan(new[rows]) & np.isnan(old[person]), 0.0, FAR), gap)
            else:
                apart += new[rows] != old[person]
        near = apart <= apart.min() * (1.0 + SAME)
        total += float(near[rows == person].sum() / near.sum())
    return total / len(persons), len(persons)


def _pair(a: Column, b: Column) -> tuple[Floats, Floats, bool]:
    """A column of both tables: numbers divided by their standard deviation, or codes that mean the same in both."""
    old, new = as_numbers(a), as_numbers(b)
    if old is not None and new is not None:
        spread = float(np.nanstd(old)) or 1.0
        return old / spread, new / spread, True
    was, now = joint(a, b)
    return was[a.codes].astype(np.float64), now[b.codes].astype(np.float64), False
