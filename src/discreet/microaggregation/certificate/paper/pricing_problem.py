"""Pricing as Gentile, Spagnolo-Arrizabalaga and Castro (2020), section 5.1, have it: for small n, and for comparison.

For η = k .. 2k−1: SolveHeuristicPricing; if it finds nothing, SolveCompleteEnumeration or SolveExactPricing (model 14),
whichever Table 2 names; stop at the first η that yields a group of negative reduced cost.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numba import njit

from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.solvers.mip import solve_mip
from discreet.work import Deadline

# Reduced costs above this count as zero: the master's multipliers are no better.
NEGATIVE = -1e-9
# Table 2: sizes up to which enumeration is faster than model (14), by the number of records.
_ENUMERATE_UP_TO = ((30, 6), (40, 6), (50, 6), (100, 6), (200, 5))


def routine(n: int, size: int) -> str:
    """Table 2: "CE" (complete enumeration) or "EP" (exact pricing). Between its columns the next larger n decides."""
    for records, most in _ENUMERATE_UP_TO:
        if n <= records:
            return "CE" if size <= most else "EP"
    return "CE" if size <= 5 else "EP"


def check(deadline: Deadline | None) -> None:
    if deadline is not None and deadline.passed:
        raise TimeoutError


def pricing_problem(distance: Floats, multipliers: Floats, k: int, deadline: Deadline | None = None) -> list[Ints]:
    """PricingProblem: groups of negative reduced cost of the first size that has any; empty when there are none.

    Raises TimeoutError where the deadline comes first.
    """
    n = len(multipliers)
    for size in range(k, min(2 * k - 1, n) + 1):
        found = heuristic_pricing(distance, multipliers, size)
        if found:
            return found
        group = (
            complete_enumeration(distance, multipliers, size, deadline)
            if routine(n, size) == "CE"
            else exact_pricing(distance, multipliers, size, deadline)
        )
        if group is not None:
            return [group]
    return []


def reduced_cost(distance: Floats, multipliers: Floats, group: Ints) -> float:
    """Equation (10) of the finished group."""
    return float(distance[np.ix_(group, group)].sum() / (2 * len(group)) - multipliers[group].sum())


def heuristic_pricing(distance: Floats, multipliers: Floats, size: int) -> list[Ints]:
    """SolveHeuristicPricing: disjoint groups, each grown greedily from the free record of largest multiplier.

    λ_w/(η−1) guides the choice only; a finished group is judged by its reduced cost.
    """
    free = list(np.argsort(-multipliers, kind="stable"))
    found = []
    while len(free) >= size:
        group = [free.pop(0)]
        rest = np.array(free)
        cost = distance[rest, group[0]] / size - multipliers[rest] / (size - 1)
        picked = np.zeros(len(rest), np.bool_)
        while len(group) < size:
            at = int(np.argmin(np.where(picked, np.inf, cost)))
            picked[at] = True
            group.append(rest[at])
            cost = cost + distance[rest, rest[at]] / size
        whole = np.array(sorted(group), np.int32)
        if reduced_cost(distance, multipliers, whole) < NEGATIVE:
            found.append(whole)
            free = [v for v, taken in zip(free, picked) if not taken]
    return found


def complete_enumeration(
    distance: Floats, multipliers: Floats, size: int, deadline: Deadline | None = None
) -> Ints | None:
    """SolveCompleteEnumeration: the group of least reduced cost among all of this size, if negative."""
    least, best = NEGATIVE, None
    for first in range(len(multipliers) - size + 1):
        check(deadline)
        value, group = _all_groups(distance, multipliers, size, first)
        if value < least:
            least, best = value, group
    return best


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _all_groups(distance: Floats, multipliers: Floats, size: int, first: int) -> tuple[float, Ints]:
    """Every combination that begins with `first`; the cost of a prefix is kept, so that a new last member is cheap."""
    n = multipliers.size
    pick = np.arange(first, first + size)
    total = np.zeros(size + 1)
    best = np.inf
    group = np.zeros(size, np.int32)
    changed = 0
    while True:
        for p in range(changed, size):
            v = pick[p]
            s = total[p] - multipliers[v]
            for q in range(p):
                s += distance[v, pick[q]] / size
            total[p + 1] = s
        if total[size] < best:
            best = total[size]
            for p in range(size):
                group[p] = pick[p]
        changed = size - 1
        while changed > 0 and pick[changed] == n - size + changed:
            changed -= 1
        if changed == 0:
            return best, group
        pick[changed] += 1
        for p in range(changed + 1, size):
            pick[p] = pick[p - 1] + 1


def exact_pricing(distance: Floats, multipliers: Floats, size: int, deadline: Deadline | None = None) -> Ints | None:
    """SolveExactPricing: model (14) on pairs, by HiGHS; the group of least reduced cost, if negative.

    minimize Σ_e (c_e/η − (λ_i + λ_j)/(η−1))·z_e subject to Σ z_e = η(η−1)/2 and, for every ordered pair (i, j),
    Σ_{e ∋ i, e ≠ ij} z_e ≥ (η−2)·z_ij.
    """
    n = len(multipliers)
    i, j = np.triu_indices(n, 1)
    edges = len(i)
    cost = distance[i, j] / size - (multipliers[i] + multipliers[j]) / (size - 1)
    number = np.zeros((n, n), np.int64)
    number[i, j] = number[j, i] = np.arange(edges)
    rows, columns, values = [np.zeros(edges, np.int64)], [np.arange(edges)], [np.ones(edges)]
    row = 1
    for a in range(n):
        others = np.delete(np.arange(n), a)
        at_a = number[a, others]
        for b in others:
            rows.append(np.full(n - 1, row))
            columns.append(at_a)
            values.append(np.where(others == b, -(size - 2.0), 1.0))
            row += 1
    matrix = sp.csc_matrix(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(row, edges)
    )
    lower = np.zeros(row)
    upper = np.full(row, np.inf)
    lower[0] = upper[0] = size * (size - 1) / 2
    left = float("inf") if deadline is None else deadline.remaining
    solution = solve_mip(cost, matrix, lower, upper, time_limit=left if np.isfinite(left) else None)
    check(deadline)
    if solution.status != "optimal" or solution.x is None:
        raise RuntimeError(f"HiGHS left model (14) {solution.status}")
    chosen = np.flatnonzero(solution.x > 0.5)
    group = np.unique(np.concatenate([i[chosen], j[chosen]])).astype(np.int32)
    return group if reduced_cost(distance, multipliers, group) < NEGATIVE else None
