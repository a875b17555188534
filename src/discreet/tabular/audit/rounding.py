"""A table of whole numbers next to one of fractions, by a small integer program.

The vertex x of a linear program has a few fractional entries. Whole numbers within a step of x on those, and where
that fails within a step on all, are looked for such that every relation holds and the wanted cell is as far out as
can be. What is found is rounded and checked by the caller: nothing rests on the solver.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.mip import solve_mip
from discreet.tabular.audit.system import Component
from discreet.tabular.problem import Ints

NODES = 200
# Free cells in one program.
MOST = 400


def nearest_whole(component: Component, x: NDArray[np.float64], column: int, sign: int) -> Ints | None:
    """A move of whole numbers near `x` in which `column` is as far to its side as found; None where there is none."""
    if not (np.abs(x) < 2.0**52).all():
        return None
    below, above = np.floor(x + 1e-6).astype(np.int64), np.ceil(x - 1e-6).astype(np.int64)
    matrix = sp.csr_matrix(
        (component.sign.astype(np.int64), component.column, component.start), (component.row.size, component.n)
    )
    for step in (0, 1, 2):
        low, high = np.maximum(below - step, component.low), np.minimum(above + step, component.high)
        free = low < high
        if free.sum() > MOST:
            return None
        found = _search(matrix, low, high, free, column, sign)
        if found is not None:
            return found
    return None


def _search(
    matrix: sp.csr_matrix, low: Ints, high: Ints, free: NDArray[np.bool_], column: int, sign: int
) -> Ints | None:
    open_columns = np.flatnonzero(free)
    if not open_columns.size or not free[column]:
        return None
    fixed = np.where(free, 0, low)
    right = -(matrix @ fixed) - matrix[:, open_columns] @ low[open_columns]
    part = matrix[:, open_columns].tocsr()
    rows = np.flatnonzero(np.diff(part.indptr))
    rest = np.ones(right.size, np.bool_)
    rest[rows] = False
    if right[rest].any():
        return None
    span = (high - low)[open_columns].astype(np.float64)
    cost = np.where(open_columns == column, -float(sign), 0.0)
    answer = solve_mip(
        cost,
        sp.csc_matrix(part[rows].astype(np.float64)),
        right[rows].astype(np.float64),
        right[rows].astype(np.float64),
        upper=span,
        node_limit=NODES,
    )
    if answer.x is None:
        return None
    change = low.copy()
    change[open_columns] += np.rint(answer.x).astype(np.int64)
    return change
