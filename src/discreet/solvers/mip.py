"""Linear programs with integer variables, solved by HiGHS.

    minimize c·x   subject to   row_lower ≤ A x ≤ row_upper,   lower ≤ x ≤ upper,   x_j integer where asked

Bounded by nodes rather than by seconds where the caller must be deterministic. One thread and a fixed seed: the
same input gives the same answer.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.scale import stopping

Floats = NDArray[np.float64]
Status = Literal["optimal", "infeasible", "feasible", "unknown"]
_LISTEN = 0.2  # seconds


@dataclass(frozen=True)
class MipSolution:
    """`status` is "feasible" where a limit was reached with a solution.

    `steps` counts simplex iterations; no solution has an objective below `bound`, as far as HiGHS can tell.
    """

    status: Status
    x: Floats | None
    objective: float
    nodes: int
    steps: int = 0
    bound: float = -np.inf


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """How HiGHS searches, and when it is content."""

    relative_gap: float = 0.0
    """The share of the best value that may be left between it and the bound."""

    absolute_gap: float = 1e-6
    """What may be left between the best value and the bound."""

    restarts: bool = True
    """Whether the search may begin again with what it has learned."""

    heuristics: float | None = None
    """The effort for finding solutions, from 0 to 1; None is HiGHS's own."""


def solve_mip(
    cost: Floats,
    matrix: sp.csc_matrix | sp.csc_array,
    row_lower: Floats,
    row_upper: Floats,
    *,
    lower: Floats | float = 0.0,
    upper: Floats | float = 1.0,
    integer: bool | NDArray[np.bool_] = True,
    start: Floats | None = None,
    node_limit: int | None = None,
    time_limit: float | None = None,
    tuning: Tuning = Tuning(),
) -> MipSolution:
    """The least cost of x with row_lower ≤ matrix · x ≤ row_upper and lower ≤ x ≤ upper, whole where `integer`."""
    import highspy

    cost = np.ascontiguousarray(cost, np.float64)
    n = cost.size
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    model.setOptionValue("random_seed", 0)
    model.setOptionValue("mip_rel_gap", float(tuning.relative_gap))
    model.setOptionValue("mip_abs_gap", float(tuning.absolute_gap))
    model.setOptionValue("mip_allow_restart", tuning.restarts)
    if tuning.heuristics is not None:
        model.setOptionValue("mip_heuristic_effort", float(tuning.heuristics))
    if node_limit is not None:
        model.setOptionValue("mip_max_nodes", int(node_limit))
    if time_limit is not None:
        model.setOptionValue("time_limit", float(max(time_limit, 0.0)))
    model.passModel(_program(cost, matrix, row_lower, row_upper, lower, upper, integer))
    if start is not None:
        hint = highspy.HighsSolution()
        hint.col_value = np.ascontiguousarray(start, np.float64)
        model.setSolution(hint)
    _run(model)
    status = model.getModelStatus()
    info = model.getInfo()
    feasible = info.primal_solution_status == 2
    x = np.array(model.getSolution().col_value, np.float64)[:n] if feasible else None
    kinds = highspy.HighsModelStatus
    word: Status
    if status == kinds.kOptimal:
        word = "optimal"
    elif status in (kinds.kInfeasible, kinds.kUnboundedOrInfeasible):
        word = "infeasible"
    else:
        word = "feasible" if feasible else "unknown"
    objective = float(cost @ x) if x is not None else float("inf")
    nodes, steps = (int(max(number, 0)) for number in (info.mip_node_count, info.simplex_iteration_count))
    return MipSolution(word, x, objective, nodes, steps, float(info.mip_dual_bound))


def _run(model: Any) -> None:
    """Run in another thread, so that Ctrl-C or the end of the pool this works for stops HiGHS at its next check."""
    stop, done = threading.Event(), threading.Event()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            model.run()
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    def check(event: Any) -> None:
        if stop.is_set():
            event.interrupt()

    model.cbMipInterrupt += check
    threading.Thread(target=work, name="discreet-highs", daemon=True).start()
    try:
        while not done.wait(_LISTEN):
            if stopping():
                stop.set()
    except BaseException:
        stop.set()
        done.wait()
        raise
    if failures:
        raise failures[0]


def _program(
    cost: Floats,
    matrix: sp.csc_matrix | sp.csc_array,
    row_lower: Floats,
    row_upper: Floats,
    lower: Floats | float,
    upper: Floats | float,
    integer: bool | NDArray[np.bool_],
) -> Any:
    import highspy

    n, m = cost.size, matrix.shape[0]
    csc = sp.csc_matrix(matrix)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = n, m
    program.col_cost_ = cost
    program.col_lower_ = np.broadcast_to(np.asarray(lower, np.float64), n).copy()
    program.col_upper_ = np.broadcast_to(np.asarray(upper, np.float64), n).copy()
    program.row_lower_ = np.ascontiguousarray(row_lower, np.float64)
    program.row_upper_ = np.ascontiguousarray(row_upper, np.float64)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = csc.indptr.astype(np.int32)
    program.a_matrix_.index_ = csc.indices.astype(np.int32)
    program.a_matrix_.value_ = csc.data.astype(np.float64)
    whole = np.broadcast_to(np.asarray(integer, np.bool_), n)
    if whole.any():
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        program.integrality_ = [kinds[int(w)] for w in whole]
    return program
