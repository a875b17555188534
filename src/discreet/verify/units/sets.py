"""Published means with the sets behind them: each is recomputed exactly, and its rounding accounted for.

The mean of a row's set, over its known members, is a fraction; what is published is the whole number of last decimals
just below or above it. A row is blank exactly where fewer than two, or fewer than half, of its set are known. Among
rows with different sets those with the larger remainders are the ones to be rounded up: then the rounding follows from
the sets. Rows of one class are rounded alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.verify.matchings.secret_boxes import Members
from discreet.verify.readers import shown
from discreet.verify.units.decimals import Scaled
from discreet.verify.units.means import Means

Integers = NDArray[np.int64]


def check_sets(found: Means, made: Members, classes: Integers | None) -> None:
    """Every published mean against the set of its row; `classes` numbers the rows where these fall into classes."""
    for name, column in found.columns.items():
        wrong, misplaced, spread = _wrong(column, made, classes)
        if misplaced:
            found.failures.append(
                f"column {shown(name)}: {misplaced} rows are blank, or are not, against the known values of their set"
            )
        if wrong:
            found.failures.append(f"column {shown(name)}: {wrong} rows do not show the mean of their set")
        if not wrong and not misplaced:
            found.proven.append(f"every number of {shown(name)} is the mean of its row's set, rounded to a neighbor")
            if spread:
                found.limits.append(
                    f"which means of {shown(name)} are rounded up: not those with the largest remainders, so that the "
                    "rounding follows from no draw is vouched for"
                )


def _wrong(column: Scaled, made: Members, classes: Integers | None) -> tuple[int, int, bool]:
    """Rows with another number than the mean, rows blank against the rule, and whether remainders are out of order."""
    sizes = np.diff(made.ends)
    known = (~column.gap[made.one]).astype(np.int64)
    counts = np.add.reduceat(known, made.ends[:-1])
    values = np.where(column.gap, 0, column.was)[made.one]
    sums = np.add.reduceat(values, made.ends[:-1])
    shows = (counts >= np.minimum(2, sizes)) & (2 * counts >= sizes)
    misplaced = int((shows == column.blank).sum())
    rows = np.flatnonzero(shows & ~column.blank)
    unit = 10 ** (column.decimals - column.last)
    count, total, number = counts[rows].astype(column.was.dtype), sums[rows], column.now[rows]
    # |number − total/count| < unit, in whole numbers
    off: Any = np.abs(number * count - total) >= unit * count
    exact = number * count == total
    wrong = int((off & ~exact).sum())
    if classes is not None:
        return wrong + _uneven(classes[rows], number), misplaced, False
    up = number * count > total
    # Remainders of different counts are compared as fractions: as floats, for they only sort.
    floor = total // (count * unit)
    remainder = (total - floor * count * unit).astype(np.float64) / (count * unit).astype(np.float64)
    rounded = ~exact.astype(bool)
    ups, downs = remainder[rounded & up.astype(bool)], remainder[rounded & ~up.astype(bool)]
    spread = bool(ups.size and downs.size and ups.min() < downs.max() - 1e-9)
    return wrong, misplaced, spread


def _uneven(classes: Integers, number: Any) -> int:
    """Rows of a class that show another number than its first."""
    order = np.argsort(classes, kind="stable")
    new = np.ones(order.size, bool)
    new[1:] = classes[order][1:] != classes[order][:-1]
    first = np.maximum.accumulate(np.where(new, np.arange(order.size), 0))
    return int((number[order] != number[order][first]).sum())
