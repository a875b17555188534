"""The best partition into listed groups, as an integer program on HiGHS.

    minimize Σ_C rc(C)·x_C   subject to   Σ_{C ∋ v} x_C = 1 for every record v,   x binary

with rc(C) = SSE(C) − Σ_{v∈C} λ_v: for any multipliers λ the objective is the SSE less the constant Σ λ, in units of
which the gap is 1000. HiGHS takes a cost for zero below 1e-7 units, so that what it says of the n/k groups of a
partition is good to n/k·1e-10 of the gap. Cuts as rows made these programs slower, and
so did restarts, except on large ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.microaggregation.certificate.space import Floats
from discreet.microaggregation.groups import Groups, incidence, labels_of
from discreet.microaggregation.problem import Labels
from discreet.solvers.mip import Tuning, solve_mip

# The gap is this many units of the objective.
SCALE = 1000.0


class Partitioned(NamedTuple):
    """`labels` and `value`: the best partition found, or None and infinity; `bound`: none is below it, says HiGHS."""

    labels: Labels | None
    value: float
    bound: float
    decided: bool
    nodes: int
    steps: int


def best_partition(
    groups: Groups,
    multipliers: Floats,
    gap: float,
    *,
    start: Labels | None = None,
    nodes: int,
    time_limit: float,
    tolerance: float,
    heuristics: float | None = None,
    restarts: bool = False,
) -> Partitioned:
    """Search among the groups, from the partition whose groups are the rows `start`; `tolerance`: a share of `gap`."""
    n, count = len(multipliers), len(groups.sizes)
    matrix = incidence(groups, n)
    unit = SCALE / gap
    hint = None
    if start is not None:
        hint = np.zeros(count)
        hint[start] = 1.0
    ones = np.ones(n)
    solution = solve_mip(
        unit * (groups.costs - matrix.T @ multipliers), matrix, ones, ones,
        start=hint, node_limit=nodes, time_limit=time_limit if np.isfinite(time_limit) else None,
        tuning=Tuning(absolute_gap=SCALE * tolerance, restarts=restarts, heuristics=heuristics),
    )  # fmt: skip
    labels, best = None, np.inf
    if solution.x is not None:
        chosen = solution.x > 0.5
        found = labels_of(groups.members[chosen], n)
        if found.min() >= 0 and int(groups.sizes[chosen].sum()) == n:
            labels, best = found, float(groups.costs[chosen].sum())
    bound = np.inf if solution.status == "infeasible" else float(multipliers.sum()) + solution.bound / unit
    decided = solution.status == "infeasible" or (solution.status == "optimal" and labels is not None)
    return Partitioned(labels, best, bound, decided, solution.nodes, solution.steps)
