"""Keys of the original and of the published file as whole numbers: equal for what means the same, 0 for nothing.

A published key cell is blank (0) or what it was. Whether it is, is seen row by row where rows kept their order; else
there must be a way to assign originals to published rows, each to one, that explains all cells (a perfect matching).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.verify.matchings.check import verify_matchings
from discreet.verify.matchings.reading import Reading
from discreet.verify.other_columns import joint
from discreet.verify.readers import Table, shown

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Cells:
    """The keys `names` of both tables, row by row; 0 is blank or missing."""

    names: tuple[str, ...]
    original: Integers = field(repr=False)
    published: Integers = field(repr=False)

    @cached_property
    def changed(self) -> Integers:
        """Per key the cells that are neither blank nor what they were, with rows in their order."""
        return ((self.published != 0) & (self.published != self.original)).sum(axis=0)

    @cached_property
    def in_order(self) -> bool:
        """Whether row i of the published file can be row i of the original."""
        return not self.changed.any()

    @cached_property
    def explained(self) -> bool:
        """Whether originals can be assigned to published rows so that every cell is blank or what it was."""
        return self.in_order or verify_matchings(self.readings(), k=1, likelihood=False).safe

    @property
    def blanked(self) -> Integers:
        """Per key how many values were left blank that the original has."""
        return (self.published == 0).sum(axis=0) - (self.original == 0).sum(axis=0)

    def readings(self) -> list[Reading]:
        """Every published key as a box: a value is itself, a blank is anything."""
        return [_reading(was, now) for was, now in zip(self.original.T, self.published.T)]

    def failures(self) -> list[str]:
        """Words about cells that are neither blank nor what they were."""
        if self.explained:
            return []
        words = "in column {}, {} cells are neither blank nor what they were in the original"
        return [words.format(shown(name), int(count)) for name, count in zip(self.names, self.changed) if count]


def read_cells(before: Table, after: Table, names: Sequence[str]) -> Cells:
    """The keys of two tables with the same number of rows."""
    was, now = [], []
    for a, b in zip(before.columns(names), after.columns(names)):
        old, new = joint(a, b)
        was.append(old[a.codes])
        now.append(new[b.codes])
    return Cells(tuple(names), np.stack(was, axis=1), np.stack(now, axis=1))


def read_original(before: Table, names: Sequence[str]) -> Integers:
    """The keys of the original alone."""
    columns = before.columns(names)
    return np.stack([joint(column, column)[0][column.codes] for column in columns], axis=1)


def _reading(was: Integers, now: Integers) -> Reading:
    last = int(max(was.max(initial=0), now.max(initial=0)))
    codes = np.arange(last + 1)
    high = codes.copy()
    high[0] = last  # a blank covers whatever there is, and what is missing
    attained = np.ones(last + 1, bool)
    return Reading(was, now, np.arange(last + 2), codes, high, "sets", attained)
