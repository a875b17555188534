"""GSMS: successive group selection by sequential minimization of SSE (Panagiotakis and Tziritas, 2013).

Every record left proposes a group: itself and its k−1 nearest records left. The proposal G that minimizes
SSE(G) + SSE(all others left) is taken, while k or more records are left; the last few join the groups of
nearest centroid. GSMS-T2 goes on with the second phase of TFRP.

With R the records left, SSE(R) = SSE(G) + SSE(R∖G) + |G||R∖G|/|R|·|μ_G − μ_(R∖G)|² (König and Huygens), so
the choice maximizes the last term, which the means give at once. A proposal is renewed only when one of its
members was taken.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.microaggregation.constructions.endings import join_nearest, split_large
from discreet.microaggregation.constructions.neighborhoods import Neighborhoods, neighborhoods, renew
from discreet.microaggregation.constructions.remaining import drop_labeled
from discreet.microaggregation.constructions.tfrp import second_phase
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels


def run(call: Call) -> Outcome:
    points, k = call.problem
    return Outcome(group_selection(points, neighborhoods(points, k)), "gsms")


def run_t2(call: Call) -> Outcome:
    points, k = call.problem
    labels, dissolved = second_phase(points, group_selection(points, neighborhoods(points, k)))
    return Outcome(split_large(points, labels, k), "gsms-t2", detail={"dissolved groups": dissolved})


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def group_selection(points: Floats, proposed: Neighborhoods) -> Labels:
    """The groups, from the proposals among all records."""
    n, d = points.shape
    k = proposed.members.shape[1]
    members, means = proposed.members.copy(), proposed.means.copy()
    proposed = Neighborhoods(members, means, proposed.spread.copy())
    labels = np.full(n, -1, np.int64)
    rest, alive, groups = np.arange(n), n, 0
    center = np.zeros(d)
    for x in range(n):
        for l in range(d):
            center[l] += points[x, l]
    while alive >= k:
        best, chosen = -1.0, -1
        if alive == k:
            chosen = rest[0]
        for a in range(alive):
            # |μ_G − μ_(R∖G)|² is proportional to |μ_G − μ_R|², as both lie on one line.
            t = 0.0
            for l in range(d):
                e = means[rest[a], l] - center[l] / alive
                t += e * e
            if t > best:
                best, chosen = t, rest[a]
        for y in members[chosen]:
            labels[y] = groups
            for l in range(d):
                center[l] -= points[y, l]
        groups += 1
        alive = drop_labeled(rest, alive, labels)
        if alive >= k:
            renew(points, rest, alive, labels, proposed)
    if alive > 0:
        join_nearest(points, labels, groups)
    return labels
