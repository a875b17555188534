"""The integer programs of the certificate check: the least cost of choosing among listed groups.

    minimize Σ cost(C)·x_C   subject to   required_v ≤ Σ_{C ∋ v} x_C ≤ 1 for every record v,   x binary

Up to 14 records this is dynamic programming over sets of records. For more it is HiGHS, and what is trusted is that its
branch and bound visits or rightly discards every choice. Its figures are floats and are not taken at their word. Costs
are scaled so that 1000 units are `span`, the largest of them or the gap that is to be decided. HiGHS works with
tolerances of 10⁻⁷ on the reduced cost of a group and 10⁻⁶ on the objective at which a branch is discarded, in these
units; what it finds is lowered by several times what these add up to,

    span·max(10⁻⁸, 10⁻⁹·n/k).

The matrix is of zeros and ones, so no tolerance on rows can make a choice of groups feasible that is not.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Up to so many records, sets of records are few enough.
SETS = 14
UNITS = 1000.0
# HiGHS may end when its two bounds are within so many units; what it finds is lowered by these shares of the span.
OPEN = 1e-6
SHARE = 1e-8
SHARE_EACH = 1e-9
LISTEN = 0.2  # seconds


def least_cost(
    costs: Floats,
    groups: Ints,
    sizes: Ints,
    required: NDArray[np.bool_],
    span: float,
    most: int,
    *,
    gap: float,
    seconds: float,
) -> float | None:
    """A cost that no choice of groups is below: infinite where there is none, None where HiGHS does not decide.

    `most` is the largest number of groups in a choice. HiGHS may end when its two bounds are within `gap`,
    which is taken off what it found.
    """
    inside = groups >= 0
    held = np.zeros(len(required), np.bool_)
    held[groups[inside]] = True
    if (required & ~held).any():
        return float("inf")
    span = max(span, float(np.abs(costs).max(initial=0.0)))
    if span == 0.0:
        return 0.0
    if len(required) <= SETS:
        return float(_by_sets(costs, groups, sizes, required)) - len(required) * 2.0**-51 * span
    model = _model(costs * (UNITS / span), groups, sizes, required)
    open_units = max(OPEN, gap * UNITS / span)
    model.setOptionValue("mip_abs_gap", open_units)
    if np.isfinite(seconds):
        model.setOptionValue("time_limit", float(max(seconds, 0.0)))
    _run(model)
    import highspy

    status, info = model.getModelStatus(), model.getInfo()
    # No variable is unbounded here.
    if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        return float("inf")
    if status != highspy.HighsModelStatus.kOptimal:
        return None
    least, below = float(info.objective_function_value), float(info.mip_dual_bound)
    # What it found is the same for any way of finding it; its own bound must agree.
    if not least - below <= 1.01 * open_units + OPEN:
        return None
    return (least - open_units) * span / UNITS - span * max(SHARE, SHARE_EACH * most)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _by_sets(costs: Floats, groups: Ints, sizes: Ints, required: NDArray[np.bool_]) -> float:
    """The least cost, set by set of records that are held or passed over, the first that is neither at each step."""
    n = required.size
    masks = np.zeros(sizes.size, np.int64)
    for g in range(sizes.size):
        for a in range(sizes[g]):
            masks[g] |= 1 << groups[g, a]
    best = np.full(1 << n, np.inf)
    best[0] = 0.0
    for done in range((1 << n) - 1):
        if best[done] == np.inf:
            continue
        first = 0
        while done >> first & 1:
            first += 1
        if not required[first]:
            best[done | 1 << first] = min(best[done | 1 << first], best[done])
        for g in range(sizes.size):
            if masks[g] >> first & 1 and not masks[g] & done:
                joined = done | masks[g]
                best[joined] = min(best[joined], best[done] + costs[g])
    return best[-1]


def _model(costs: Floats, groups: Ints, sizes: Ints, required: NDArray[np.bool_]) -> Any:
    import highspy

    n, count = len(required), len(sizes)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = count, n
    program.col_cost_ = np.ascontiguousarray(costs, np.float64)
    program.col_lower_, program.col_upper_ = np.zeros(count), np.ones(count)
    program.row_lower_, program.row_upper_ = required.astype(np.float64), np.ones(n)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    program.a_matrix_.index_ = groups[groups >= 0].astype(np.int32)
    program.a_matrix_.value_ = np.ones(int(sizes.sum()))
    program.integrality_ = [highspy.HighsVarType.kInteger] * count
    model = highspy.Highs()
    for name, value in (
        ("output_flag", False), ("threads", 1), ("random_seed", 0), ("mip_rel_gap", 0.0),
    ):  # fmt: skip
        model.setOptionValue(name, value)
    model.passModel(program)
    return model


def _run(model: Any) -> None:
    """Run in another thread, so that Ctrl-C ends HiGHS at its next look."""
    stop, done = threading.Event(), threading.Event()

    def work() -> None:
        try:
            model.run()
        finally:
            done.set()

    def look(event: Any) -> None:
        if stop.is_set():
            event.interrupt()

    model.cbMipInterrupt += look
    threading.Thread(target=work, name="certificate-check", daemon=True).start()
    try:
        while not done.wait(LISTEN):
            pass
    except BaseException:
        stop.set()
        done.wait()
        raise
