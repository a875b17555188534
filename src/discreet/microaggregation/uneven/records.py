"""Records with sampling weights and gaps, and what a partition of them loses.

A group publishes in column j the weighted mean of its known values, for all its members, where at least k are known,
and a blank where fewer are. With weights w, known values x in units of the column and centered at its mean,

    SSE = Σ_groups Σ_columns Σ_known w (x − y)²,    SST = Σ_columns Σ_known w x²,    IL = 100·SSE/SST,

where y is the group's mean, or 0, the mean of all, where the group is blank: what is blanked is lost altogether. A gap
that gets its group's mean loses nothing that was known. A search that counted no more than that would blank values
near the mean and invent others for nothing; so it counts the column's average deviation (`change`) on top, once for
each gap that is filled and `BLANK` times for each value that is blanked.

With weights alone groups of 2k and more are never needed, as in `problem`: both halves of a group lose less by
themselves. With gaps they may be: the halves may have fewer than k known values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microaggregation.problem import MOST_POWER, Floats, Labels, ordinary

Mask = NDArray[np.bool_]

BLANK = 4.0  # how many times worse a value is that is gone than one that is made up


class Records(NamedTuple):
    """`values` in units and centered, 0 where not `known`; `weights` with a mean of 1; what it costs beside the loss to
    `change` a gap of weight 1 into a value, in each column."""

    values: Floats
    known: Mask
    weights: Floats
    change: Floats

    def take(self, rows: NDArray[np.int64]) -> Records:
        """Some of them, in the same units."""
        return Records(self.values[rows], self.known[rows], self.weights[rows], self.change)


class Unit(NamedTuple):
    """How a column is made comparable: (x·2^−power − center) / spread, 0 throughout where there is no spread."""

    power: int
    center: float
    spread: float

    def of(self, column: Floats) -> Floats:
        if self.spread == 0:
            return np.zeros(column.size)
        return (np.ldexp(column, -self.power) - self.center) / self.spread


def unit_of(column: Floats, weights: Floats, scale: str) -> Unit:
    """By the weighted mean, and the weighted standard deviation ("sd", for equal weights that of a sample), the range,
    or nothing ("none")."""
    low, high = float(column.min()), float(column.max())
    if low == high:
        return Unit(0, low, 0.0)
    exponent = int(np.frexp(max(abs(low), abs(high)))[1])
    # A power of two changes no digit; beyond some size squares, and even differences, leave float64.
    power = exponent if scale != "none" and abs(exponent) > MOST_POWER else 0
    column = np.ldexp(column, -power)
    low, high = float(column.min()), float(column.max())
    middle = low / 2 + high / 2
    center = middle + float(np.average(column - middle, weights=weights))
    if scale == "none":
        return Unit(power, center, 1.0)
    if scale == "range":
        return Unit(power, center, high - low)
    m = column.size
    return Unit(power, center, float(np.sqrt(np.average((column - center) ** 2, weights=weights) * (m / (m - 1)))))


def uneven_records(values: Floats, weights: Floats | None, scale: str) -> tuple[Records, int]:
    """The records of a table with NaN for gaps, and the exponent of the units of their SSE, as `problem.ordinary`."""
    weight = even(weights, len(values))
    known = ~np.isnan(values)
    points = np.zeros(values.shape)
    for j in range(values.shape[1]):
        rows = known[:, j]
        if rows.any():
            column = np.ascontiguousarray(values[rows, j])
            points[rows, j] = unit_of(column, weight[rows], scale).of(column)
    points, exponent = ordinary(points)
    total = weight @ known
    change = weight @ points**2 / np.where(total > 0, total, 1.0)
    return Records(points, known, weight, change), exponent


def even(weights: Floats | None, n: int) -> Floats:
    """Weights with a mean of 1, whatever their size."""
    if weights is None:
        return np.ones(n)
    weight = weights / weights.max()
    return np.asarray(weight * (n / weight.sum()))


def coordinates(records: Records) -> Floats:
    """Points whose distances tell which records go together: a gap stands at the mean of its column, and every column
    with gaps has another in which records with a gap are as far from the others as filling it costs."""
    holes = np.flatnonzero(~records.known.all(axis=0))
    apart = ~records.known[:, holes] * np.sqrt(records.change[holes])
    return np.ascontiguousarray(np.hstack([records.values, apart]))


def blanks(records: Records, labels: Labels, k: int) -> Mask:
    """Per record and column, whether its group publishes nothing there: fewer than k of its values are known."""
    groups = int(labels.max()) + 1
    counts = [np.bincount(labels, records.known[:, j], groups) for j in range(records.known.shape[1])]
    return np.stack([(count < k)[labels] for count in counts], axis=1)


def uneven_sse(records: Records, labels: Labels, k: int) -> float:
    """What the partition loses: squared deviations from what is published, weighted."""
    groups = int(labels.max()) + 1
    blank = blanks(records, labels, k)
    total = 0.0
    for j in range(records.values.shape[1]):
        weight = records.weights * records.known[:, j]
        sums = np.bincount(labels, weight, groups)
        means = np.bincount(labels, weight * records.values[:, j], groups) / np.where(sums > 0, sums, 1.0)
        published = np.where(blank[:, j], 0.0, means[labels])
        total += float((weight * (records.values[:, j] - published) ** 2).sum())
    return total


def uneven_sst(records: Records) -> float:
    """What a file of blanks would lose."""
    return float((records.weights[:, None] * records.values**2).sum())


def largest_share(records: Records, labels: Labels, k: int) -> float:
    """How much of a published mean one record makes at most: the largest part of a group's weight."""
    groups, blank, most = int(labels.max()) + 1, blanks(records, labels, k), 0.0
    for j in range(records.values.shape[1]):
        weight = records.weights * records.known[:, j]
        sums = np.bincount(labels, weight, groups)[labels]
        shown = ~blank[:, j]
        most = max(most, float((weight[shown] / sums[shown]).max(initial=0.0)))
    return most
