"""The best partition into listed groups as an integer program on HiGHS, with cuts as rows.

    minimize Σ_C rc(C)·x_C + Σ_T w_T·s_T
    subject to Σ_{C ∋ v} x_C = 1 for every record v,   Σ_C a_TC·x_C + s_T = rhs_T for every cut T,   s ≥ 0, x binary

with rc(C) = SSE(C) − Σ_{v∈C} λ_v + Σ_T w_T·a_TC. For any multipliers λ and penalties w the objective is the SSE less
the constant Σ λ − Σ w·rhs, so these only set the scale: with multipliers that prove a bound, the program begins at that
bound, and its costs are no larger than the gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from discreet.microaggregation.certificate.columns import labels_of
from discreet.microaggregation.certificate.cuts import coefficients, index_cuts
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.microaggregation.certificate.standing import Cut
from discreet.microaggregation.problem import Labels
from discreet.solvers.mip import solve_mip

# The gap is this many units of the objective.
SCALE = 1000.0


class Listed(NamedTuple):
    """Groups as rows of members (padded with −1), their sizes and SSE."""

    members: Ints
    sizes: Ints
    costs: Floats


class Partitioned(NamedTuple):
    """`labels` and `value`: the best partition found, or None and infinity; `bound`: none is below it, says HiGHS."""

    labels: Labels | None
    value: float
    bound: float
    decided: bool
    nodes: int
    steps: int


def best_partition(
    groups: Listed,
    multipliers: Floats,
    cuts: Sequence[Cut],
    weights: Floats,
    gap: float,
    *,
    start: Labels | None = None,
    nodes: int,
    time_limit: float,
    tolerance: float,
    heuristics: float | None = None,
) -> Partitioned:
    """Search among the groups, from the partition whose groups are the rows `start`; `tolerance`: a share of `gap`."""
    n, count = len(multipliers), len(groups.sizes)
    inside = groups.members >= 0
    begin = np.concatenate([[0], np.cumsum(groups.sizes)])
    matrix = sp.csc_matrix((np.ones(int(begin[-1])), groups.members[inside], begin), shape=(n, count))
    first, which, value = coefficients(groups.members, groups.sizes, index_cuts(list(cuts), n))
    charged = sp.csc_matrix((value, which, first), shape=(len(cuts), count))
    rhs = np.array([float(cut.rhs) for cut in cuts])
    unit = SCALE / gap
    reduced = groups.costs - matrix.T @ multipliers + charged.T @ weights
    objective = unit * np.concatenate([reduced, weights])
    rows = sp.bmat(
        [[matrix, None], [charged, sp.identity(len(cuts), format="csc")]] if len(cuts) else [[matrix]]
    ).tocsc()
    sides = np.concatenate([np.ones(n), rhs])
    whole = np.arange(count + len(cuts)) < count
    hint = None
    if start is not None:
        x = np.zeros(count)
        x[start] = 1.0
        hint = np.concatenate([x, rhs - charged @ x])
    solution = solve_mip(
        objective, rows, sides, sides,
        upper=np.where(whole, 1.0, np.inf), integer=whole, start=hint,
        node_limit=nodes, time_limit=time_limit if np.isfinite(time_limit) else None,
        absolute_gap=SCALE * tolerance, restarts=False, heuristics=heuristics,
    )  # fmt: skip
    constant = float(multipliers.sum()) - float(weights @ rhs)
    labels, best = None, np.inf
    if solution.x is not None:
        chosen = solution.x[:count] > 0.5
        found = labels_of(groups.members[chosen], n)
        if found.min() >= 0 and int(groups.sizes[chosen].sum()) == n:
            labels, best = found, float(groups.costs[chosen].sum())
    bound = np.inf if solution.status == "infeasible" else constant + solution.bound / unit
    decided = solution.status == "infeasible" or (solution.status == "optimal" and labels is not None)
    return Partitioned(labels, best, bound, decided, solution.nodes, solution.steps)
