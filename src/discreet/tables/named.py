"""Methods by name that bound from outside only: the shuttles, Buzzigoli and Giusti's original, the linear program.

They say what the literature's methods say, fractions included. A side counts as sharp only where a theorem makes it so
(decomposable margins; dichotomous tables with all (k−1)-way margins, seed section 4) or where the cell is pinned. No
bound rests on floating point: the linear program's is its dual's, evaluated in whole numbers and rounded outward.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.solvers.lp import ExtremeLp, certified_bound, floor_bound
from discreet.tables.feasibility import least_shortfall
from discreet.tables.frechet import spread
from discreet.tables.graph import Axes
from discreet.tables.lattice import Lattice
from discreet.tables.shuttle import (
    FULL_LIMIT,
    LINES_LIMIT,
    TOO_MUCH,
    line_bounds,
    line_cells,
    subset_bounds,
    subset_cells,
)
from discreet.tables.table import Ints
from discreet.work import Deadline, Reporter

Numbers = NDArray[Any]
Shape = tuple[int, ...]
MORE_THAN_ANY = (1 << 62) + 1


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


def buzzigoli_giusti(shape: Shape, margins: Mapping[Axes, Ints]) -> tuple[Ints, Ints] | None:
    """The original shuttle: bounds travel between cells and released margins only.

    Lᵢ ← max(Lᵢ, n − Σ_{j≠i} Uⱼ), Uᵢ ← min(Uᵢ, n − Σ_{j≠i} Lⱼ) over the cells of every released count n.
    """
    k = len(shape)
    upper = np.full(shape, int(next(iter(margins.values())).sum()), np.int64)
    lower = np.zeros(shape, np.int64)
    counts = [(axes, spread(values, axes, k)) for axes, values in margins.items()]
    for _, known in counts:
        upper = np.minimum(upper, known)
    while True:
        before = lower, upper
        for axes, known in counts:
            drop = tuple(a for a in range(k) if a not in axes)
            lower = np.maximum(lower, known - _others(upper, drop))
            upper = np.minimum(upper, known - _others(lower, drop))
        if (lower > upper).any():
            return None
        if np.array_equal(lower, before[0]) and np.array_equal(upper, before[1]):
            return lower, upper


def _others(bounds: Ints, drop: Axes) -> Ints:
    """Of each cell, the sum of the others along the axes, or more than any count where it is larger than that."""
    rest = bounds.sum(axis=drop, keepdims=True) - bounds
    about = bounds.sum(axis=drop, keepdims=True, dtype=np.float64) - bounds
    return np.where(about > TOO_MUCH, MORE_THAN_ANY, rest)


def linear(
    shape: Shape, margins: Mapping[Axes, Ints], deadline: Deadline, report: Reporter
) -> tuple[Numbers, Numbers, NDArray[np.bool_], NDArray[np.bool_]] | None:
    """Bounds of the linear program, fractions shown; the last two say where an integral vertex attains them.

    Sides that time did not allow, or that the solver cannot handle, keep the shuttle's bound. Where counts go beyond
    2^53, whole numbers are given: floats have no fractions to show there.
    """
    lattice = Lattice(shape, tuple(margins))
    outer = shuttle_lines(shape, margins)
    if outer is None:
        return None
    low, high = outer[0].reshape(-1), outer[1].reshape(-1)
    starts, cells = lattice.matrix
    right_side = lattice.right_side(margins)
    if not (low < high).any() and not lattice.check(low, margins):
        return None
    program = ExtremeLp(starts, cells, right_side, low, high)
    ones = np.ones(cells.size, np.int64)
    transposed = sp.csr_matrix(sp.csr_matrix((ones, cells, starts), shape=(right_side.size, lattice.size)).T)
    exact = int(high.max(initial=0)) >= 1 << 53
    lower, upper = (bound.copy() if exact else bound.astype(np.float64) for bound in (low, high))
    least, most = np.full(low.size, MORE_THAN_ANY), np.full(low.size, -1, np.int64)
    if (low == high).all():
        least, most = low.copy(), high.copy()
    checked = False
    for cell in np.flatnonzero(low < high).tolist():
        report("linear programs", cell / lattice.size)
        for side, bound in ((1, upper), (-1, lower)):
            if deadline.passed:
                continue
            solution = program.extreme(cell, side, None if deadline.limit is None else deadline.remaining)
            if solution.status == "infeasible" and not checked:
                # The solver's word is not enough: that no table has the margins must be shown in whole numbers.
                checked = True
                if least_shortfall(lattice, margins) > 0:
                    return None
            if solution.status != "optimal":
                continue
            value = certified_bound(transposed, right_side, low, high, solution.duals, cell, side)
            shown: float | int = floor_bound(value, side) if exact else _outward(value, side)
            bound[cell] = min(bound[cell], shown) if side > 0 else max(bound[cell], shown)
            vertex = program.whole(solution.x)
            if vertex is not None and lattice.check(vertex, margins):
                least, most = np.minimum(least, vertex), np.maximum(most, vertex)
    pinned = low == high
    return (
        lower.reshape(shape),
        upper.reshape(shape),
        (pinned | (least == lower)).reshape(shape),
        (pinned | (most == upper)).reshape(shape),
    )


def _outward(bound: tuple[int, int], side: int) -> float:
    """The float next to a fraction that is not inside it; a fraction that is nearly a whole number is that number.

    That holds for counts on either side: just outside it is a wider bound, just inside what rounding leaves of it.
    """
    value, scale = bound
    near = round(Fraction(value, scale))
    if abs(value - near * scale) * 1_000_000 <= scale:
        return float(near)
    found = value / scale
    while side * (Fraction(found) - Fraction(value, scale)) < 0:
        found = float(np.nextafter(found, side * np.inf))
    return found
