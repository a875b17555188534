"""The rows that are looked at: all of a file of up to 20 000 rows, else a random part of them, the same every time.

A row r of the release carries the left columns of person own[r]: where rows kept their order that is r, else any person
with the same left values. So the original's columns say all about the left columns of both tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.candidates import MOST_PERSONS, Candidates, some_persons
from discreet.verify.left.values import Values, read_values
from discreet.verify.readers.column import Column, Table

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sample:
    """Some rows of the original (all where `rows` is None), `total` in all; candidates are among them."""

    table: Table
    rows: Integers | None
    total: int
    candidates: Candidates | None
    own: Integers
    telling: Integers | None

    def values(self, name: str) -> Values:
        """A column in the rows of this sample."""
        return read_values(part_of(self.table.column(name), self.rows))


def draw(table: Table, candidates: Candidates | None, own: Integers) -> Sample:
    """The rows to look at, and the candidates numbered by them."""
    n = table.rows
    if n <= MOST_PERSONS:
        return Sample(table, None, n, candidates, own, None)
    told = some_persons(n, MOST_PERSONS)
    if candidates is None:
        return Sample(table, told, n, None, np.arange(told.size), None)
    carried = own[candidates.row]
    rows = np.unique(np.concatenate([told, candidates.persons, carried]))
    within = np.searchsorted
    numbered = Candidates(
        within(rows, candidates.persons), n, candidates.person, within(rows, carried), candidates.persons.size == n
    )
    return Sample(table, rows, n, numbered, np.arange(rows.size), within(rows, told))


def owners(old: Integers, new: Integers) -> Integers | None:
    """For each published row an original with its left values; None where these do not hold the same."""
    if old.size != new.size:
        return None
    a, b = np.argsort(old, kind="stable"), np.argsort(new, kind="stable")
    if (old[a] != new[b]).any():
        return None
    own = np.empty(old.size, np.int64)
    own[b] = a
    return own


def part_of(column: Column, rows: Integers | None) -> Column:
    """Some rows of a column, with the entries that occur there."""
    if rows is None:
        return column
    used, codes = np.unique(column.codes[rows], return_inverse=True)
    entries: Any = column.entries
    some = [entries[i] for i in used.tolist()] if isinstance(entries, list) else entries.take(used)
    return Column(
        column.name, column.kind, codes.astype(np.int64), some, column.absent[used], column.unit, column.comma
    )
