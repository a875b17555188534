"""The generalized shuttle (Dobra and Fienberg, section 4).

Cells of all dichotomous collapses are joined pairwise: where t = t₁ + t₂,

    t₁ᴸ + t₂ᴸ ≤ t ≤ t₁ᵁ + t₂ᵁ        tᴸ − t₂ᵁ ≤ t₁ ≤ tᵁ − t₂ᴸ

and bounds are exchanged until none moves. `full` keeps every subset of the categories of each variable (the seed's set
T; 2^I − 1 cells per axis of I categories). `lines` keeps single categories and their total: for dichotomous variables
that is T itself, otherwise far smaller and seldom looser. A lower bound above an upper one proves that no table has
the margins; since only sums are used, not even one with fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np
from numba import njit

from discreet.errors import InputError
from discreet.kernels import inner
from discreet.tables.table import Ints
from discreet.tables.theory.flat_margins import FlatMargins
from discreet.tables.theory.graph import Axes
from discreet.work import Deadline

Shape = tuple[int, ...]

FULL_LIMIT = 20_000_000
LINES_LIMIT = 60_000_000
# Larger tables are tightened axis by axis under a time limit, with a look at the clock after each.
ONE_GO = 1_000_000
CONTRADICTION, AT_REST, MOVED = -1, 0, 1
# Bounds are at most 2^62. Sums of several may wrap around; floats then tell those apart that are certainly too large
# to matter, and what is left is right.
TOO_MUCH = 6.0e18


def shuttle(shape: Shape, margins: Mapping[Axes, Ints]) -> tuple[Ints, Ints] | None:
    """Over all dichotomous collapses, as the seed defines it; None where no table has the margins."""
    if subset_cells(shape) > FULL_LIMIT:
        raise InputError(
            f"the shuttle over all collapses would need {subset_cells(shape)} cells, more than {FULL_LIMIT}: "
            "use the method 'shuttle-lines' or 'auto'"
        )
    return subset_bounds(shape, margins)


def shuttle_lines(shape: Shape, margins: Mapping[Axes, Ints]) -> tuple[Ints, Ints] | None:
    """Over single categories and totals."""
    if line_cells(shape) > LINES_LIMIT:
        raise InputError(
            f"the shuttle over lines would need {line_cells(shape)} cells, more than {LINES_LIMIT}: "
            "release fewer variables at a time or use the method 'auto'"
        )
    lines = line_bounds(shape, margins)
    if lines is None:
        return None
    core = tuple(slice(0, size) for size in shape)
    return np.ascontiguousarray(lines[0][core]), np.ascontiguousarray(lines[1][core])


def line_cells(shape: tuple[int, ...]) -> int:
    return prod(size + 1 for size in shape)


def subset_cells(shape: tuple[int, ...]) -> int:
    return prod((1 << size) - 1 for size in shape)


def line_bounds(
    shape: tuple[int, ...],
    margins: Mapping[Axes, Ints] | FlatMargins,
    lower: Ints | None = None,
    upper: Ints | None = None,
    deadline: Deadline | None = None,
    lines: tuple[Ints, Ints] | None = None,
) -> tuple[Ints, Ints] | None:
    """Bounds on single cells and all totals, of shape (I₁+1, …, I_k+1); None where no table has the margins.

    `lower` and `upper` are bounds on the cells that are known already; `lines` what this function gave for other
    margins that are known too, changed in place.
    """
    sizes = tuple(size + 1 for size in shape)
    released = margins if isinstance(margins, FlatMargins) else FlatMargins(shape, margins)
    if lines is None:
        first = prod(size for a, size in enumerate(shape) if released.masks[0] >> a & 1)
        lines = np.zeros(sizes, np.int64), np.full(sizes, int(released.counts[:first].sum()), np.int64)
    low, high = lines
    flat = low.reshape(-1), high.reshape(-1)
    cells = (released.counts[:0],) * 2 if lower is None or upper is None else (lower, upper)
    go_on = _in_one_go(low, deadline)
    if not _enter(*flat, *_lines_of(low), released.shape, released.masks, released.counts, *cells, go_on):
        return None
    return (low, high) if go_on or tighten_lines(low, high, deadline) else None


def _in_one_go(low: Ints, deadline: Deadline | None) -> bool:
    return low.size <= ONE_GO or deadline is None or deadline.limit is None


def _lines_of(low: Ints) -> tuple[Ints, Ints]:
    """How long the lines along each axis are, and how far apart their cells."""
    return np.array(low.shape, np.int64), np.array(low.strides, np.int64) // low.itemsize


def tighten_lines(low: Ints, high: Ints, deadline: Deadline | None = None) -> bool:
    """Exchange bounds along lines, in place, until none moves or time is up; False at a contradiction."""
    sizes, strides = _lines_of(low)
    flat = low.reshape(-1), high.reshape(-1)
    if deadline is None or _in_one_go(low, deadline):
        return bool(_exchange_lines(*flat, sizes, strides, False) != CONTRADICTION)
    moved = True
    while moved:
        moved = False
        for a in range(low.ndim):
            if deadline.passed:
                return True
            found = _exchange_lines(*flat, sizes[a : a + 1], strides[a : a + 1], True)
            if found == CONTRADICTION:
                return False
            moved |= found == MOVED
    return True


def subset_bounds(shape: tuple[int, ...], margins: Mapping[Axes, Ints]) -> tuple[Ints, Ints] | None:
    """Bounds on the cells by the shuttle over all subsets of categories; None where no table has the margins."""
    sizes = tuple((1 << size) - 1 for size in shape)
    total = int(next(iter(margins.values())).sum())
    low, high = np.zeros(sizes, np.int64), np.full(sizes, total, np.int64)
    for axes, values in margins.items():
        known = values
        for i, a in enumerate(axes):
            known = np.tensordot(_membership(shape[a]), known, axes=(1, i))
            known = np.moveaxis(known, 0, i)
        place = tuple(slice(None) if a in axes else sizes[a] - 1 for a in range(len(shape)))
        low[place] = np.maximum(low[place], known)
        high[place] = np.minimum(high[place], known)
    if (low > high).any():
        return None
    joins = [_joins(size) for size in shape]
    changed = 1
    while changed:
        changed = 0
        for a in range(len(shape)):
            block = (prod(sizes[:a]), sizes[a], prod(sizes[a + 1 :]))
            moved = _exchange_pairs(low.reshape(block), high.reshape(block), joins[a])
            if moved < 0:
                return None
            changed += moved
    core = np.ix_(*[[(1 << i) - 1 for i in range(size)] for size in shape])
    return np.ascontiguousarray(low[core]), np.ascontiguousarray(high[core])


def _membership(size: int) -> Ints:
    """Row m−1 says which categories the subset with bit mask m holds."""
    return np.array([[mask >> i & 1 for i in range(size)] for mask in range(1, 1 << size)], np.int64)


def _joins(size: int) -> Ints:
    """Rows (t₁, t₂, t₁ ∪ t₂) of disjoint subsets."""
    full = 1 << size
    rows = [(a - 1, b - 1, (a | b) - 1) for a in range(1, full) for b in range(a + 1, full) if a & b == 0]
    return np.array(rows, np.int64).reshape(-1, 3)


@inner
def _corners(shape: Ints, strides: Ints, mask: int, totals: int) -> Ints:
    """Places of the lines over the axes of the mask (with their totals, if 1); other axes are at their totals."""
    count, base = 1, 0
    for a in range(shape.size):
        if mask >> a & 1:
            count *= shape[a] + totals
        else:
            base += shape[a] * strides[a]
    found = np.empty(count, np.int64)
    found[0] = base
    done = 1
    for a in range(shape.size - 1, -1, -1):
        if mask >> a & 1:
            for level in range(1, shape[a] + totals):
                for c in range(done):
                    found[level * done + c] = found[c] + level * strides[a]
            done *= shape[a] + totals
    return found


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _enter(
    low: Ints,
    high: Ints,
    sizes: Ints,
    strides: Ints,
    shape: Ints,
    masks: Ints,
    counts: Ints,
    lower: Ints,
    upper: Ints,
    go_on: bool,
) -> bool:
    """Bound lines by the counts of margins and their totals, and single cells; False at a contradiction.

    Then exchange bounds along lines, if it is to go on.
    """
    # Variables: what is called with constants is compiled once for each.
    with_totals, without, once = np.int64(1), np.int64(0), not go_on
    at = 0
    for mask in masks:
        places = _corners(shape, strides, mask, with_totals)
        size = 1
        for a in range(shape.size):
            size *= shape[a] if mask >> a & 1 else 1
        known = counts[at : at + size]
        at += size
        # Append the totals of one axis after another, the last first.
        inner = 1
        for a in range(shape.size - 1, -1, -1):
            if not mask >> a & 1:
                continue
            outer = known.size // (inner * shape[a])
            longer = np.zeros(outer * (shape[a] + 1) * inner, np.int64)
            for o in range(outer):
                start = o * (shape[a] + 1) * inner
                total = start + shape[a] * inner
                for p in range(shape[a] * inner):
                    value = known[o * shape[a] * inner + p]
                    longer[start + p] = value
                    longer[total + p % inner] += value
            known = longer
            inner *= shape[a] + 1
        for p in range(places.size):
            t = places[p]
            low[t] = max(low[t], known[p])
            high[t] = min(high[t], known[p])
            if low[t] > high[t]:
                return False
    if lower.size:
        places = _corners(shape, strides, (1 << shape.size) - 1, without)
        for c in range(places.size):
            t = places[c]
            low[t] = max(low[t], lower[c])
            high[t] = min(high[t], upper[c])
            if low[t] > high[t]:
                return False
    return once or _exchange_lines(low, high, sizes, strides, once) != CONTRADICTION


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _exchange_lines(low: Ints, high: Ints, sizes: Ints, strides: Ints, once: bool) -> int:
    """Along these axes until nothing moves, or once; CONTRADICTION, MOVED or AT_REST."""
    changed, most, longest = True, np.int64(0), np.int64(0)
    for c in range(high.size):
        most = max(most, high[c])
    for a in range(sizes.size):
        longest = max(longest, sizes[a])
    large = float(most) * float(longest) > TOO_MUCH
    while changed:
        changed = False
        for a in range(sizes.size):
            step, last = strides[a], sizes[a] - 1
            block = step * sizes[a]
            for start in range(0, low.size, block):
                for first in range(start, start + step):
                    sum_low, sum_high = np.int64(0), np.int64(0)
                    for m in range(last):
                        sum_low += low[first + m * step]
                        sum_high += high[first + m * step]
                    about_low, about_high = 0.0, 0.0
                    if large:
                        for m in range(last):
                            about_low += low[first + m * step]
                            about_high += high[first + m * step]
                        if about_low > TOO_MUCH:
                            return CONTRADICTION
                    t = first + last * step
                    if sum_low > low[t]:
                        low[t] = sum_low
                        changed = True
                    if about_high <= TOO_MUCH and sum_high < high[t]:
                        high[t] = sum_high
                        changed = True
                    if low[t] > high[t]:
                        return CONTRADICTION
                    if sum_low == sum_high and about_high <= TOO_MUCH:
                        continue
                    for m in range(last):
                        c = first + m * step
                        v = low[t] - (sum_high - high[c])
                        if about_high - high[c] <= TOO_MUCH and v > low[c]:
                            sum_low += v - low[c]
                            low[c] = v
                            changed = True
                        v = high[t] - (sum_low - low[c])
                        if v < high[c]:
                            sum_high -= high[c] - v
                            high[c] = v
                            changed = True
                        if low[c] > high[c]:
                            return CONTRADICTION
        if once:
            return MOVED if changed else AT_REST
    return AT_REST


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _exchange_pairs(low: Ints, high: Ints, joins: Ints) -> int:
    """One sweep over the pairs of one axis; the number of bounds that moved, −1 at a contradiction."""
    moved = 0
    for i in range(low.shape[0]):
        for p in range(joins.shape[0]):
            a, b, c = joins[p, 0], joins[p, 1], joins[p, 2]
            for j in range(low.shape[2]):
                low_a, low_b, low_c = low[i, a, j], low[i, b, j], low[i, c, j]
                high_a, high_b, high_c = high[i, a, j], high[i, b, j], high[i, c, j]
                # Compared by differences: the sum of two may be 2^63.
                if low_a > high_c - low_b:
                    return -1
                new_low_c = max(low_c, low_a + low_b)
                new_high_c = high_c if high_a >= high_c - high_b else high_a + high_b
                new_low_a = max(low_a, new_low_c - high_b)
                new_high_a = min(high_a, new_high_c - low_b)
                new_low_b = max(low_b, new_low_c - new_high_a)
                new_high_b = min(high_b, new_high_c - new_low_a)
                if new_low_a > new_high_a or new_low_b > new_high_b or new_low_c > new_high_c:
                    return -1
                if (
                    new_low_a != low_a
                    or new_low_b != low_b
                    or new_low_c != low_c
                    or new_high_a != high_a
                    or new_high_b != high_b
                    or new_high_c != high_c
                ):
                    moved += 1
                    low[i, a, j], low[i, b, j], low[i, c, j] = new_low_a, new_low_b, new_low_c
                    high[i, a, j], high[i, b, j], high[i, c, j] = new_high_a, new_high_b, new_high_c
    return moved
