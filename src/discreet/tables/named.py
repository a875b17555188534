"""Methods by name that bound from outside only: the shuttles, Buzzigoli and Giusti's original, the linear program.

They say what the literature's methods say, fractions included. A side counts as sharp only where a theorem makes it so
(decomposable margins; dichotomous tables with all (k−1)-way margins, seed section 4) or where the cell is pinned.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.solvers.lp import ExtremeLp
from discreet.tables.frechet import spread
from discreet.tables.graph import Axes
from discreet.tables.lattice import Lattice
from discreet.tables.shuttle import (
    FULL_LIMIT,
    LINES_LIMIT,
    line_bounds,
    line_cells,
    subset_bounds,
    subset_cells,
)
from discreet.tables.table import Ints
from discreet.work import Deadline, Reporter

Floats = NDArray[np.float64]
Shape = tuple[int, ...]


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
            lower = np.maximum(lower, known - (upper.sum(axis=drop, keepdims=True) - upper))
            upper = np.minimum(upper, known - (lower.sum(axis=drop, keepdims=True) - lower))
        if (lower > upper).any():
            return None
        if np.array_equal(lower, before[0]) and np.array_equal(upper, before[1]):
            return lower, upper


def linear(
    shape: Shape, margins: Mapping[Axes, Ints], deadline: Deadline, report: Reporter
) -> tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_]] | None:
    """Bounds of the linear program, fractions shown; the last two say where an integral vertex attains them.

    Sides that time did not allow keep the shuttle's bound.
    """
    lattice = Lattice(shape, tuple(margins))
    outer = shuttle_lines(shape, margins)
    if outer is None:
        return None
    low, high = outer[0].reshape(-1), outer[1].reshape(-1)
    starts, cells = lattice.matrix
    program = ExtremeLp(starts, cells, lattice.right_side(margins), low, high)
    lower, upper = low.astype(np.float64), high.astype(np.float64)
    least, most = np.full(low.size, np.inf), np.full(low.size, -np.inf)
    if (low == high).all():
        least, most = lower.copy(), upper.copy()
    for cell in range(lattice.size):
        report("linear programs", cell / lattice.size)
        for side, bound in ((1, upper), (-1, lower)):
            if deadline.passed:
                continue
            solution = program.extreme(cell, side, None if deadline.limit is None else deadline.remaining)
            if solution.status == "infeasible":
                return None
            if solution.status != "optimal":
                continue
            value, near = float(solution.x[cell]), np.rint(solution.x)
            bound[cell] = np.rint(value) if abs(value - round(value)) < 1e-6 else value
            if np.abs(solution.x - near).max() < 1e-6 and lattice.check(near.astype(np.int64), margins):
                least, most = np.minimum(least, near), np.maximum(most, near)
    return lower.reshape(shape), upper.reshape(shape), (least == lower).reshape(shape), (most == upper).reshape(shape)
