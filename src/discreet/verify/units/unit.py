"""Rows grouped into units by the values of a column: which rows belong together, and how many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.verify.groups import dense
from discreet.verify.other_columns import joint
from discreet.verify.readers import Column, Table

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Units:
    """The unit of each row, −1 for a row without one; rows of unit u are `rows[ends[u] : ends[u + 1]]`."""

    of_row: Integers
    rows: Integers
    ends: Integers

    @property
    def sizes(self) -> Integers:
        return np.diff(self.ends)

    @property
    def count(self) -> int:
        return self.ends.size - 1

    @property
    def loose(self) -> Integers:
        """The rows without a unit."""
        return np.flatnonzero(self.of_row < 0)

    @property
    def first(self) -> Integers:
        """The first row of each unit; units are numbered by these."""
        return self.rows[self.ends[:-1]]

    @property
    def heads(self) -> Integers:
        """Per unit and per row without one a row that stands for it, in the order of rows."""
        return np.sort(np.concatenate([self.first, self.loose]))

    def members(self, units: Integers, size: int) -> Integers:
        """The rows of some units that all have this size, a line for each."""
        return np.asarray(self.rows[self.ends[units][:, None] + np.arange(size)], np.int64)


def signatures(codes: Sequence[Integers], sides: Sequence[Units]) -> list[Integers]:
    """Per table a number for each unit, and then for each row without one, equal where units carry the same codes."""
    known: dict[bytes, int] = {}
    out = []
    for values, side in zip(codes, sides):
        lines = [np.sort(values[side.rows[a:b]]) for a, b in pairwise(side.ends.tolist())]
        lines += [values[row : row + 1] for row in side.loose.tolist()]
        out.append(np.array([known.setdefault(line.tobytes(), len(known)) for line in lines], np.int64))
    return out


def in_order(values: Integers, side: Units) -> Integers:
    """Values of units, and then of rows without one, in the order of rows."""
    return values[np.argsort(np.concatenate([side.first, side.loose]), kind="stable")]


def grouped(of_row: Integers) -> Units:
    """Units by a number for each row; −1 is none. They are numbered anew in the order of their first rows."""
    held = np.flatnonzero(of_row >= 0)
    new = np.full(of_row.size, -1, np.int64)
    if held.size:
        new[held] = dense(of_row[held])
    order = held[np.argsort(new[held], kind="stable")]
    count = int(new.max(initial=-1)) + 1
    return Units(new, order, np.searchsorted(new[order], np.arange(count + 1)).astype(np.int64))


def units(table: Table, name: str) -> Units:
    """The units of a table: rows whose value in this column means the same. A missing value is no unit."""
    column = table.column(name)
    return grouped(meanings(column)[column.codes] - 1)


def meanings(column: Column) -> Integers:
    """A number for each distinct entry, equal for entries that mean the same; 0 is missing."""
    return joint(column, column)[0]
