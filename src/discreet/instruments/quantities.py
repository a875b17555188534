"""Numeric columns of a dataframe as numbers, every fault reported at once, and the means of groups in their place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing, shown, whole

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


def least_sizes(k: Any, faults: Faults) -> tuple[int, ...]:
    """k, or every k of a list, as numbers; what is wrong with them is noted, and nothing is returned then."""
    given = list(k) if is_list(k) else [k]
    faults.check(bool(given), "the list of k is empty: give at least one")
    numbers = [whole(one) or 0 for one in given]
    sound = faults.check(all(number >= 1 for number in numbers), "k must be a whole number, 1 or more")
    return tuple(numbers) if sound else ()


def is_list(k: Any) -> bool:
    """Whether k is a list of numbers, an array or a range rather than one number."""
    return whole(k) is None and isinstance(k, Iterable) and not isinstance(k, str | bytes | Mapping | Set)


@dataclass(frozen=True)
class Quantities:
    """The columns to protect as numbers, and which records are complete.

    `points` are the complete records made comparable and, by powers of two only, brought to a size whose squares are
    within float64; `exponent` is that of the units of an SSE of these.
    """

    table: Any = field(repr=False)
    names: list[str]
    values: Floats = field(repr=False)
    kept: NDArray[np.bool_] = field(repr=False)
    complete: Floats = field(repr=False)
    points: Floats = field(repr=False)
    exponent: int

    @property
    def n(self) -> int:
        return len(self.values)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What is read of a table, and how: `columns` None are all that are numeric but those `left` as they are."""

    columns: Sequence[str] | None
    left: set[str]
    scale: str
    missing: str


def read(table: Any, sizes: Sequence[int], choice: Choice, faults: Faults) -> Quantities:
    """The chosen columns as numbers, for groups of these sizes or more; one error with everything that is wrong."""
    from discreet.frames import numeric_array, numeric_columns
    from discreet.microaggregation.problem import SCALES, ordinary, standardize

    n, columns = len(table), choice.columns
    for k in sizes if n else ():
        faults.check(k <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k")
    faults.check(n > 0, "the data has no records")
    faults.check(choice.scale in SCALES, f"unknown scale {choice.scale!r}: choose one of {', '.join(SCALES)}")
    faults.check(
        choice.missing in MISSING,
        f"unknown policy for missing values {choice.missing!r}: choose one of {', '.join(MISSING)}",
    )
    named = columns is not None
    chosen = list(columns) if columns is not None else [x for x in numeric_columns(table) if x not in choice.left]
    faults.check(bool(chosen) or named, "no column is numeric: microaggregation needs at least one numeric column")
    values = np.zeros((n, 0))
    try:
        if chosen or named:
            values = numeric_array(table, columns if columns is not None else chosen)
    except InputError as error:
        faults.extend(error)
    kept: NDArray[np.bool_] = np.logical_not(np.isnan(values).any(axis=1))
    _check_gaps(faults, chosen, values, kept, sizes, choice.missing)
    faults.raise_if_any()
    complete = values[kept]
    points, exponent = ordinary(standardize(complete, choice.scale))
    return Quantities(table, chosen, values, kept, complete, points, exponent)


def _check_gaps(
    faults: Faults, names: list[str], values: Floats, kept: NDArray[np.bool_], sizes: Sequence[int], missing: str
) -> None:
    """Missing values are an error, or the records that have some are a class of at least k."""
    n, gaps = len(values), int((~kept).sum())
    if missing == "error" and gaps:
        holes = listing([f"{shown(name)} ({c})" for name, c in zip(names, np.isnan(values).sum(axis=0)) if c])
        faults.add(
            f"{gaps} records have missing values, in columns (number of records): {holes}. "
            'Fill them in first, or use missing="suppress" (--missing suppress) to blank these records'
        )
    elif missing == "suppress" and n:
        for k in sizes:
            faults.check(
                gaps == 0 or gaps >= k,
                f"only {gaps} records have missing values: as a class of their own they need at least k = {k}",
            )
            faults.check(n - gaps >= min(k, n), f"only {n - gaps} records are complete: fewer than k = {k}")


def means(given: Quantities, labels: Labels, *, round: bool) -> dict[str, Any]:
    """Per column the mean of each record's group, NaN where a record is not `kept`; equal to the bit within a group.

    Means of whole numbers beyond 2^53 are exact where all of them are whole (with `round`, made so), else rounded once.
    """
    from discreet.frames import whole_numbers
    from discreet.microaggregation.problem import centroids

    names, kept = given.names, given.kept
    published = np.full_like(given.values, np.nan)
    published[kept] = centroids(given.complete, labels) + 0.0  # a mean of −0 is 0
    columns: dict[str, Any] = {name: published[:, j] for j, name in enumerate(names)}
    largest = np.abs(given.complete).max(axis=0, initial=0.0)
    for j in np.flatnonzero(largest >= EXACT).tolist():
        exact = whole_numbers(given.table, names[j])
        if exact is not None:
            columns[names[j]] = _exact_means(exact, kept, labels, round)
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
