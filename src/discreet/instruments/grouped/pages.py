"""What the report of a microaggregation says: every sentence is computed from the two tables, and true for them."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import listing
from discreet.results import Section

if TYPE_CHECKING:
    from discreet.instruments.microaggregation import Microaggregation

Floats = NDArray[np.float64]

# Sums of float64 in another order differ by no more than this share.
ROUNDING = 1e-12
# How much means change is said by order of magnitude: with the file, an exact figure would tell what was blanked.
STEPS = ((1e-4, "0.01 %"), (1e-3, "0.1 %"), (1e-2, "1 %"), (1e-1, "10 %"))


class Numbers(NamedTuple):
    """The columns of one set before and after, NaN where missing, and the weights of records, if there are some."""

    names: tuple[str, ...]
    before: Floats
    after: Floats
    weights: Floats | None

    @property
    def complete(self) -> tuple[Floats, Floats]:
        """Both tables for the records without a gap in either."""
        kept = ~(np.isnan(self.before) | np.isnan(self.after)).any(axis=1)
        return self.before[kept], self.after[kept]


def numbers(result: Microaggregation, names: tuple[str, ...]) -> Numbers:
    from discreet.frames import adopt, numeric_array

    before, after = adopt(result.original), adopt(result.data)
    weights = None if result.weight is None else numeric_array(before, [result.weight])[:, 0]
    return Numbers(names, numeric_array(before, list(names)), numeric_array(after, list(names)), weights)


def sections(result: Microaggregation) -> list[Section]:
    from discreet.instruments.drawn.microaggregation import sections as pictures
    from discreet.report.figures import available

    sets = [numbers(result, names) for names in result.sets or (result.columns,)]
    drawn = pictures(result) if available() else []
    return [_kept(result, sets), _intruder(result, sets), *drawn]


def _kept(result: Microaggregation, sets: list[Numbers]) -> Section:
    """Column by column, what analyses rest on."""
    from discreet.measure import column_losses, moments

    rows = []
    for one in sets:
        before, after = one.complete
        found = moments(before, after) if len(before) else {}
        for j, (name, loss) in enumerate(zip(one.names, column_losses(one.before, one.after, one.weights))):
            spread = f"{100 * found['sd_kept'][j]:.2f}" if found else ""
            rows.append((name, f"{loss:.3f}", spread, f"{found['correlation_change'][j]:.4f}" if found else ""))
    words = [
        totals(result, sets),
        "Information loss is the share of a column's variation that is gone; the last column is the largest change of "
        "its correlation with any other column" + (" of its set." if len(sets) > 1 else "."),
    ]
    if result.suppressed or result.filled or result.blanked:
        words.append("Both are over records without a gap.")
    if result.weight is not None:
        words.append(f"Information loss is weighted by {result.weight}; standard deviations and correlations are not.")
    heads = ("column", "information loss, %", "standard deviation kept, %", "largest change of correlation")
    return Section("What is kept, column by column", " ".join(words), heads, rows, confidential=True)


def totals(result: Microaggregation, sets: list[Numbers]) -> str:
    """Whether means and totals are kept, and if not, why and by how much."""
    what = "Means and totals" if result.weight is None else f"Means and totals, weighted by {result.weight},"
    within = f", within each {' and '.join(result.by)} too" if result.by else ""
    changed, largest, exact = [], 0.0, True
    for one in sets:
        weights = np.ones(len(one.before)) if one.weights is None else one.weights
        for j, name in enumerate(one.names):
            unit = _unit(one.before[:, j])
            before, after = (unit * column[:, j] for column in (one.before, one.after))
            (was, mass), (now, still) = _total(before, weights), _total(after, weights)
            size = _total(np.abs(before), weights)[0]
            exact = exact and was == now and mass == still
            if abs(now - was) > ROUNDING * size or abs(mass - still) > ROUNDING * mass:
                changed.append(name)
                shift = abs(now / still - was / mass) / (size / mass) if still and mass and size else 1.0
                largest = max(largest, shift)
    if not changed:
        return f"{what} are kept{within} {'exactly' if exact else 'up to rounding in the last digits'}."
    why = [
        words
        for words, so in (
            ("means are published as whole numbers", result.rounded),
            (f"{result.filled} missing values hold their group's mean", result.filled),
            (f"{result.blanked} known values are blank", result.blanked),
        )
        if so
    ]
    why = why or ["what is published is rounded"]
    amount = next((f"by less than {words}" for most, words in STEPS if largest < most), "by 10 % or more")
    return f"{what} of {listing(changed)} are not kept: {', and '.join(why)}. Means change {amount} of their size."


def _unit(column: Floats) -> float:
    """What to multiply by so that a sum is a number: for those near the end of the scale a power of two, so exact."""
    return 2.0**-200 if np.abs(column).max(initial=0.0, where=~np.isnan(column)) > 2.0**900 else 1.0


def _total(column: Floats, weights: Floats) -> tuple[float, float]:
    """The weighted total of what is known, and its weight."""
    known = ~np.isnan(column)
    with np.errstate(over="ignore"):
        return fsum((column[known] * weights[known]).tolist()), fsum(weights[known].tolist())


def _intruder(result: Microaggregation, sets: list[Numbers]) -> Section:
    """What linking to the nearest published record finds, counted."""
    from discreet.measure import linkage_risk

    words = []
    for one in sets:
        before, after = one.complete
        if not len(before):
            continue
        whom = "every original value" if len(sets) == 1 else f"the original values of {listing(one.names)}"
        those = "the persons" if len(before) == result.n else f"the {len(before)} persons without a gap"
        words.append(
            f"Someone who knows {whom} and links each person to the nearest published record is right for "
            f"{100 * linkage_risk(before, after):.2f} % of {those}; groups of {result.k} allow "
            f"{100 / result.k:.2f} % at most."
        )
    if not words:
        words.append("No record is without a gap, so there is nobody whom all numbers could be linked to.")
    if len(sets) > 1:
        words.append(together(result))
    if result.largest_share is not None and result.largest_share > 0.5:
        words.append(
            f"In some group one record has {100 * result.largest_share:.0f} % of the weight, so that the mean is close "
            "to its value: where weights differ less, means hide more."
        )
    return Section("What an intruder can do", " ".join(words), confidential=True)


def together(result: Microaggregation) -> str:
    """What is known to somebody who knows the columns of all sets."""
    labels = np.unique(result.labels, axis=0, return_inverse=True)[1].reshape(-1)
    few = int((np.bincount(labels)[labels] < result.k).sum())
    return (
        f"Each set of columns is protected by itself. For someone who knows the columns of all sets, {few} of "
        f"{result.n} records share their groups with fewer than {result.k}, themselves included."
    )
