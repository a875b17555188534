"""What two left columns tell together: leave-one-out prediction of a key from the rows in the same cell of two columns.

Numbers and dates are cut into up to 32 ranges of equally many rows, words into the most frequent and the rest; keys of
numbers likewise, each range standing at its median. Per cell a table of counts is enough: leaving one row out takes one
from its own count. Skill is measured as for one column (`skill.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.verify.left.chance import divergence
from discreet.verify.left.skill import NONE, Key, Skill
from discreet.verify.left.values import Values

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_RANGES = 32
ROWS_PER_CELL = 8


def cut(values: Values, most: int) -> tuple[Integers, int]:
    """A column in at most `most` parts: the part of each row, and how many there are."""
    if values.size <= most:
        return values.codes, values.size
    if values.places is None:
        counts = np.bincount(values.codes)
        frequent = np.argsort(-counts, kind="stable")[: most - 1]
        part = np.full(counts.size, most - 1, np.int64)
        part[frequent] = np.arange(most - 1)
        return part[values.codes], most
    edges = np.unique(np.quantile(values.places[values.known], np.arange(1, most - 1) / (most - 1)))
    parts = np.searchsorted(edges, values.places, side="right")
    return np.where(values.known, parts, edges.size + 1), edges.size + 2


def parts_of(rows: int) -> int:
    """In how many parts a column of so many rows is cut."""
    return int(np.clip(np.sqrt(rows / ROWS_PER_CELL), 2, MOST_RANGES))


class CutKey:
    """A key in parts; for numbers each stands at a place."""

    def __init__(self, values: Values) -> None:
        self.name = values.name
        key = Key(values)
        self.varies = key.varies
        self.codes, self.size = cut(values, MOST_RANGES)
        counts = np.bincount(self.codes, minlength=self.size)
        self.most, self.base = int(counts.argmax()), float(counts.max()) / self.codes.size
        self.places: Floats | None = None
        if key.numbers is not None:
            order = np.lexsort((key.numbers, self.codes))
            first = np.concatenate([[0], np.cumsum(counts)[:-1]])
            middle = np.minimum(first + counts // 2, order.size - 1)
            self.places = key.numbers[order[middle]]
            self.middle = self.places[int(np.searchsorted(np.cumsum(counts), self.codes.size / 2))]
            self.base_error = np.abs(self.places - self.middle)
            self.varies = bool((counts * self.base_error).sum() > 0)

    def told_by(self, cells: Integers, count: int) -> Skill:
        """The skill of a prediction from rows in the same cell."""
        if not self.varies:
            return NONE
        table = np.bincount(cells * self.size + self.codes, minlength=count * self.size).reshape(count, self.size)
        return self._categories(table) if self.places is None else self._numbers(table)

    def _categories(self, table: Integers) -> Skill:
        if self.size < 2:
            return NONE
        top = np.partition(table, self.size - 2, axis=1)[:, -2:]
        other, best = top[:, 0], top[:, 1]
        right = (np.where(best - 1 > other, 1.0, 0.0) + np.where((best - 1 == other) & (other > 0), 0.5, 0.0)) * best
        lone = table.sum(axis=1) == 1
        found = float(right[~lone].sum() + table[lone, self.most].sum()) / self.codes.size
        return Skill((found - self.base) / (1.0 - self.base), self.codes.size * divergence(found, self.base))

    def _numbers(self, table: Integers) -> Skill:
        assert self.places is not None
        table = table[table.any(axis=1)]
        below = np.cumsum(table, axis=1)
        total = below[:, -1:]
        wanted = np.maximum(total - 2, 0) // 2
        far = (below <= wanted).sum(axis=1, keepdims=True)
        near = np.minimum((below <= wanted + 1).sum(axis=1, keepdims=True), self.size - 1)
        part = np.where(np.arange(self.size) > far, far, near)
        predicted = np.where(total > 1, self.places[part], self.middle)
        errors = np.abs(self.places - predicted)
        n = self.codes.size
        nearer = float((table * ((errors < self.base_error) + 0.5 * (errors == self.base_error))).sum()) / n
        whole = float((table * self.base_error).sum())
        return Skill(1.0 - float((table * errors).sum()) / whole, n * divergence(nearer, 0.5))
