"""The guarantees `classes` and `microaggregation`, checked from the columns of the two tables alone.

classes: every combination of published entries of the chosen columns is shared by at least k rows. Entries are the same
only if they are the same as published, so `1.5` and `1.50` are two.
microaggregation: moreover the published values of a class are the mean of its members' originals, so that what is
published is what was claimed.

With a sensitive column and l, every class must hold at least l values of it that differ in more than their form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.verify.readers.column import Column, shown
from discreet.verify.values.exact import as_floats
from discreet.verify.values.meaning import folded_codes, is_numeric, missing, numbers

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

# Means of the same numbers added in another order differ by rounding, a tiny share of the largest of them. Beyond 2^53
# even neighboring whole numbers are that close, so there less is allowed.
SMALLEST = 5e-324
MEAN_TOLERANCE = 1e-9
WHOLE_TOLERANCE = 2.0**-48


@dataclass(frozen=True)
class Classes:
    """Rows grouped by their published values: the class of each row and the size of each class."""

    of_row: Codes
    sizes: Codes

    @property
    def smallest(self) -> int:
        return int(self.sizes.min()) if self.sizes.size else 0


def classes(columns: Sequence[Column]) -> Classes:
    """Group rows that agree on all columns as published."""
    of_row = combine([column.codes for column in columns])
    return Classes(of_row, np.bincount(of_row).astype(np.int64))


def combine(codes: Sequence[Codes]) -> Codes:
    """One number for each row, the same for rows that agree in all codes."""
    combined = dense(codes[0])
    for more in codes[1:]:
        if int(combined.max(initial=0)) + 1 == combined.size:
            break  # all rows differ already
        combined = dense(combined * (int(more.max(initial=0)) + 1) + more)
    return combined


def dense(codes: Codes) -> Codes:
    """Renumber codes densely, so that combining many columns cannot overflow."""
    import pyarrow as pa

    encoded = pa.array(codes).dictionary_encode()
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)


def small_classes(groups: Classes, k: int) -> list[str]:
    """Whether every class has k rows; the failure says how many rows do not."""
    small = groups.sizes[groups.sizes < k]
    if not small.size:
        return []
    return [
        f"{int(small.sum())} rows are in {small.size} classes of fewer than {k} rows "
        f"(the smallest has {groups.smallest})"
    ]


def uniform_classes(groups: Classes, sensitive: Column, l: int) -> tuple[list[str], int]:
    """Whether every class holds l different sensitive values; the failures, and the fewest values in a class."""
    values = folded_codes(sensitive)
    pairs = np.unique(groups.of_row * (int(values.max(initial=0)) + 1) + values)
    held = np.bincount(pairs // (int(values.max(initial=0)) + 1), minlength=groups.sizes.size)
    short = held < l
    if not short.any():
        return [], int(held.min())
    return [
        f"{int(groups.sizes[short].sum())} rows are in {int(short.sum())} classes with fewer than {l} different values "
        f"of {shown(sensitive.name)}"
    ], int(held.min())


def check_means(
    original: Sequence[Column], published: Sequence[Column], groups: Classes
) -> tuple[list[str], float | None]:
    """The published value of a class is its members' mean; returns the failures and the information loss in percent.

    A class whose chosen columns are all blank holds records that were suppressed; it has no means to check. Whole
    numbers that stayed whole may be rounded means.
    """
    failures = [
        f"column {shown(b.name)} is not numeric, so it cannot hold means"
        for a, b in zip(original, published)
        if not (_holds_numbers(a) and _holds_numbers(b))
    ]
    if failures:
        return failures, None
    x = np.stack([_values(column) for column in original], axis=1)
    y = np.stack([_values(column) for column in published], axis=1)
    blank = np.isnan(y).all(axis=1)
    if np.isnan(y[~blank]).any():
        rows = int(np.isnan(y[~blank]).any(axis=1).sum())
        failures.append(f"{rows} rows are blank in some but not all of the protected columns")
    if np.isnan(x[~blank]).any():
        rows = int((np.isnan(x) & ~np.isnan(y)).any(axis=1).sum())
        failures.append(f"{rows} rows had a missing value and were published with a number")
    infinite = [shown(b.name) for j, b in enumerate(published) if np.isinf(x[:, j]).any() or np.isinf(y[:, j]).any()]
    failures += [f"column {name} holds numbers that are infinite or beyond 1.8e308" for name in infinite]
    if failures:
        return failures, None
    kept = ~blank
    for j, column in enumerate(published):
        wrong = _not_means(x[kept, j], y[kept, j], groups.of_row[kept])
        if wrong:
            failures.append(
                f"in column {shown(column.name)}, {wrong} rows are published with a value that is not their class's "
                "mean"
            )
    with np.errstate(over="ignore", invalid="ignore"):
        loss = _loss(x[kept], y[kept])
    return failures, loss if np.isfinite(loss) else None


def rows_of_numbers(columns: Sequence[Column]) -> Floats | None:
    """Columns of numbers side by side, NaN where missing; None where one is of something else."""
    if not all(_holds_numbers(column) for column in columns):
        return None
    return np.stack([_values(column) for column in columns], axis=1)


def _holds_numbers(column: Column) -> bool:
    return is_numeric(column) or bool(missing(column, numeric=True).all())


def _values(column: Column) -> Floats:
    """The numbers of a column row by row, NaN where missing."""
    values = np.where(missing(column, numeric=True), np.nan, as_floats(numbers(column)))
    return np.asarray(values[column.codes], np.float64)


def _not_means(x: Floats, y: Floats, members: Codes) -> int:
    """Rows whose published value is not their class's mean. Every class is scaled by its own largest value."""
    if not x.size:
        return 0
    order = np.argsort(members, kind="stable")
    first = np.flatnonzero(np.diff(members[order], prepend=-1))
    of = np.repeat(np.arange(first.size), np.diff(np.append(first, x.size)))
    largest = np.maximum.reduceat(np.abs(x[order]), first)
    scale = np.where(largest > 0, largest, 1.0)
    means = np.add.reduceat(x[order] / scale[of], first) / np.diff(np.append(first, x.size))
    whole = bool((x == np.rint(x)).all() and (y == np.rint(y)).all())
    allowed = np.where(whole & (largest > 2.0**53), WHOLE_TOLERANCE, MEAN_TOLERANCE)
    # Among the smallest floats a mean has no other digits than these.
    allowed = allowed + (0.5 if whole else SMALLEST) / scale
    with np.errstate(over="ignore", invalid="ignore"):
        wrong = ~(np.abs(means[of] - y[order] / scale[of]) <= allowed[of])
    return int(wrong.sum())


def _loss(x: Floats, y: Floats) -> float:
    """100·SSE/SST on columns divided by their standard deviation."""
    if len(x) < 2:
        return 0.0
    largest = np.abs(x).max(axis=0)
    scale = np.where(largest > 0, largest, 1.0)
    x, y = x / scale, y / scale
    spread = x.std(axis=0, ddof=1)
    varied = (np.ptp(x, axis=0) > 0) & (spread > 0)
    total = (((x - x.mean(axis=0))[:, varied] / spread[varied]) ** 2).sum()
    return float(100.0 * (((x - y)[:, varied] / spread[varied]) ** 2).sum() / total) if total > 0 else 0.0
