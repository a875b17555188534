"""The guarantees `classes` and `microaggregation`, checked from the columns of the two tables alone.

classes: every combination of published entries of the chosen columns is shared by at least k rows. Entries are the same
only if they are the same as published, so `1.5` and `1.50` are two.
microaggregation: moreover the published values of a class are the mean of what is known of its members' originals,
weighted where weights are named, and at least k are known; or they are blank. So what is published is what was claimed.
With strata, classes are of rows within a stratum. Several sets of columns make classes of their own; whether someone
who knows them all tells rows apart is another question, and asked too.

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


def classes(columns: Sequence[Column], strata: Sequence[Column] = ()) -> Classes:
    """Group rows that agree on all columns as published, and on what the strata say."""
    of_row = combine([*(column.codes for column in columns), *(folded_codes(column) + 1 for column in strata)])
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
    """Whether every class holds l different known sensitive values; the failures, and the fewest values in a class."""
    values = folded_codes(sensitive)
    known = values >= 0
    pairs = np.unique(groups.of_row[known] * (int(values.max(initial=0)) + 1) + values[known])
    held = np.bincount(pairs // (int(values.max(initial=0)) + 1), minlength=groups.sizes.size)
    short = held < l
    if not short.any():
        return [], int(held.min())
    return [
        f"{int(groups.sizes[short].sum())} rows are in {int(short.sum())} classes with fewer than {l} different values "
        f"of {shown(sensitive.name)}"
    ], int(held.min())


@dataclass(frozen=True)
class Means:
    """What was found about published means: failures, what is lost of how much, how many cells were blanked, filled.

    `extremes`: cells that show what they had, the least or the greatest of their column.
    """

    failures: list[str]
    error: float = 0.0
    total: float = 0.0
    blanked: int = 0
    filled: int = 0
    extremes: int = 0


def check_means(
    original: Sequence[Column], published: Sequence[Column], groups: Classes, k: int, weights: Floats | None = None
) -> Means:
    """The published value of a class is the mean of what is known of its members, of k or more; else it is blank.

    Whole numbers that stayed whole may be rounded means. The loss is of columns divided by their standard deviation;
    a known value that is blank in what is published counts as if the mean of all stood there.
    """
    failures = [
        f"column {shown(b.name)} is not numeric, so it cannot hold means"
        for a, b in zip(original, published)
        if not (_holds_numbers(a) and _holds_numbers(b))
    ]
    if failures:
        return Means(failures)
    x = np.stack([values_of(column) for column in original], axis=1)
    y = np.stack([values_of(column) for column in published], axis=1)
    infinite = [shown(b.name) for j, b in enumerate(published) if np.isinf(x[:, j]).any() or np.isinf(y[:, j]).any()]
    failures += [f"column {name} holds numbers that are infinite or beyond 1.8e308" for name in infinite]
    if failures:
        return Means(failures)
    weight = np.ones(len(x)) if weights is None else weights / weights.max()
    known, here = ~np.isnan(x), ~np.isnan(y)
    for j, column in enumerate(published):
        counts = np.bincount(groups.of_row, known[:, j], groups.sizes.size)
        few = here[:, j] & (counts < k)[groups.of_row]
        if few.any():
            failures.append(
                f"in column {shown(column.name)}, {int(few.sum())} rows are published with a number though fewer than "
                f"{k} values of their class are known"
            )
        rows = here[:, j] & known[:, j]
        wrong = _not_means(x[rows, j], y[rows, j], groups.of_row[rows], weight[rows])
        if wrong:
            failures.append(
                f"in column {shown(column.name)}, {wrong} rows are published with a value that is not their class's "
                "mean"
            )
    with np.errstate(over="ignore", invalid="ignore"):
        error, total = _loss(x, y, weight)
    blanked, filled = int((known & ~here).sum()), int((here & ~known).sum())
    return Means(failures, error, total, blanked, filled, sum(map(extremes, x.T, y.T)))


def extremes(x: Floats, y: Floats) -> int:
    """How many published numbers are what they were, the least or the greatest of a column with different ones."""
    known = x[~np.isnan(x)]
    low, high = known.min(initial=np.inf), known.max(initial=-np.inf)
    return int(((x == y) & ((x == low) | (x == high))).sum()) if low < high else 0


def weights_of(column: Column) -> Floats | None:
    """Sampling weights row by row; None where they are not all positive numbers."""
    if not _holds_numbers(column):
        return None
    values = values_of(column)
    return values if bool((np.isfinite(values) & (values > 0)).all()) else None


def rows_of_numbers(columns: Sequence[Column]) -> Floats | None:
    """Columns of numbers side by side, NaN where missing; None where one is of something else."""
    if not all(_holds_numbers(column) for column in columns):
        return None
    return np.stack([values_of(column) for column in columns], axis=1)


def _holds_numbers(column: Column) -> bool:
    return is_numeric(column) or bool(missing(column, numeric=True).all())


def values_of(column: Column) -> Floats:
    """The numbers of a column row by row, NaN where missing."""
    values = np.where(missing(column, numeric=True), np.nan, as_floats(numbers(column)))
    return np.asarray(values[column.codes], np.float64)


def _not_means(x: Floats, y: Floats, members: Codes, weights: Floats) -> int:
    """Rows whose published value is not their class's mean. Every class is scaled by its own largest value."""
    if not x.size:
        return 0
    order = np.argsort(members, kind="stable")
    first = np.flatnonzero(np.diff(members[order], prepend=-1))
    of = np.repeat(np.arange(first.size), np.diff(np.append(first, x.size)))
    largest = np.maximum.reduceat(np.abs(x[order]), first)
    scale = np.where(largest > 0, largest, 1.0)
    heavy = np.maximum.reduceat(weights[order], first)
    weight = weights[order] / heavy[of]
    means = np.add.reduceat(weight * (x[order] / scale[of]), first) / np.add.reduceat(weight, first)
    whole = bool((x == np.rint(x)).all() and (y == np.rint(y)).all())
    allowed = np.where(whole & (largest > 2.0**53), WHOLE_TOLERANCE, MEAN_TOLERANCE)
    # Among the smallest floats a mean has no other digits than these.
    allowed = allowed + (0.5 if whole else SMALLEST) / scale
    with np.errstate(over="ignore", invalid="ignore"):
        wrong = ~(np.abs(means[of] - y[order] / scale[of]) <= allowed[of])
    return int(wrong.sum())


def _loss(x: Floats, y: Floats, weights: Floats) -> tuple[float, float]:
    """SSE and SST on columns divided by their standard deviation, over what was known.

    Where all rows with a gap are blank throughout, they are a class by themselves: mean and deviation are of the
    others.
    """
    apart = np.isnan(y).all(axis=1)
    base = ~apart if not np.isnan(x[~apart]).any() and not apart.all() else np.ones(len(x), bool)
    error = total = 0.0
    for j in range(x.shape[1]):
        column, w = x[:, j], weights
        known = ~np.isnan(column)
        inside = column[known & base]
        largest = float(np.abs(inside).max(initial=0.0))
        if inside.size < 2 or np.ptp(inside) == 0:
            continue
        inside, own = inside / largest, w[known & base]
        middle = float(np.average(inside, weights=own))
        spread = np.average((inside - middle) ** 2, weights=own) * (inside.size / (inside.size - 1))
        if not spread > 0:
            continue
        a, b, c = column[known] / largest, y[known, j] / largest, w[known]
        total += float((c * (a - middle) ** 2).sum() / spread)
        error += float((c * (a - np.where(np.isnan(b), middle, b)) ** 2).sum() / spread)
    return error, total
