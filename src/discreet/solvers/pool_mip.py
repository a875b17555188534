"""The cheapest choice of 0/1 variables under a pool of covering rows, by HiGHS, stopped by the caller's own clock.

    minimize c·x   subject to   A x ≥ right,   x ∈ {0, 1}ⁿ,   c·x < cutoff

HiGHS counts wall seconds of its own; here it asks the caller now and then whether to go on. One thread, fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class PoolSolution(NamedTuple):
    """`closed`: x is the cheapest as far as HiGHS can tell, or (x is None) nothing is cheaper than the cutoff.

    No choice costs less than `bound`, as far as HiGHS can tell; without a proof of that, a bound is a float's word.
    """

    closed: bool
    x: Floats | None
    bound: float


def solve_pool(
    cost: Floats,
    matrix: sp.csr_matrix,
    right: Floats,
    *,
    cutoff: float = np.inf,
    start: Floats | None = None,
    relative_gap: float = 0.0,
    stop: Callable[[], bool] | None = None,
) -> PoolSolution:
    import highspy

    model = highspy.Highs()
    for option, setting in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("mip_rel_gap", relative_gap),
        ("mip_abs_gap", 1e-6),
    ):
        model.setOptionValue(option, setting)
    if np.isfinite(cutoff):
        model.setOptionValue("objective_bound", float(cutoff))
    n = cost.size
    program = highspy.HighsLp()
    program.num_row_, program.num_col_ = matrix.shape
    program.col_cost_ = np.ascontiguousarray(cost, np.float64)
    program.col_lower_, program.col_upper_ = np.zeros(n), np.ones(n)
    program.row_lower_, program.row_upper_ = np.ascontiguousarray(right, np.float64), np.full(right.size, np.inf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = matrix.indptr.astype(np.int32)
    program.a_matrix_.index_ = matrix.indices.astype(np.int32)
    program.a_matrix_.value_ = matrix.data.astype(np.float64)
    program.integrality_ = [highspy.HighsVarType.kInteger] * n
    model.passModel(program)
    if start is not None:
        hint = highspy.HighsSolution()
        hint.col_value = np.ascontiguousarray(start, np.float64)
        model.setSolution(hint)
    if stop is not None:

        def listen(event: Any) -> None:
            if stop():
                event.interrupt()

        model.cbMipInterrupt += listen
    model.run()
    kinds, status, info = highspy.HighsModelStatus, model.getModelStatus(), model.getInfo()
    if status in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible, kinds.kObjectiveBound):
        return PoolSolution(True, None, float(cutoff))
    x = np.round(np.array(model.getSolution().col_value)[:n]) if info.primal_solution_status == 2 else None
    bound = float(info.mip_dual_bound)
    return PoolSolution(status == kinds.kOptimal, x, bound if np.isfinite(bound) else -np.inf)
