"""Mondrian and ring generalization: partitions into groups of k … 2k − 1.

Mondrian (K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", 2006) publishes one box per
group: every record covers its whole group. Ring generalization (W. K. Wong, N. Mamoulis, D. Cheung,
"Non-homogeneous generalization in privacy preserving data publishing", 2010; NH in the seed paper) orders the group
in a ring and lets each record cover itself and the k − 1 that follow: k-regular, and never wider than the group.
A group is halved on the attribute, and at the place (the median, or the nearest change of value on either side), that
leaves the halves the least loss over all attributes: relaxed Mondrian with the best cut rather than the widest range.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.generalization.boxes import Scratch, box_cost, scratch
from discreet.generalization.domain import SET, Codes, Domain, Integers, Tables
from discreet.generalization.partition import kd_blocks
from discreet.generalization.sorting import stable_order

Groups = tuple[Integers, Integers]


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _before(codes: Codes, a: int, b: int) -> bool:
    for c in range(codes.shape[1]):
        if codes[a, c] != codes[b, c]:
            return codes[a, c] < codes[b, c]
    return a < b


@njit(cache=True, nogil=True)
def _ranked(t: Tables, codes: Codes, part: Integers, a: int) -> tuple[Integers, Integers]:
    """Records sorted by attribute `a` (categories by falling frequency), and the rank of each in that order."""
    m = part.shape[0]
    values = np.empty(m, np.int64)
    for q in range(m):
        values[q] = codes[part[q], a]
    order = stable_order(values)
    rank = np.empty(m, np.int64)
    runs = 0
    for q in range(m):
        runs += q > 0 and values[order[q]] != values[order[q - 1]]
        rank[q] = runs
    if t.kind[a] == SET and runs > 0:
        often = np.zeros(runs + 1, np.int64)
        for q in range(m):
            often[rank[q]] += 1
        place = np.empty(runs + 1, np.int64)
        place[stable_order(-often)] = np.arange(runs + 1)
        rank = place[rank]
        again = stable_order(rank)
        order, rank = order[again], rank[again]
    return part[order], rank


@njit(cache=True, nogil=True)
def _halves_cost(t: Tables, s: Scratch, codes: Codes, part: Integers, cut: int) -> float:
    m = part.shape[0]
    return cut * box_cost(t, s, codes[part[:cut]], cut) + (m - cut) * box_cost(t, s, codes[part[cut:]], m - cut)


@njit(cache=True, nogil=True)
def mondrian_groups(t: Tables, codes: Codes, k: int) -> tuple[Integers, Integers]:
    """Halve while both halves keep k records; records in the order of their groups, and where each group begins."""
    n, d = codes.shape
    s = scratch(t.start[-1])
    order = np.arange(n)
    stack = np.empty((256, 2), np.int64)
    stack[0, 0], stack[0, 1] = 0, n
    depth, blocks = 1, 0
    ends = np.zeros(n // k + 2, np.int64)
    while depth > 0:
        depth -= 1
        low, high = stack[depth, 0], stack[depth, 1]
        m = high - low
        part = order[low:high].copy()
        least, best_cut = np.inf, 0
        if m >= 2 * k:
            for a in range(d):
                ranked, rank = _ranked(t, codes, part, a)
                if rank[m - 1] == 0:
                    continue
                up = down = m // 2
                while up < m and rank[up] == rank[up - 1]:
                    up += 1
                while down > 0 and rank[down] == rank[down - 1]:
                    down -= 1
                for cut in (up, down, m // 2):
                    if k <= cut <= m - k:
                        cost = _halves_cost(t, s, codes, ranked, cut)
                        if cost < least - 1e-12:
                            least, best_cut = cost, cut
                            order[low:high] = ranked
            if best_cut == 0:
                best_cut = m // 2
        if m < 2 * k:
            blocks += 1
            ends[blocks] = high
            continue
        stack[depth, 0], stack[depth, 1] = low + best_cut, high
        stack[depth + 1, 0], stack[depth + 1, 1] = low, low + best_cut
        depth += 2
    return order, ends[: blocks + 1].copy()


def groups(domain: Domain, k: int) -> Groups:
    """Mondrian's partition: records in the order of their groups, and where each group begins."""
    order, ends = mondrian_groups(domain.tables, domain.codes, k)
    return order, ends


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


def whole_groups(partition: Groups) -> Integers:
    """What Mondrian publishes: each record covers its group (short groups are filled up with the record itself)."""
    order, ends = partition
    sizes = np.diff(ends)
    cover = np.tile(np.arange(order.size)[:, None], (1, int(sizes.max())))
    for g in range(sizes.size):
        members = order[ends[g] : ends[g + 1]]
        cover[members[:, None], np.arange(members.size)[None, :]] = members[None, :]
    return cover
