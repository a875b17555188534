"""Ring generalization: within groups of k … 2k − 1, each record covers itself and the k − 1 that follow in a ring.

W. K. Wong, N. Mamoulis, D. Cheung, "Non-homogeneous generalization in privacy preserving data publishing", 2010 (NH in
the seed paper): k-regular, and never wider than the group. `ring` is that method, over Mondrian's groups; `ring_blocks`
is what every method that matches in blocks falls back on where time is up.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.generalization.domain import Codes, Domain, Integers, Tables
from discreet.generalization.methods import Call, Matches, Outcome
from discreet.generalization.partition import kd_blocks
from discreet.kernels.compile import inner

Groups = tuple[Integers, Integers]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def ring_blocks(t: Tables, codes: Codes, ends: Integers, k: int) -> Codes:
    """Ring matches of every record, numbered within its block; each block is cut into groups first."""
    slots = np.empty((codes.shape[0], k), np.int32)
    best_cuts = np.zeros(0, np.uint64)  # no random state
    for b in range(ends.shape[0] - 1):
        inside = codes[ends[b] : ends[b + 1]]
        order, group_ends = kd_blocks(t, inside, np.arange(inside.shape[0]), 2 * k - 1, k, best_cuts)
        for g in range(group_ends.shape[0] - 1):
            first = group_ends[g]
            size = group_ends[g + 1] - first
            group = order[first : first + size]
            ranked = group[lexicographic_order(inside, group)]
            for i in range(size):
                for r in range(k):
                    slots[ends[b] + ranked[i], r] = ranked[(i + r) % size]
    return slots


@inner
def lexicographic_order(codes: Codes, group: Integers) -> Integers:
    """Insertion sort of a small group by its codes, attribute by attribute."""
    order = np.arange(group.shape[0])
    for i in range(1, group.shape[0]):
        x = order[i]
        j = i
        while j > 0 and _before(codes, group[x], group[order[j - 1]]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = x
    return order


@inner
def _before(codes: Codes, a: int, b: int) -> bool:
    for c in range(codes.shape[1]):
        if codes[a, c] != codes[b, c]:
            return codes[a, c] < codes[b, c]
    return a < b


def run(call: Call) -> Outcome:
    from discreet.generalization.baselines.mondrian import groups

    domain, k = call.problem.domain, call.problem.k
    partition = groups(domain, k)
    return Outcome(Matches(ring(domain, partition, k)), "ring", "complete", {"groups": partition[1].size - 1})


def ring(domain: Domain, partition: Groups, k: int) -> Integers:
    """Each record with the k − 1 that follow in its group's ring."""
    order, ends = partition
    n = domain.n
    start = np.repeat(ends[:-1], np.diff(ends))
    size = np.repeat(np.diff(ends), np.diff(ends))
    # Lexicographic within the group, so that neighbors in the ring agree on the first attributes.
    ranked = order[np.lexsort((*domain.codes[order].T[::-1], start))]
    place = np.arange(n) - start
    matches = np.empty((n, k), np.int64)
    for r in range(k):
        matches[ranked, r] = ranked[start + (place + r) % size]
    return matches
