"""DBA: density-based microaggregation (Lin, Wen, Hsieh and Chang, 2010).

The k-neighborhood of a record among the records left is the record and its k−1 nearest; its k-density is one
over the SSE of that neighborhood.

Phase 1 (DBA-1). The neighborhood of the densest record left becomes a group, while k or more records are
left; the last few join the groups of nearest centroid.

Phase 2 (DBA-2). Groups are visited in the reverse of the order in which they were formed. If the partition
gets better when every member moves to the nearest other centroid, the group is dissolved that way. Groups
that reach 2k records are split at the end.

DBA-2P begins differently: p groups around the records of least density, outliers above all, before phase 1
goes on with the rest. The paper leaves p to whoever publishes the data. Without a p given, 0, 1, 2, 4, 8 and
16 are tried and the best partition is kept, so that it is never worse than DBA.

What the paper says of these first p groups was at hand in summary only. Here density is that among the records
left, as in phase 1, and phase 2 visits these groups too, last.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.microaggregation.constructions.endings import join_nearest, split_large
from discreet.microaggregation.constructions.neighborhoods import Neighborhoods, neighborhoods, renew
from discreet.microaggregation.constructions.remaining import drop_labeled
from discreet.microaggregation.constructions.tfrp import dissolve
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels, sse

TRIED = (0, 1, 2, 4, 8, 16)


def run(call: Call) -> Outcome:
    points, k = call.problem
    phases = int(call.options.get("phases", 2))
    labels = densest_first(points, 0, neighborhoods(points, k))
    dissolved = 0
    if phases == 2:
        labels, dissolved = last_formed_first(points, labels)
    detail = {"phases": phases, "dissolved groups": dissolved}
    return Outcome(split_large(points, labels, k), "dba", detail=detail)


def run_2p(call: Call) -> Outcome:
    points, k = call.problem
    p = call.options.get("p")
    start = neighborhoods(points, k)
    found = []
    for first in TRIED if p is None else (int(p),):
        labels, dissolved = last_formed_first(points, densest_first(points, first, start))
        detail = {"p": first, "dissolved groups": dissolved}
        found.append(Outcome(split_large(points, labels, k), "dba-2p", detail=detail))
    return min(found, key=lambda outcome: sse(points, outcome.answer))


def last_formed_first(points: Floats, labels: Labels) -> tuple[Labels, int]:
    """The partition after phase 2, with labels 0 .. g−1, and how many groups were dissolved. A group's label
    says when it was formed."""
    return dissolve(points, labels, np.arange(labels.max(), -1, -1))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def densest_first(points: Floats, p: int, around: Neighborhoods) -> Labels:
    """Phase 1 after p groups around the records of least density, from the neighborhoods among all records."""
    n, k = around.members.shape
    members, means, spread = around.members.copy(), around.means.copy(), around.spread.copy()
    around = Neighborhoods(members, means, spread)
    labels = np.full(n, -1, np.int64)
    rest, alive, groups = np.arange(n), n, 0
    while alive >= k:
        sign = -1.0 if groups < p else 1.0
        seed = rest[0]
        for a in range(1, alive):
            if sign * spread[rest[a]] < sign * spread[seed]:
                seed = rest[a]
        for y in members[seed]:
            labels[y] = groups
        groups += 1
        alive = drop_labeled(rest, alive, labels)
        if alive >= k:
            renew(points, rest, alive, labels, around)
    if alive > 0:
        join_nearest(points, labels, groups)
    return labels
