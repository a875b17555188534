"""Controlled rounding: the nearest additive table of multiples of a base, and how near any such table can be.

First the linear program: where its solution is whole it is the best rounding, and its multipliers prove it in whole
numbers. Where few cells are fractional, branch and bound settles them and their neighbors. Else annealing over the
innermost cells goes on from it, where every state adds up; where no table within one base in every cell is found, the
totals that left the multiples next to their values are listed. Tables that their innermost cells do not determine
(linked ones) go to branch and bound as a whole.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.tabular.problem import Ints, Problem
from discreet.tabular.rounding.anneal import annealed
from discreet.tabular.rounding.bound import Bound, bound_from, points_of
from discreet.tabular.rounding.choices import Choices, all_cells, small_counts
from discreet.tabular.rounding.innermost import Innermost, innermost_cells
from discreet.tabular.rounding.program import solve_around, solve_integers, solve_program
from discreet.work import Deadline, Reporter

# Steps of annealing per innermost cell; large tables get fewer.
_SWEEPS = 3_000
_STEPS = 30_000_000
_WHOLE = 1e-6
_SHARE = 0.5  # of a time limit that the linear program may take


class Rounding(NamedTuple):
    """`change` is z - a per cell. `bound` is on Σ w |z - a|, over roundings within the two multiples next to each
    value, or over all additive ones where cells are `outside`; `none_within` says that the program has no solution, so
    that none within exists."""

    change: Ints
    distance: int
    weighted: int
    bound: Bound
    outside: Ints
    none_within: bool
    complete: bool

    @property
    def optimal(self) -> bool:
        return self.weighted == self.bound.value


def round_cells(
    problem: Problem,
    base: int,
    *,
    small: bool = False,
    weight: Ints | None = None,
    seed: int = 0,
    deadline: Deadline | None = None,
    reporter: Reporter | None = None,
) -> Rounding | None:
    """Round every cell to a multiple of `base`, or with `small` only what small innermost counts make necessary.

    None where no additive table was found: a linked table, or small counts of one. The same seed gives the same table,
    unless a deadline cuts the work short.
    """
    deadline, reporter = deadline or Deadline(None), reporter or Reporter(None)
    value, relations = problem.cells.value, problem.relations
    weights = np.ones(value.size, np.int64) if weight is None else weight
    cells = innermost_cells(value.size, relations)
    if small:
        if cells is None:
            return None
        choices = _small(value, base, weights, cells)
    else:
        choices = all_cells(value, base, weights)
    reporter("linear program")
    part = Deadline(None if deadline.limit is None else _SHARE * deadline.remaining)
    found, x = solve_program(choices, relations, part)
    multipliers = found.multipliers if found.status == "optimal" else None
    bound = bound_from(choices, points_of(choices), relations, multipliers)
    whole = found.status == "optimal" and bool((np.abs(x - np.rint(x)) < _WHOLE).all())
    change = choices.low + base * np.rint(x).astype(np.int64)
    if small and cells is not None:
        change = cells.sums(change[cells.cell])
    if not (whole and not relations.residuals(change).any()):
        start = x if found.status == "optimal" else (choices.high < -choices.low).astype(np.float64)
        reporter("branch and bound")
        searched = solve_around(choices, relations, x, deadline) if found.status == "optimal" else None
        if searched is None:
            searched = _search(choices, problem, cells, start, seed, deadline, reporter)
        if searched is None:
            return None
        change = searched
    outside = choices.outside(change)
    if outside.size:
        bound = _wider_bound(choices, problem, cells, multipliers, change)
    none_within = found.status == "infeasible"
    weighted = choices.weighted(change)
    return Rounding(change, choices.distance(change), weighted, bound, outside, none_within, not deadline.passed)


def _small(value: Ints, base: int, weight: Ints, cells: Innermost) -> Choices:
    inner = np.zeros(value.size, np.bool_)
    inner[cells.cell] = True
    own = small_counts(value, base, weight, inner)
    reach = cells.sums(own.low[cells.cell]), cells.sums(own.high[cells.cell])
    return small_counts(value, base, weight, inner, reach)


def _search(
    choices: Choices,
    problem: Problem,
    cells: Innermost | None,
    start: np.ndarray[tuple[int], np.dtype[np.float64]],
    seed: int,
    deadline: Deadline,
    reporter: Reporter,
) -> Ints | None:
    """Deviations that add up: by annealing where the innermost cells determine the table, else by branch and bound."""
    if cells is None:
        reporter("branch and bound")
        return solve_integers(choices, problem.relations, deadline)
    up = (np.rint(start[cells.cell]) > 0).astype(np.int8)
    free = max(1, int(choices.free[cells.cell].sum()))
    sweeps = max(60, min(_SWEEPS, _STEPS // free))
    change = annealed(choices, cells, up, seed, sweeps, deadline, reporter)
    return None if problem.relations.residuals(change).any() else change


def _wider_bound(
    choices: Choices,
    problem: Problem,
    cells: Innermost | None,
    multipliers: np.ndarray[tuple[int], np.dtype[np.float64]] | None,
    change: Ints,
) -> Bound:
    """A bound over tables whose innermost cells are next to their values and whose totals may be anywhere."""
    if cells is None:
        return bound_from(choices, points_of(choices), problem.relations)
    reach = cells.sums(choices.low[cells.cell]), cells.sums(choices.high[cells.cell])
    return bound_from(choices, points_of(choices, reach), problem.relations, multipliers)


def distance_bound(problem: Problem, base: int, deadline: Deadline | None = None) -> Bound:
    """A bound on the plain distance Σ |z - a| of every rounding within the two multiples next to each value."""
    value = problem.cells.value
    choices = all_cells(value, base, np.ones(value.size, np.int64))
    found, _ = solve_program(choices, problem.relations, deadline or Deadline(None))
    multipliers = found.multipliers if found.status == "optimal" else None
    return bound_from(choices, points_of(choices), problem.relations, multipliers)
