"""Mondrian: a partition into groups of k … 2k − 1, one box per group.

K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", 2006: every record covers its whole
group. A group is halved on the attribute, and at the place (the median, or the nearest change of value on either side),
that leaves the halves the least loss over all attributes: relaxed Mondrian with the best cut rather than the widest
range.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.generalization.boxes import Scratch, box_cost, scratch
from discreet.generalization.domain import SET, Codes, Domain, Integers, Tables
from discreet.generalization.methods import Call, Matches, Outcome
from discreet.generalization.ring import ring
from discreet.kernels.compile import inner
from discreet.kernels.sorting import stable_order

Groups = tuple[Integers, Integers]


@inner
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


@inner
def _halves_cost(t: Tables, s: Scratch, codes: Codes, part: Integers, cut: int) -> float:
    m = part.shape[0]
    return cut * box_cost(t, s, codes[part[:cut]], cut) + (m - cut) * box_cost(t, s, codes[part[cut:]], m - cut)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
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


def run(call: Call) -> Outcome:
    domain, k = call.problem.domain, call.problem.k
    partition = groups(domain, k)
    found = Matches(ring(domain, partition, k), whole_groups(partition))
    return Outcome(found, "mondrian", "complete", {"groups": partition[1].size - 1})


def groups(domain: Domain, k: int) -> Groups:
    """Mondrian's partition: records in the order of their groups, and where each group begins."""
    order, ends = mondrian_groups(domain.tables, domain.codes, k)
    return order, ends


def whole_groups(partition: Groups) -> Integers:
    """What Mondrian publishes: each record covers its group (short groups are filled up with their first)."""
    order, ends = partition
    sizes = np.diff(ends)
    cover = np.empty((order.size, int(sizes.max())), np.int64)
    for g in range(sizes.size):
        members = order[ends[g] : ends[g + 1]]
        cover[members] = members[0]
        cover[members[:, None], np.arange(members.size)[None, :]] = members[None, :]
    return cover
