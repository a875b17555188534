"""The microaggregation problem: standardized points, the least group size k, and the sum of squared errors.

A partition of n records into groups of at least k is judged by

    SSE = Σ_groups Σ_members |x − centroid|²,    SST = Σ_records |x − mean|²,    IL = 100·SSE/SST.

An optimal partition has groups of k .. 2k−1 records only: a group of 2k or more splits into two groups of at
least k without raising SSE (Domingo-Ferrer and Mateo-Sanz, 2002). Everything here keeps to these sizes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.kernels.renumber import renumber as by_first_appearance
from discreet.methods import Detail, Status

if TYPE_CHECKING:
    from discreet.microaggregation.certificate.result import Certificate

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

SCALES = ("sd", "range", "none")
WIDE = 16  # so many times more columns than records make a table wide
# Beyond 2^±400, squares leave float64; from 2^960 on, so may sums, and values are taken 2^64 times smaller.
MOST_POWER = 400
LARGE, DOWN = 2.0**960, 64


class PartitionError(AssertionError):
    """A method returned groups of a forbidden size: a defect of discreet, never of the data."""


@dataclass(frozen=True)
class Partition:
    """What a method found: labels 0 .. g−1 numbered by first appearance, and how good they are.

    `status` is "complete" (the method ran to its end), "time limit" (it was stopped and this is the best it
    had) or "optimal" (no partition is better). `method` is the method that ran, also where it was picked
    automatically. `proof` is what the method proved about the same points on its way, if it did."""

    labels: Labels
    method: str
    status: Status
    sse: float
    sst: float
    detail: Detail = field(default_factory=dict)
    proof: Certificate | None = field(default=None, repr=False)

    @property
    def information_loss(self) -> float:
        return 100.0 * self.sse / self.sst if self.sst > 0 else 0.0


def standardize(values: Floats, scale: str = "sd") -> Floats:
    """Columns made comparable: by sample standard deviation, by range, or left alone. Constant columns
    become zero."""
    if scale not in SCALES:
        raise InputError(f"unknown scale {scale!r}: choose one of {', '.join(SCALES)}")
    values = np.asarray(values, np.float64)
    points = np.empty(values.shape, np.float64)
    for j in range(values.shape[1]):
        # One column at a time: the temporaries of a tall table stay small.
        points[:, j] = _standardize_column(np.ascontiguousarray(values[:, j]), scale)
    return points


def _standardize_column(column: Floats, scale: str) -> Floats:
    low, high = (float(column.min()), float(column.max())) if column.size else (0.0, 0.0)
    if low == high:
        return np.zeros(column.size)
    if scale == "none":
        return column
    # A power of two changes no digit; it keeps squares of very large or very small values within float64.
    exponent = int(np.frexp(max(abs(low), abs(high)))[1])
    if abs(exponent) > MOST_POWER:
        column = np.ldexp(column, -exponent)
        low, high = float(column.min()), float(column.max())
    if scale == "range":
        return (column - low) / (high - low)
    spread = float(column.std(ddof=1))
    return (column - column.mean()) / spread if spread > 0 else np.zeros(column.size)


def compact(points: Floats) -> Floats:
    """The same distances in fewer columns, where there are many more columns than records.

    n points lie in a space of at most n dimensions: with the singular value decomposition X = UΣV' the rows of UΣ are
    as far from one another as those of X. Elsewhere, and where overflow would spoil it, the points themselves.
    """
    n, d = points.shape
    if d < WIDE * max(n, WIDE):
        return points
    with np.errstate(all="ignore"):
        gram = points @ points.T
    if not np.isfinite(gram).all():
        return points
    values, vectors = np.linalg.eigh(gram)
    return np.ascontiguousarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def ordinary(points: Floats) -> tuple[Floats, int]:
    """The points times a power of two whose squares are within float64, and the exponent e of their units: what an SSE
    of these is to be multiplied by is 2^e, 0 for all but very large or very small numbers."""
    size = float(np.abs(points).max(initial=0.0))
    top = int(np.frexp(size)[1]) if size > 0 else 0
    if abs(top) <= MOST_POWER:
        return points, 0
    return np.ldexp(points, -top), 2 * top


def restored(value: float, exponent: int) -> float:
    """An SSE of `ordinary` points in the units of the data; infinite where float64 ends."""
    try:
        return math.ldexp(value, exponent)
    except OverflowError:
        return math.inf


def sse(points: Floats, labels: Labels) -> float:
    """Sum over records of the squared distance to the centroid of their group."""
    return float(group_sse(points, labels, group_means(points, labels, int(labels.max()) + 1)).sum())


def sst(points: Floats) -> float:
    """Sum over records of the squared distance to the mean of all."""
    total = 0.0
    for j in range(points.shape[1]):
        column = np.ascontiguousarray(points[:, j])
        column -= column.mean()
        total += float((column * column).sum())
    return total


def centroids(values: Floats, labels: Labels) -> Floats:
    """Each record's group mean. All members of a group get the very same bits, whatever the group is
    called."""
    values = np.ascontiguousarray(values, np.float64)
    groups = int(labels.max()) + 1
    if np.abs(values).max(initial=0.0) < LARGE:
        return group_means(values, labels, groups)[labels]
    # Sums of the largest numbers leave float64, their means do not. Small numbers elsewhere would lose digits.
    largest = np.zeros((groups, values.shape[1]))
    np.maximum.at(largest, labels, np.abs(values))
    powers = np.where(largest >= LARGE, DOWN, 0)
    return np.ldexp(group_means(np.ldexp(values, -powers[labels]), labels, groups), powers)[labels]


def group_sizes(labels: Labels) -> Labels:
    return np.bincount(labels).astype(np.int64)


def renumber(labels: NDArray[np.integer]) -> Labels:
    """The same groups with labels 0 .. g−1 in the order of first appearance."""
    return by_first_appearance(np.ascontiguousarray(labels, np.int64))


def check_partition(labels: Labels, n: int, k: int) -> None:
    """Raise `PartitionError` unless there are n labels 0 .. g−1 and every group has k .. 2k−1 records."""
    if labels.shape != (n,):
        raise PartitionError(f"{labels.shape} labels for {n} records")
    if labels.min() < 0:
        raise PartitionError("a record has no group")
    sizes = group_sizes(labels)
    if sizes.min() < k or sizes.max() > 2 * k - 1:
        raise PartitionError(f"groups of {sizes.min()} to {sizes.max()} records at k = {k}")


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def group_means(values: Floats, labels: Labels, groups: int) -> Floats:
    # Summed relative to the group's first member: exact where all members agree, and without cancellation.
    n, d = values.shape
    first = np.full(groups, -1, np.int64)
    size = np.zeros(groups, np.int64)
    means = np.zeros((groups, d))
    for i in range(n):
        p = labels[i]
        if first[p] < 0:
            first[p] = i
        size[p] += 1
        for l in range(d):
            means[p, l] += values[i, l] - values[first[p], l]
    for p in range(groups):
        if size[p] > 0:
            for l in range(d):
                means[p, l] = values[first[p], l] + means[p, l] / size[p]
    return means


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def group_sse(points: Floats, labels: Labels, means: Floats) -> Floats:
    out = np.zeros(means.shape[0])
    for i in range(points.shape[0]):
        p = labels[i]
        for l in range(points.shape[1]):
            t = points[i, l] - means[p, l]
            out[p] += t * t
    return out
