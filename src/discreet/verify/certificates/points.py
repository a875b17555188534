"""The scaled records of a certificate, with distances that are right to the last digits at any magnitude.

The scaled problem is exact: with x the values and W_j the square of column j's scale,

    d²(u, v) = Σ_j (x_uj − x_vj)² / W_j,    W_j = Σ (x_j − mean)²/(n − 1)  (sd),  range²  (range),  one for all  (none).

Scaled values would be rounded, and near records would lose all their digits. So the values stay as they are, up to a
power of two for each column (which changes no digit), and differences are scaled: x_uj − x_vj is right to half a unit
in the last place, so d² is right to a share `share` of itself, whatever the values; squares too small for float64
lose at most `tiny`. `shift` is the power of two by which SSE here is smaller than in the units of the data (0 where
these do not count: sd and range).

    share = (d + 16)·2⁻⁵³ + 64·(√n + 2)·2⁻⁵³

The second part is for W_j of sd. With R the range, u = 2⁻⁵³ and differences to one record, each x − mean is right to
5uR, and Σ(x − mean)² ≥ R²/2, hence right to a share of 10√2·u·√n + 50·n·u² (the last below the rest up to 2⁵⁰
records).

Numbers of a file are read as the nearest float64: a column of whole ones up to 2⁵³ as it is, others right to half a
unit in the last place (2⁻⁵³ of themselves; twice that is counted). `rounded` is the norm of all that this may have
changed, in units of the scaled records, and `narrowed` the largest share by which it may have narrowed a column's
scale: the range changes by two of its errors at most, √W by their norm over √(R²/2).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNIT = 2.0**-53
# Up to here float64 has every whole number.
EXACT = 2.0**53
# The squares that underflow are below 2^-1074 each; no sum here has 2^60 of them.
TINY = 2.0**-1014
# Up to so many records every distance is looked at; beyond, a tree finds the nearest.
BRUTE = 5000
ROWS = 64


class Points(NamedTuple):
    """Values (columns that vary, each times a power of two) and the factor of each column's differences."""

    values: Floats
    factor: Floats


class Scaled(NamedTuple):
    """Points, how right their squared distances are (share of each), and the units of SSE: 2^shift of the data's.

    `rounded` and `narrowed` say how far the numbers as read may be from those of the file.
    """

    points: Points
    share: float
    shift: int
    rounded: float
    narrowed: float


def scaled(values: Floats, scale: str) -> Scaled:
    """The complete records `values` (n × columns, finite), scaled; constant columns are left out."""
    n = len(values)
    columns: list[Floats] = []
    factors: list[float] = []
    exponents: list[int] = []
    errors: list[float] = []
    narrowed = 0.0
    for j in range(values.shape[1]):
        column = np.ascontiguousarray(values[:, j], np.float64)
        low, high = float(column.min()), float(column.max())
        if low == high:
            continue
        exponent = math.frexp(max(abs(low), abs(high)))[1]
        exact = max(abs(low), abs(high)) <= EXACT and bool((column == np.rint(column)).all())
        column = np.ldexp(column, -exponent)
        errors.append(0.0 if exact else 2 * UNIT * float(np.linalg.norm(column)))
        if scale != "none":
            narrowed = max(narrowed, 4 * errors[-1] / float(column.max() - column.min()))
        columns.append(column)
        exponents.append(exponent)
        if scale == "sd":
            factors.append(math.sqrt((n - 1) / _variation(column)))
        elif scale == "range":
            factors.append(1.0 / (float(column.max()) - float(column.min())))
    top = max(exponents, default=0)
    if scale == "none":
        factors = [math.ldexp(1.0, max(exponent - top, -1074)) for exponent in exponents]
    share = (len(columns) + 16 + 64 * (math.sqrt(n) + 2)) * UNIT
    kept = np.stack(columns, axis=1) if columns else np.zeros((n, 0))
    points = Points(np.ascontiguousarray(kept), np.array(factors, np.float64))
    rounded = math.hypot(*(2 * error * factor for error, factor in zip(errors, factors)))
    return Scaled(points, share, 2 * top if scale == "none" else 0, rounded, narrowed)


def _variation(column: Floats) -> float:
    """Σ (x − mean)² of a column, by sums without error of differences to one record."""
    apart = column - column[0]
    apart -= math.fsum(apart) / len(column)
    return math.fsum(np.square(apart))


def within(points: Points, label: Ints) -> float:
    """The SSE of a partition: Σ over its groups of squared distances to the mean; `label` numbers the groups from 0."""
    count = np.bincount(label)
    first = np.zeros(count.size, np.int64)
    first[label[::-1]] = np.arange(label.size)[::-1]
    parts = []
    for j, factor in enumerate(points.factor):
        column = points.values[:, j]
        apart = (column - column[first[label]]) * factor
        apart -= (np.bincount(label, weights=apart, minlength=count.size) / count)[label]
        parts.append(math.fsum(np.square(apart)))
    return math.fsum(parts)


def classes(published: Floats) -> Ints:
    """The group of each row: rows of the same published values are one."""
    label = np.zeros(len(published), np.int64)
    for j in range(published.shape[1]):
        _, code = np.unique(published[:, j], return_inverse=True)
        _, label = np.unique(label * (int(code.max(initial=0)) + 1) + code.reshape(-1), return_inverse=True)
    return np.asarray(label.reshape(-1), np.int64)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def apart(points: Points, u: int, v: int) -> float:
    """The squared distance of two records."""
    total = 0.0
    for j in range(points.factor.size):
        gap = (points.values[u, j] - points.values[v, j]) * points.factor[j]
        total += gap * gap
    return total


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def group_costs(points: Points, groups: Ints, sizes: Ints) -> Floats:
    """SSE of each group: the squared distances of its pairs by its size."""
    out = np.zeros(sizes.size)
    for g in range(sizes.size):
        for a in range(sizes[g]):
            for b in range(a):
                out[g] += apart(points, groups[g, a], groups[g, b])
        out[g] /= sizes[g]
    return out


def lines_bound(scaled: Scaled, k: int) -> float:
    """A sum over columns of the least SSE that each alone can have: no partition has less, and one column attains it.

    On a line an optimal partition has groups of neighbors (Hansen and Mukherjee, 2003). With differences to the last
    record of a group of m, of span L, every term of its SSE is right to 16·m·2⁻⁵³·L², and the SSE is at least L²/2.
    """
    total = 0.0
    for j, factor in enumerate(scaled.points.factor):
        total += _line(np.sort(scaled.points.values[:, j]), factor, k)
    size = float(2 * k)
    return max(total * (1 - scaled.share - 64 * size * size * UNIT - 2 * len(scaled.points.values) * UNIT) - TINY, 0.0)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _line(values: Floats, factor: float, k: int) -> float:
    n = values.size
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    for end in range(k, n + 1):
        mean, total = 0.0, 0.0
        for size in range(1, min(2 * k - 1, end) + 1):
            # Welford's update, one value further to the left.
            x = (values[end - 1] - values[end - size]) * factor
            change = x - mean
            mean += change / size
            total += change * (x - mean)
            if size >= k and best[end - size] + total < best[end]:
                best[end] = best[end - size] + total
    return float(best[n])


def neighbors_bound(scaled: Scaled, k: int) -> float:
    """Σ over records of the k−1 least squared distances to others, by 2k: no partition has a smaller SSE."""
    points, n = scaled.points, len(scaled.points.values)
    if n <= BRUTE:
        total = math.fsum(_nearest(points, k))
    else:
        total = _nearest_by_tree(points, k)
    return max(total / (2 * k) * (1 - scaled.share - (k + 8) * UNIT) - TINY, 0.0)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _nearest(points: Points, k: int) -> Floats:
    n = points.values.shape[0]
    out = np.zeros(n)
    row = np.empty(n)
    for i in range(n):
        for v in range(n):
            row[v] = apart(points, i, v)
        # Its own distance of zero is among the k least and adds nothing.
        out[i] = np.sort(np.partition(row, k - 1)[:k]).sum()
    return out


def _nearest_by_tree(points: Points, k: int) -> float:
    """The same from below: the t-th least distance is off by no more than any distance is, for points that are rounded.

    Each coordinate is a difference to one record times a factor, right to two units in the last place; with r the
    largest, a distance is off by at most 8·√d·r·2⁻⁵³ and what the tree's own sums add, (d + 8)·2⁻⁵³ of it.
    """
    from scipy.spatial import cKDTree

    near = (points.values - points.values[len(points.values) // 2]) * points.factor
    width = near.shape[1]
    if width == 0:
        return 0.0
    off = 8 * math.sqrt(width) * float(np.abs(near).max()) * UNIT
    tree = cKDTree(near)
    sums = []
    for start in range(0, len(near), 50_000):
        distances, _ = tree.query(near[start : start + 50_000], k=k, workers=-1)
        least = np.maximum(distances.reshape(-1, k) * (1 - (width + 8) * UNIT) - off, 0.0)
        sums.append(math.fsum(np.square(least).sum(axis=1)))
    return math.fsum(sums)
