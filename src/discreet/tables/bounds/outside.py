"""Methods that bound from outside, and where theory says that their bounds are sharp nevertheless.

They are sharp where the two sides meet; for the margins of a decomposable model, where they agree with the closed form;
and the shuttles for a dichotomous table with all (k−1)-way margins, which one cell determines (seed, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from discreet.methods import Status
from discreet.tables.bounds.feasibility import raise_infeasible
from discreet.tables.methods import Call, Cells, Flags, Numbers, Outcome
from discreet.tables.outer.buzzigoli_giusti import buzzigoli_giusti
from discreet.tables.outer.linear_program import linear
from discreet.tables.outer.shuttle import shuttle, shuttle_lines
from discreet.tables.table import Ints, Margins
from discreet.tables.theory.agreement import check_agreement, reduced_margins
from discreet.tables.theory.frechet_theorem_1 import decomposable_bounds
from discreet.tables.theory.graph import Axes, Decomposition, decompose

Values = Mapping[Axes, Ints]


def run_shuttle(call: Call) -> Outcome:
    margins, values, tree = _agreed(call)
    lower, upper = _found(margins, values, shuttle(margins.shape, values))
    sharp = _sharp(margins, values, tree, (lower, upper), one_is_enough=True)
    return _outcome(call, "shuttle", tree, (lower, upper), sharp)


def run_shuttle_lines(call: Call) -> Outcome:
    margins, values, tree = _agreed(call)
    lower, upper = _found(margins, values, shuttle_lines(margins.shape, values))
    sharp = _sharp(margins, values, tree, (lower, upper), one_is_enough=True)
    return _outcome(call, "shuttle-lines", tree, (lower, upper), sharp)


def run_buzzigoli_giusti(call: Call) -> Outcome:
    margins, values, tree = _agreed(call)
    lower, upper = _found(margins, values, buzzigoli_giusti(margins.shape, values))
    sharp = _sharp(margins, values, tree, (lower, upper), one_is_enough=False)
    return _outcome(call, "buzzigoli-giusti", tree, (lower, upper), sharp)


def run_lp(call: Call) -> Outcome:
    margins, values, tree = _agreed(call)
    lower, upper, low, high = _found(margins, values, linear(margins.shape, values, call.deadline, call.report))
    meet = lower == upper
    return _outcome(call, "lp", tree, (lower, upper), (meet | low, meet | high))


def _agreed(call: Call) -> tuple[Margins, Values, Decomposition]:
    """The margins, which agree with one another; those that no other contains; and their graph."""
    margins = call.problem.margins
    check_agreement(margins)
    values = reduced_margins(margins)
    return margins, values, decompose(len(margins.names), values)


def _found(margins: Margins, values: Values, found: Any) -> Any:
    """What was found, unless that no table has the margins."""
    if found is None:
        raise_infeasible(margins, tuple(range(len(margins.shape))), values, proven="real")
    return found


def _sharp(
    margins: Margins, values: Values, tree: Decomposition, bounds: tuple[Ints, Ints], *, one_is_enough: bool
) -> tuple[Flags, Flags]:
    lower, upper = bounds
    if tree.decomposable:
        closed = decomposable_bounds(margins.shape, tree, values)
        return lower == closed[0], upper == closed[1]
    if one_is_enough and _one_degree_of_freedom(margins, values):
        everywhere = np.ones(margins.shape, np.bool_)
        return everywhere, everywhere
    return lower == upper, lower == upper


def _one_degree_of_freedom(margins: Margins, values: Values) -> bool:
    """Dichotomous with all (k−1)-way margins: one cell determines all, and the shuttle is sharp (seed, section 4)."""
    k = len(margins.names)
    return all(size == 2 for size in margins.shape) and len(values) == k and all(len(axes) == k - 1 for axes in values)


def _outcome(
    call: Call, method: str, tree: Decomposition, bounds: tuple[Numbers, Numbers], sharp: tuple[Flags, Flags]
) -> Outcome:
    (lower, upper), total = bounds, call.problem.margins.total
    cells = Cells(
        lower,
        upper,
        *sharp,
        np.where(sharp[0], lower, np.full(lower.shape, total + 1)),
        np.where(sharp[1], upper, np.full(upper.shape, -1)),
        tree,
        (f"the method {method!r} bounds from outside only",),
    )
    status: Status = "optimal" if cells.sharp else "time limit" if call.deadline.passed else "complete"
    return Outcome(cells, method, status)
