"""Group-bys over every set of columns: 2^d of them, each made from a smaller one by a single pass over the rows.

Rows are met in the order of the column that joins the set; within a class of the smaller set a new class begins
whenever the code differs from the last one met there. No hashing, no sorting but once a column.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Codes = NDArray[np.int64]

_NO_CODE = -(2**63)


class Grouping(NamedTuple):
    """The classes of rows that agree outside the `blank` columns (bits of a mask): of each row, and their number."""

    blank: int
    of: Codes
    classes: int


def sorted_rows(column: Codes) -> Codes:
    """The rows in rising order of one column."""
    return np.argsort(column, kind="stable")


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def refine(of: Codes, classes: int, column: Codes, order: Codes) -> tuple[Codes, int]:
    """Split each class by the values of one more column."""
    last, name = np.full(classes, _NO_CODE, np.int64), np.empty(classes, np.int64)
    out = np.empty_like(of)
    made = 0
    for i in order:
        group = of[i]
        if last[group] != column[i]:
            last[group] = column[i]
            name[group] = made
            made += 1
        out[i] = name[group]
    return out, made


def groupings(codes: Codes) -> Iterator[Grouping]:
    """Every set of blanked columns, from all of them to none, with its classes; d classes are kept at a time."""
    rows, d = codes.shape
    columns = [np.ascontiguousarray(codes[:, j]) for j in range(d)]
    orders = [sorted_rows(column) for column in columns]

    def walk(grouping: Grouping, free: int) -> Iterator[Grouping]:
        yield grouping
        for j in range(free):
            of, classes = refine(grouping.of, grouping.classes, columns[j], orders[j])
            yield from walk(Grouping(grouping.blank & ~(1 << j), of, classes), j)

    return walk(Grouping((1 << d) - 1, np.zeros(rows, np.int64), min(rows, 1)), d)


def set_costs(cost: Codes) -> Codes:
    """What blanking each set of columns costs in a record, by the set's mask."""
    masks = np.arange(1 << cost.size, dtype=np.int64)
    total = np.zeros(masks.size, np.int64)
    for j, each in enumerate(cost):
        total += np.where((masks >> j) & 1, each, 0)
    return total
