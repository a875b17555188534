"""The linear program of controlled rounding, and the integer program where no other way is open.

An exact cell that has a choice is y = low + base · x, 0 ≤ x ≤ 1; another cell y = p - q with p, q ≥ 0. Minimize
Σ w |y|, which is linear in these, so that A y = 0. Its matrix is that of a network for two-way tables one of whose
variables at most has levels, and its vertices are then whole: the rounding is the best there is.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from discreet.solvers.equality_lp import EqualityProgram, EqualitySolution, Status, solve_equalities
from discreet.tabular.problem import Ints, Relations
from discreet.tabular.rounding.choices import Choices
from discreet.work import Deadline

_NODES = 2_000
# Around few fractions branch and bound is quick and almost always finds the best; around many it is neither.
_FEW = 4_000
_FEW_NODES = 100
_WHOLE = 1e-6
_FAR = 3  # by how many bases a cell may leave the multiples next to its value, where it must


def matrix_of(relations: Relations, n: int) -> sp.csr_matrix:
    return sp.csr_matrix((relations.sign.astype(np.float64), relations.cell, relations.start), shape=(relations.n, n))


def _program(choices: Choices, relations: Relations) -> tuple[EqualityProgram, Ints, Ints]:
    """The program in units of the base, the cells of its first columns (x) and those of p and q."""
    base, weight = choices.base, choices.weight.astype(np.float64)
    rows = matrix_of(relations, choices.low.size)
    chosen = np.flatnonzero(choices.free)
    loose = np.flatnonzero(~choices.exact & (choices.low < choices.high))
    # In whole numbers: costs that are not would leave the solver at fractions where a whole vertex is as good.
    cost = weight[chosen] * (np.abs(choices.high[chosen]) - np.abs(choices.low[chosen]))
    fixed = np.where(choices.exact, choices.low, 0)
    program = EqualityProgram(
        np.concatenate([cost, base * weight[loose], base * weight[loose]]),
        sp.hstack([rows[:, chosen], rows[:, loose], -rows[:, loose]]).tocsr(),
        -(rows @ fixed) / base,
        np.zeros(chosen.size + 2 * loose.size),
        np.concatenate([np.ones(chosen.size), choices.high[loose] / base, -choices.low[loose] / base]),
    )
    return program, chosen, loose


def solve_program(
    choices: Choices, relations: Relations, deadline: Deadline
) -> tuple[EqualitySolution, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """The program's solution, and x per cell (0 where it has no choice); multipliers are per unit of deviation."""
    program, chosen, _ = _program(choices, relations)
    if not program.cost.size:  # nothing to choose: the table adds up as it is, or no rounding within does
        status: Status = "infeasible" if program.right.any() else "optimal"
        return EqualitySolution(status, program.cost, np.zeros(relations.n)), np.zeros(choices.low.size)
    found = solve_equalities(program, None if deadline.limit is None else deadline.remaining)
    found = found._replace(multipliers=found.multipliers / choices.base)
    x = np.zeros(choices.low.size)
    x[chosen] = found.x[: chosen.size]
    return found, x


def solve_around(
    choices: Choices, relations: Relations, x: np.ndarray[tuple[int], np.dtype[np.float64]], deadline: Deadline
) -> Ints | None:
    """Deviations of a whole solution near that of the linear program, by branch and bound.

    Only cells in a relation with a cell of fractional x may change; None where these are many, or none is found.
    """
    from discreet.solvers.mip import Tuning, solve_mip

    program, chosen, loose = _program(choices, relations)
    if not program.cost.size:
        return None if program.right.any() else choices.low.copy()
    near = np.rint(x[chosen])
    magnitude = abs(program.matrix)
    broken = magnitude @ np.append(np.abs(x[chosen] - near) > _WHOLE, np.zeros(2 * loose.size)) > 0
    open_ = (magnitude.T @ broken.astype(np.float64))[: chosen.size] > 0
    if loose.size or int(open_.sum()) > _FEW:
        return None
    found = solve_mip(
        program.cost, sp.csc_matrix(program.matrix), program.right, program.right,
        lower=np.where(open_, 0.0, near), upper=np.where(open_, 1.0, near), node_limit=_FEW_NODES,
        time_limit=None if deadline.limit is None else deadline.remaining / 2, tuning=Tuning(relative_gap=0.001),
    )  # fmt: skip
    if found.x is None:
        return None
    change = choices.low.copy()
    change[chosen] += choices.base * np.rint(found.x).astype(np.int64)
    return None if relations.residuals(change).any() else change


def solve_integers(choices: Choices, relations: Relations, deadline: Deadline) -> Ints | None:
    """Deviations of an additive rounding by branch and bound, within the two multiples if one is found, else beyond."""
    from discreet.solvers.mip import Tuning, solve_mip

    program, chosen, loose = _program(choices, relations)
    limit = None if deadline.limit is None else deadline.remaining
    out = choices.free | (choices.exact & (choices.low == choices.high))
    beyond = np.flatnonzero(out)
    rows = matrix_of(relations, choices.low.size)[:, beyond]
    far = choices.weight[beyond].astype(np.float64) * 8.0 * choices.base
    for wide in (False, True):
        cost = np.concatenate([program.cost, far, far]) if wide else program.cost
        matrix = sp.hstack([program.matrix, rows, -rows]) if wide else program.matrix
        upper = np.concatenate([program.upper, np.full(2 * beyond.size, float(_FAR))]) if wide else program.upper
        found = solve_mip(
            cost, sp.csc_matrix(matrix), program.right, program.right, upper=upper, node_limit=_NODES,
            time_limit=limit, tuning=Tuning(relative_gap=0.001),
        )  # fmt: skip
        if found.x is None:
            continue
        x = np.rint(found.x).astype(np.int64)
        change = np.where(choices.exact, choices.low, 0)
        change[chosen] += choices.base * x[: chosen.size]
        at = chosen.size + 2 * loose.size
        if wide:
            change[beyond] += choices.base * (x[at : at + beyond.size] - x[at + beyond.size :])
        if not relations.residuals(change).any():
            return change
    return None
