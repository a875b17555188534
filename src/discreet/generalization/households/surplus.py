"""Which members of a household are published where it is published with fewer rows than it has members.

For a household g of more than s members and one h of s members, the cheapest choice is an assignment of the members of
h to different members of g, the cost of a pair being that of a box over both. The members kept are, among the choices
that suit the households h best, those of least cost to their k − 1 nearest households h, all taken together. It follows
from the attributes alone: whoever knows these of everybody knows who is left out, and nothing more.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy.optimize import linear_sum_assignment

from discreet.generalization.boxes import box_cost, scratch
from discreet.generalization.domain import Codes, Floats, Integers, Tables, domain
from discreet.generalization.households.slots import Persons

MOST_COMPARED = 2000
"""Households of the published size that a larger one is compared with, spread evenly over the file."""

LOOKED_AT = 8
"""How many times k of these are looked at closely."""


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def pair_costs(t: Tables, codes: Codes, rows: Integers, columns: Integers) -> Floats:
    """The cost of a box over each pair of records."""
    s = scratch(t.start[-1])
    pair = np.empty((2, codes.shape[1]), np.int32)
    out = np.empty((rows.size, columns.size))
    for i in range(rows.size):
        pair[0] = codes[rows[i]]
        for j in range(columns.size):
            pair[1] = codes[columns[j]]
            out[i, j] = box_cost(t, s, pair, 2)
    return out


def kept_members(persons: Persons, larger: list[Integers], exact: Integers, k: int) -> Integers:
    """The members published of each larger household; `exact` are the households of the published size."""
    everybody = domain(persons.attributes, ncp=persons.ncp)
    step = max(1, exact.shape[0] // MOST_COMPARED)
    others = exact[::step]
    kept = np.empty((len(larger), exact.shape[1]), np.int64)
    for g, household in enumerate(larger):
        cost = pair_costs(everybody.tables, everybody.codes, household, others.ravel())
        kept[g] = household[_kept(cost.reshape(household.size, *others.shape), k)]
    return kept


def _kept(cost: Floats, k: int) -> Integers:
    """The places of the members to keep; `cost[i, h, j]`: of member i with member j of household h.

    Only households that may be near are assigned: those where the cheapest members, one for each of theirs, cost least.
    """
    near = np.argsort(cost.min(axis=0).sum(axis=1), kind="stable")[: LOOKED_AT * k]
    assigned = [linear_sum_assignment(cost[:, h]) for h in near]
    totals = [cost[:, h][pairs].sum() for h, pairs in zip(near, assigned)]
    best = np.argsort(totals, kind="stable")[: max(k - 1, 1)]
    trials = sorted({tuple(sorted(assigned[q][0].tolist())) for q in best})

    def worth(trial: tuple[int, ...]) -> float:
        chosen = cost[list(trial)]
        return float(sum(chosen[:, h][linear_sum_assignment(chosen[:, h])].sum() for h in near[best]))

    return np.array(min(trials, key=worth), np.int64)
