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

from discreet.microaggregation.endings import join_nearest, split_large
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels
from discreet.microaggregation.remaining import drop_labeled, nearest_left
from discreet.microaggregation.tfrp import second_phase


def run(call: Call) -> Outcome:
    points, k = call.problem
    return Outcome(group_selection(points, k), "gsms")


def run_t2(call: Call) -> Outcome:
    points, k = call.problem
    labels, dissolved = second_phase(points, group_selection(points, k))
    return Outcome(split_large(points, labels, k), "gsms-t2", detail={"dissolved groups": dissolved})


@njit(cache=True, nogil=True)
def group_selection(points: Floats, k: int) -> Labels:
    n, d = points.shape
    labels = np.full(n, -1, np.int64)
    rest, alive, groups = np.arange(n), n, 0
    proposal, means = np.empty((n, k), np.int64), np.empty((n, d))
    center = np.zeros(d)
    for x in range(n):
        for l in range(d):
            center[l] += points[x, l]
        _propose(points, rest, alive, x, proposal, means)
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
        for y in proposal[chosen]:
            labels[y] = groups
            for l in range(d):
                center[l] -= points[y, l]
        groups += 1
        alive = drop_labeled(rest, alive, labels)
        if alive < k:
            break
        for a in range(alive):
            for y in proposal[rest[a]]:
                if labels[y] >= 0:
                    _propose(points, rest, alive, rest[a], proposal, means)
                    break
    if alive > 0:
        join_nearest(points, labels, groups)
    return labels


@njit(cache=True, nogil=True)
def _propose(points: Floats, rest: Labels, alive: int, x: int, proposal: Labels, means: Floats) -> None:
    k = proposal.shape[1]
    nearest = nearest_left(points, rest, alive, x, -1, k)
    for l in range(points.shape[1]):
        s = 0.0
        for y in nearest:
            s += points[y, l]
        means[x, l] = s / k
    for a in range(k):
        proposal[x, a] = nearest[a]
