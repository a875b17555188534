"""Bounds of the linear program, as the literature has them: fractions included.

No bound rests on floating point: each is that of a dual solution, evaluated in whole numbers and rounded outward. A
side counts as sharp only where a whole vertex attains it or the cell is pinned.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.lp import ExtremeLp, certified_bound, floor_bound
from discreet.tables.outer.shortfall import least_shortfall
from discreet.tables.outer.shuttle import shuttle_lines
from discreet.tables.table import Ints
from discreet.tables.theory.graph import Axes
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline, Reporter

Numbers = NDArray[Any]
Shape = tuple[int, ...]
MORE_THAN_ANY = (1 << 62) + 1


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
