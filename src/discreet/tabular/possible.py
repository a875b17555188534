"""Some table of whole numbers that has the published cells, where the true one is not known.

What can be inferred about hidden cells does not depend on which table that adds up one starts from. One is looked for
by an integer program over the hidden cells,

    A y = b,   least ≤ y ≤ most,   y whole,   Σ y as small as can be,

and is only believed when every relation holds in whole numbers.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.mip import solve_mip
from discreet.tabular.problem import Ints, Problem


def possible_values(problem: Problem, unknown: NDArray[np.bool_], least: int, most: int) -> Ints | None:
    """Values of all cells that add up, the `unknown` ones between `least` and `most`; None where there are none."""
    relations, known = problem.relations, np.where(unknown, 0, problem.cells.value)
    columns = np.flatnonzero(unknown)
    signs = relations.sign.astype(np.float64)
    matrix = sp.csr_matrix((signs, relations.cell, relations.start), shape=(relations.n, known.size))[:, columns]
    right = -relations.residuals(known).astype(np.float64)
    cost = np.ones(columns.size)  # small values, which floats hold
    found = solve_mip(cost, sp.csc_matrix(matrix), right, right, lower=float(least), upper=float(most))
    if found.x is None:
        return None
    value = known.copy()
    value[columns] = np.rint(found.x).astype(np.int64)
    inside = (value[columns] >= least) & (value[columns] <= most)
    return None if relations.residuals(value).any() or not inside.all() else value
