"""One linear program over equalities, with its multipliers, by HiGHS.

    minimize c·x   subject to   A x = h,   lower ≤ x ≤ upper

The multipliers are floating point and only a proposal: whoever states a bound evaluates them in whole numbers.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Status = Literal["optimal", "infeasible", "unknown"]


class EqualityProgram(NamedTuple):
    """The program above; `matrix` is sparse, in rows or columns."""

    cost: Floats
    matrix: sp.csr_matrix
    right: Floats
    lower: Floats
    upper: Floats


class EqualitySolution(NamedTuple):
    """x and multipliers are there only where `status` is "optimal"."""

    status: Status
    x: Floats
    multipliers: Floats


def solve_equalities(program: EqualityProgram, time_limit: float | None = None) -> EqualitySolution:
    """A vertex of the best solutions, and the multiplier of each row."""
    import highspy

    n, m = program.cost.size, program.right.size
    rows = sp.csr_matrix(program.matrix)
    model = highspy.Highs()
    for option, setting in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("presolve", "off"),
        ("solver", "simplex"),
    ):
        model.setOptionValue(option, setting)
    if time_limit is not None and np.isfinite(time_limit):
        model.setOptionValue("time_limit", float(max(time_limit, 0.0)))
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n, m
    lp.col_cost_ = np.ascontiguousarray(program.cost, np.float64)
    lp.col_lower_ = np.ascontiguousarray(program.lower, np.float64)
    lp.col_upper_ = np.ascontiguousarray(program.upper, np.float64)
    lp.row_lower_ = lp.row_upper_ = np.ascontiguousarray(program.right, np.float64)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = rows.indptr.astype(np.int32)
    lp.a_matrix_.index_ = rows.indices.astype(np.int32)
    lp.a_matrix_.value_ = rows.data.astype(np.float64)
    model.passModel(lp)
    model.run()
    kinds, status = highspy.HighsModelStatus, model.getModelStatus()
    if status == kinds.kOptimal:
        found = model.getSolution()
        return EqualitySolution("optimal", np.asarray(found.col_value), np.asarray(found.row_dual))
    word: Status = "infeasible" if status in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible) else "unknown"
    return EqualitySolution(word, np.zeros(n), np.zeros(m))
