"""Numeric columns of a dataframe as numbers, every fault reported at once, and the means of groups in their place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing, shown, whole

if TYPE_CHECKING:
    from discreet.microaggregation.uneven.records import Records

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

MISSING = ("error", "known", "suppress")
# Whole numbers up to here are float64 exactly.
EXACT = 2**53


def check_left(
    table: Any, columns: Any, leave: Sequence[str], accept: Sequence[str], other: Sequence[str], faults: Faults
) -> set[str]:
    """The columns to leave as they are; notes what is wrong with them, and columns whose part is unclear.

    Where columns are chosen by default, each that could be one of numbers is either that or left by name, or has
    another part to play (`other`). Digits of one length with zeros in front (postal codes, numbers of persons) are
    codes, and left.
    """
    from discreet.frames import column_faults, doubtful_columns, zero_columns

    for what, names in (("column to leave", leave), ("accepted column", accept)):
        for fault in column_faults(table, names, what=what) if len(names) else ():
            faults.add(fault)
    left = set() if isinstance(leave, str) else set(leave)
    if columns is not None:
        faults.check(not left, "leave is for columns that are chosen by default: name either columns or leave")
        return left
    left |= set(other)
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


def least_sizes(k: Any, faults: Faults, *, allow_unprotected: bool) -> tuple[int, ...]:
    """k, or every k of a list, as numbers; what is wrong with them is noted, and nothing is returned then."""
    given = list(k) if is_list(k) else [k]
    faults.check(bool(given), "the list of k is empty: give at least one")
    numbers = [whole(one) or 0 for one in given]
    sound = faults.check(all(number >= 1 for number in numbers), "k must be a whole number, 1 or more")
    if sound and not allow_unprotected:
        sound = faults.check(
            min(numbers, default=2) >= 2,
            "k = 1 protects nobody, every record is published as it is: choose 2 or more; if that is what you want, "
            "say so (allow_unprotected=True, --allow-unprotected)",
        )
    return tuple(numbers) if sound else ()


def is_list(k: Any) -> bool:
    """Whether k is a list of numbers, an array or a range rather than one number."""
    return whole(k) is None and isinstance(k, Iterable) and not isinstance(k, str | bytes | Mapping | Set)


@dataclass(frozen=True)
class Quantities:
    """The columns of one set as numbers, and which records are grouped.

    `points` are the `kept` records made comparable and, by powers of two only, brought to a size whose squares are
    within float64; `exponent` is that of the units of an SSE of these. With weights or gaps `records` has both, in the
    same units. `lost` is what the known values of the others, which are suppressed, add to SSE and SST.
    """

    table: Any = field(repr=False)
    names: list[str]
    values: Floats = field(repr=False)
    kept: NDArray[np.bool_] = field(repr=False)
    complete: Floats = field(repr=False)
    points: Floats = field(repr=False)
    exponent: int
    weights: Floats | None = field(repr=False)
    strata: Labels | None = field(repr=False)
    records: Records | None = field(repr=False)
    lost: float

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
    weights: Floats | None
    strata: Labels | None


def check_choice(table: Any, sizes: Sequence[int], choice: Choice, faults: Faults) -> None:
    """Note what is wrong whatever the columns: too few records, in all or in a stratum, and unknown words."""
    from discreet.microaggregation.problem import SCALES

    n = len(table)
    for k in sizes if n else ():
        if faults.check(k <= n, f"k = {k} is larger than the number of records ({n}): choose a smaller k"):
            _check_strata(faults, choice.strata, np.ones(n, bool), k, "records")
    faults.check(n > 0, "the data has no records")
    faults.check(choice.scale in SCALES, f"unknown scale {choice.scale!r}: choose one of {', '.join(SCALES)}")
    faults.check(
        choice.missing in MISSING,
        f"unknown policy for missing values {choice.missing!r}: choose one of {', '.join(MISSING)}",
    )


def read(table: Any, sizes: Sequence[int], choice: Choice, faults: Faults) -> Quantities | None:
    """The chosen columns as numbers, for groups of these sizes or more; None, and faults, where that cannot be."""
    from discreet.frames import numeric_array, numeric_columns
    from discreet.microaggregation.problem import ordinary, standardize
    from discreet.microaggregation.uneven.records import coordinates, uneven_records

    n, columns = len(table), choice.columns
    named = columns is not None
    chosen = list(columns) if columns is not None else [x for x in numeric_columns(table) if x not in choice.left]
    faults.check(bool(chosen) or named, "no column is numeric: microaggregation needs at least one numeric column")
    values = np.zeros((n, 0))
    try:
        if chosen or named:
            values = numeric_array(table, columns if columns is not None else chosen)
    except InputError as error:
        faults.extend(error)
    gaps = np.isnan(values)
    kept: NDArray[np.bool_] = np.ones(n, bool) if choice.missing == "known" else np.logical_not(gaps.any(axis=1))
    _check_gaps(faults, chosen, values, kept, sizes, choice)
    if faults:
        return None
    complete = values[kept]
    weights = None if choice.weights is None else choice.weights[kept]
    strata = None if choice.strata is None else choice.strata[kept]
    records: Records | None = None
    if weights is None and not gaps[kept].any():
        points, exponent = ordinary(standardize(complete, choice.scale))
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            records, exponent = uneven_records(complete, weights, choice.scale)
            points = coordinates(records)
        if not faults.check(bool(np.isfinite(points).all()), "the numbers are too large to be compared: use scale sd"):
            return None
    lost = _lost(values, kept, choice, exponent) if not kept.all() else 0.0
    return Quantities(table, chosen, values, kept, complete, points, exponent, weights, strata, records, lost)


def _lost(values: Floats, kept: NDArray[np.bool_], choice: Choice, exponent: int) -> float:
    """Squared deviations of the known values of suppressed records, in the units of those that are kept."""
    from discreet.microaggregation.problem import restored
    from discreet.microaggregation.uneven.records import even, unit_of

    weights = np.ones(len(values)) if choice.weights is None else choice.weights
    scale = even(weights[kept], int(kept.sum()))[0] / weights[kept][0]
    total = 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        for j in range(values.shape[1]):
            unit = unit_of(np.ascontiguousarray(values[kept, j]), weights[kept], choice.scale)
            rows = ~kept & ~np.isnan(values[:, j])
            total += float((weights[rows] * scale * unit.of(values[rows, j]) ** 2).sum())
    return restored(total, -exponent)


def _check_gaps(
    faults: Faults,
    names: list[str],
    values: Floats,
    kept: NDArray[np.bool_],
    sizes: Sequence[int],
    choice: Choice,
) -> None:
    """Missing values are an error; or records that have some are a class of at least k; or columns have k others."""
    n, gaps, missing = len(values), int((~kept).sum()), choice.missing
    if missing == "error" and gaps:
        holes = listing([f"{shown(name)} ({c})" for name, c in zip(names, np.isnan(values).sum(axis=0)) if c])
        faults.add(
            f"{gaps} records have missing values, in columns (number of records): {holes}. "
            'Fill them in first; or use missing="known" (--missing known) to average what is known, or '
            'missing="suppress" (--missing suppress) to blank these records'
        )
    elif missing == "suppress" and n:
        for k in sizes:
            faults.check(
                gaps == 0 or gaps >= k,
                f"only {gaps} records have missing values: as a class of their own they need at least k = {k}; "
                'missing="known" (--missing known) averages what is known instead',
            )
            faults.check(n - gaps >= min(k, n), f"only {n - gaps} records are complete: fewer than k = {k}")
            if gaps and not faults:
                _check_strata(faults, choice.strata, kept, k, "complete records")
                _check_strata(faults, choice.strata, ~kept, k, "records with missing values")
    elif missing == "known" and values.size:
        for k in sizes:
            few = [f"{shown(name)} ({m})" for name, m in zip(names, (~np.isnan(values)).sum(axis=0)) if m < min(k, n)]
            faults.check(
                not few, f"columns with fewer than k = {k} known values: {listing(few)}. Leave them out (--drop)"
            )


def _check_strata(faults: Faults, strata: Labels | None, rows: NDArray[np.bool_], k: int, what: str) -> None:
    """Groups stay within strata, so each has none of the records or k."""
    if strata is None:
        return
    sizes = np.bincount(strata[rows], minlength=int(strata.max(initial=0)) + 1)
    small = (sizes > 0) & (sizes < k)
    faults.check(
        not small.any(),
        f"{int(small.sum())} of {int((sizes > 0).sum())} strata have fewer than k = {k} {what} "
        f"({int(sizes[small].sum())} in all), and groups stay within strata: choose larger strata (by, --by)",
    )


def means(given: Quantities, labels: Labels, k: int, *, round: bool) -> dict[str, Any]:
    """Per column the mean of each record's group, NaN where it is blank; equal to the bit within a group.

    Means of whole numbers beyond 2^53 are exact where all of them are whole (with `round`, made so), else rounded once.
    """
    from discreet.frames import whole_numbers
    from discreet.microaggregation.problem import centroids
    from discreet.microaggregation.uneven.records import blanks

    names, kept = given.names, given.kept
    published = np.full_like(given.values, np.nan)
    blank = np.zeros(given.complete.shape, bool) if given.records is None else blanks(given.records, labels, k)
    if given.records is None:
        published[kept] = centroids(given.complete, labels) + 0.0  # a mean of −0 is 0
    else:
        published[kept] = np.where(blank, np.nan, _known_means(given.complete, given.weights, labels))
    columns: dict[str, Any] = {name: published[:, j] for j, name in enumerate(names)}
    largest = np.nanmax(np.abs(given.complete), axis=0, initial=0.0)
    for j in np.flatnonzero(largest >= EXACT).tolist():
        exact = whole_numbers(given.table, names[j])
        if exact is not None:
            columns[names[j]] = _exact_means(exact, given, labels, blank[:, j], round)
    return columns


def _known_means(values: Floats, weights: Floats | None, labels: Labels) -> Floats:
    """Weighted means of what each record's group knows, column by column; within the group's range, 0 for none."""
    from discreet.microaggregation.problem import DOWN, LARGE
    from discreet.microaggregation.uneven.records import even

    weight, groups = even(weights, len(values)), int(labels.max()) + 1
    out = np.zeros(values.shape)
    for j in range(values.shape[1]):
        known = ~np.isnan(values[:, j])
        x, own, w = values[known, j], labels[known], weight[known]
        if not x.size:
            continue
        power = DOWN if np.abs(x).max() >= LARGE else 0
        x = np.ldexp(x, -power)
        low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
        np.minimum.at(low, own, x)
        np.maximum.at(high, own, x)
        sums = np.bincount(own, w, groups)
        above = np.bincount(own, w * (x - low[own]), groups) / np.where(sums > 0, sums, 1.0)
        some = sums > 0
        mean = np.zeros(groups)
        mean[some] = np.clip(low[some] + above[some], low[some], high[some])
        out[:, j] = np.ldexp(mean, power)[labels] + 0.0
    return out


def _exact_means(
    whole: list[int | None], given: Quantities, labels: Labels, blank: NDArray[np.bool_], round_them: bool
) -> Any:
    """Means of groups of whole numbers as whole numbers (None where blank), or as the nearest floats."""
    groups = int(labels.max()) + 1
    total, size = [Fraction(0)] * groups, [Fraction(0)] * groups
    rows = np.flatnonzero(given.kept).tolist()
    weights = [1.0] * len(rows) if given.weights is None else given.weights.tolist()
    for row, group, weight in zip(rows, labels.tolist(), weights):
        value = whole[row]
        if value is not None:
            total[group] += Fraction(weight) * value
            size[group] += Fraction(weight)
    exact = [t / s if s else Fraction(0) for t, s in zip(total, size)]
    if round_them:
        exact = [Fraction(round(mean)) for mean in exact]
    if all(mean.denominator == 1 for mean in exact):
        out: list[int | None] = [None] * len(whole)
        for row, group, gone in zip(rows, labels.tolist(), blank.tolist()):
            out[row] = None if gone else exact[group].numerator
        return out
    floats = np.full(len(whole), np.nan)
    floats[rows] = np.where(blank, np.nan, np.array([float(mean) for mean in exact])[labels])
    return floats
