"""Numeric columns of a dataframe as numbers, every fault reported at once, and the means of groups in their place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing, shown
from discreet.work import SEED_FAULT, is_seed

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

MISSING = ("error", "suppress")
# Whole numbers up to here are float64 exactly.
EXACT = 2**53


def check_left(
    table: Any, columns: Sequence[str] | None, leave: Sequence[str], accept: Sequence[str], faults: Faults
) -> set[str]:
    """The columns to leave as they are; notes what is wrong with them, and columns whose part is unclear.

    Where columns are chosen by default, each that could be one of numbers is either that or left by name. Digits of one
    length with zeros in front (postal codes, numbers of persons) are codes, and left.
    """
    from discreet.frames import column_faults, doubtful_columns, zero_columns

    for what, names in (("column to leave", leave), ("accepted column", accept)):
        for fault in column_faults(table, names, what=what) if len(names) else ():
            faults.add(fault)
    left = set() if isinstance(leave, str) else set(leave)
    if columns is not None:
        faults.check(not left, "leave is for columns that are chosen by default: name either columns or leave")
        return left
    odd = {name: counts for name, counts in doubtful_columns(table).items() if name not in left}
    if odd:
        counted = listing([f"{shown(name)} ({wrong} of {total})" for name, (wrong, total) in odd.items()])
        faults.add(
            f"{_columns(odd)} numbers, but not throughout (entries that are no numbers): {counted}. "
            "Correct these entries; or name the columns to protect (columns, --columns), or those to publish as they "
            "are (leave, --leave)"
        )
    codes = [name for name in zero_columns(table) if name not in left]
    if codes:
        faults.add(
            f"{_columns(codes)} whole numbers some of which have leading zeros, codes or quantities: "
            f"{listing(codes)}. Name the columns to protect (columns, --columns), or those to publish as they are "
            "(leave, --leave)"
        )
    return left


def _columns(names: Collection[str]) -> str:
    return "one column holds" if len(names) == 1 else f"{len(names)} columns hold"


def read(
    table: Any,
    k: int,
    columns: Sequence[str] | None,
    scale: str,
    missing: str,
    seed: int | None,
    faults: Faults,
    left: set[str],
) -> tuple[list[str], Floats, NDArray[np.bool_]]:
    """The chosen columns as numbers and which rows are complete; one error with everything that is wrong."""
    from discreet.frames import numeric_array, numeric_columns
    from discreet.microaggregation.problem import SCALES

    n = len(table)
    whole = isinstance(k, int | np.integer) and not isinstance(k, bool)
    if faults.check(whole and k >= 1, "k must be a whole number, 1 or more") and n:
        faults.check(k <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k")
    faults.check(n > 0, "the data has no records")
    faults.check(scale in SCALES, f"unknown scale {scale!r}: choose one of {', '.join(SCALES)}")
    faults.check(
        missing in MISSING,
        f"unknown policy for missing values {missing!r}: choose one of {', '.join(MISSING)}",
    )
    faults.check(is_seed(seed), SEED_FAULT)
    chosen = [name for name in numeric_columns(table) if name not in left] if columns is None else list(columns)
    if columns is None:
        faults.check(bool(chosen), "no column is numeric: microaggregation needs at least one numeric column")
    values = np.zeros((n, 0))
    try:
        if chosen or columns is not None:
            values = numeric_array(table, chosen if columns is None else columns)
    except InputError as error:
        faults.extend(error)
    kept: NDArray[np.bool_] = np.logical_not(np.isnan(values).any(axis=1))
    gaps = int((~kept).sum())
    if missing == "error" and gaps:
        holes = listing([f"{shown(name)} ({c})" for name, c in zip(chosen, np.isnan(values).sum(axis=0)) if c])
        faults.add(
            f"{gaps} records have missing values, in columns (number of records): {holes}. "
            'Fill them in first, or use missing="suppress" (--missing suppress) to blank these records'
        )
    elif missing == "suppress" and whole and n:
        faults.check(
            gaps == 0 or gaps >= k,
            f"only {gaps} records have missing values: as a class of their own they need at least k = {k}",
        )
        faults.check(n - gaps >= min(k, n), f"only {n - gaps} records are complete: fewer than k = {k}")
    faults.raise_if_any()
    return chosen, values, kept


def means(
    table: Any, names: Sequence[str], values: Floats, kept: NDArray[np.bool_], labels: Labels, *, round: bool
) -> dict[str, Any]:
    """Per column the mean of each record's group, NaN where a record is not `kept`; equal to the bit within a group.

    Means of whole numbers beyond 2^53 are exact where all of them are whole (with `round`, made so), else rounded once.
    """
    from discreet.frames import whole_numbers
    from discreet.microaggregation.problem import centroids

    published = np.full_like(values, np.nan)
    published[kept] = centroids(values[kept], labels) + 0.0  # a mean of −0 is 0
    columns: dict[str, Any] = {name: published[:, j] for j, name in enumerate(names)}
    largest = np.abs(values[kept]).max(axis=0, initial=0.0)
    for j in np.flatnonzero(largest >= EXACT).tolist():
        whole = whole_numbers(table, names[j])
        if whole is not None:
            columns[names[j]] = _exact_means(whole, kept, labels, round)
    return columns


def _exact_means(whole: list[int | None], kept: NDArray[np.bool_], labels: Labels, round_them: bool) -> Any:
    """Means of groups of whole numbers as whole numbers (None where not `kept`), or as the nearest floats."""
    groups = int(labels.max()) + 1
    total, size = [0] * groups, [0] * groups
    rows = np.flatnonzero(kept).tolist()
    for row, group in zip(rows, labels.tolist()):
        total[group] += whole[row] or 0
        size[group] += 1
    exact = [Fraction(t, s) if s else Fraction(0) for t, s in zip(total, size)]
    if round_them:
        exact = [Fraction(round(mean)) for mean in exact]
    if all(mean.denominator == 1 for mean in exact):
        out: list[int | None] = [None] * len(whole)
        for row, group in zip(rows, labels.tolist()):
            out[row] = exact[group].numerator
        return out
    floats = np.full(len(whole), np.nan)
    floats[rows] = np.array([float(mean) for mean in exact])[labels]
    return floats
