"""Chvátal-Gomory cuts of rank 1 on few records, and how violated ones are found.

With three records and ½ each a `cut` is the subset-row cut of Jepsen, Petersen, Spoorendonk and Pisinger (2008): at
most one group holds two of the three. The other multipliers, on 4, 5 and 7 records, are those of Pecin, Pessoa, Poggi
and Uchoa (2017).
"""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Executor
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.space import Floats, Ints
from discreet.scale import ordered_map

# Numerators and divisor; a zero leaves a record out.
PATTERNS = {
    5: (
        ((1, 1, 1, 1, 1), 2),
        ((1, 1, 1, 1, 1), 3),
        ((2, 1, 1, 1, 0), 3),
        ((2, 2, 1, 1, 1), 3),
        ((2, 2, 1, 1, 1), 4),
        ((3, 1, 1, 1, 1), 4),
        ((3, 2, 2, 1, 1), 5),
        ((3, 3, 2, 2, 1), 4),
    ),
    7: (((1,) * 7, 2), ((1,) * 7, 3)),
}
# So many records are examined around each fractional one.
AROUND = {5: 13, 7: 10}
# So many centers make a task.
PIECE = 25
_CAPACITY = 200_000


class Support(NamedTuple):
    """The fractional groups of a solution: members, sizes, weights, and which of them hold each record."""

    members: Ints
    sizes: Ints
    weight: Floats
    start: Ints
    group_of: Ints


def support_of(members: Ints, sizes: Ints, x: Floats, n: int) -> Support:
    split = np.flatnonzero((x > 1e-6) & (x < 1 - 1e-6))
    rows, size = np.ascontiguousarray(members[split]), np.ascontiguousarray(sizes[split])
    group, place = np.nonzero(rows >= 0)
    record = rows[group, place]
    order = np.argsort(record, kind="stable")
    start = np.zeros(n + 1, np.int32)
    start[1:] = np.cumsum(np.bincount(record, minlength=n))
    return Support(rows, size, x[split], start, group[order].astype(np.int32))


def separate_triples(support: Support, known: Collection[Cut], most: int, least: float) -> list[Cut]:
    """Violated subset-row cuts, the most violated first, at most five through a record."""
    violation, triples = _triples(support, least, _CAPACITY)
    order = np.argsort(-violation, kind="stable")
    found = (Cut(tuple(int(v) for v in sorted(triples[t])), (1, 1, 1), 2) for t in order)
    return choose(found, known, support.start.size - 1, most, 5)


def separate_rank_one(
    support: Support, known: Collection[Cut], most: int, least: float, executor: Executor | None = None
) -> list[Cut]:
    """Violated cuts on 4, 5 and 7 records, by enumeration around every fractional record."""
    found: list[tuple[float, Cut]] = []
    for size in (5, 7):
        patterns, divisors, table = _table(size)
        around, counts = _neighborhoods(support, AROUND[size])
        rhs = table[:, -1].copy()
        centers = np.flatnonzero(counts)
        tasks = [
            (support, around[part], counts[part], size, table, rhs, least, _CAPACITY // 10)
            for part in (centers[a : a + PIECE] for a in range(0, len(centers), PIECE))
        ]
        for violation, records, which in ordered_map(executor, _scan, tasks):
            for v, rows, p in zip(violation, records, which):
                pairs = sorted((int(r), int(a)) for r, a in zip(rows, patterns[p]) if a > 0)
                cut = Cut(tuple(r for r, _ in pairs), tuple(a for _, a in pairs), int(divisors[p]))
                found.append((float(v), cut))
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    return choose((cut for _, cut in found), known, support.start.size - 1, most, 4)


def choose(found: object, known: Collection[Cut], n: int, most: int, through: int) -> list[Cut]:
    used = np.zeros(n, np.int64)
    chosen: dict[Cut, None] = {}
    for cut in found:  # type: ignore[attr-defined]
        records = list(cut.records)
        if cut in known or cut in chosen or used[records].max() >= through:
            continue
        used[records] += 1
        chosen[cut] = None
        if len(chosen) >= most:
            break
    return list(chosen)


@cache
def _table(size: int) -> tuple[Ints, Ints, Ints]:
    """All permutations of the patterns, and their coefficient for every subset of the records (as bits)."""
    rows = [(p, b) for a, b in PATTERNS[size] for p in sorted(set(permutations(a)))]
    patterns = np.array([p for p, _ in rows], np.int32)
    divisors = np.array([b for _, b in rows], np.int32)
    bits = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
    table = (patterns @ bits.T) // divisors[:, None]
    return patterns, divisors, np.ascontiguousarray(table, np.int32)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _triples(support: Support, least: float, capacity: int) -> tuple[Floats, Ints]:
    n = support.start.size - 1
    together = np.zeros(n)
    listed = np.empty(n, np.int32)
    violation = np.empty(capacity)
    triples = np.empty((capacity, 3), np.int32)
    found = 0
    for i in range(n):
        count = 0
        for e in range(support.start[i], support.start[i + 1]):
            g = support.group_of[e]
            for a in range(support.sizes[g]):
                j = support.members[g, a]
                if j != i:
                    if together[j] == 0.0:
                        listed[count] = j
                        count += 1
                    together[j] += support.weight[g]
        for p in range(count):
            j = listed[p]
            for q in range(p):
                l = listed[q]
                if together[j] + together[l] <= 1e-2:
                    continue
                both, all_three = 0.0, 0.0
                for e in range(support.start[j], support.start[j + 1]):
                    g = support.group_of[e]
                    has_l, has_i = False, False
                    for a in range(support.sizes[g]):
                        has_l |= support.members[g, a] == l
                        has_i |= support.members[g, a] == i
                    if has_l:
                        both += support.weight[g]
                        if has_i:
                            all_three += support.weight[g]
                # A triple whose members all meet pairwise is seen from each of them: take it at the first.
                if both > 0.0 and not (i < j and i < l):
                    continue
                v = together[j] + together[l] + both - 2.0 * all_three - 1.0
                if v > least and found < capacity:
                    violation[found] = v
                    triples[found, 0], triples[found, 1], triples[found, 2] = i, j, l
                    found += 1
        for p in range(count):
            together[listed[p]] = 0.0
    return violation[:found], triples[:found]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _neighborhoods(support: Support, width: int) -> tuple[Ints, Ints]:
    """Around every fractional record, those that share most weight with what is already there."""
    n = support.start.size - 1
    around = np.zeros((n, width), np.int32)
    counts = np.zeros(n, np.int32)
    score = np.zeros(n)
    inside = np.zeros(n, np.bool_)
    listed = np.empty(n, np.int32)
    for i in range(n):
        if support.start[i] == support.start[i + 1]:
            continue
        held, count = 0, 0
        v = i
        while True:
            around[i, held] = v
            inside[v] = True
            held += 1
            for e in range(support.start[v], support.start[v + 1]):
                g = support.group_of[e]
                for a in range(support.sizes[g]):
                    u = support.members[g, a]
                    if score[u] == 0.0:
                        listed[count] = u
                        count += 1
                    score[u] += support.weight[g]
            best, v = 0.0, -1
            for q in range(count):
                u = listed[q]
                if not inside[u] and score[u] > best:
                    best, v = score[u], u
            if v < 0 or held == width:
                break
        for q in range(count):
            score[listed[q]] = 0.0
        for q in range(held):
            inside[around[i, q]] = False
        counts[i] = held
    return around, counts


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _scan(
    support: Support, around: Ints, counts: Ints, size: int, table: Ints, rhs: Ints, least: float, capacity: int
) -> tuple[Floats, Ints, Ints]:
    """Every choice of `size` records (the center and size − 1 around it): its most violated pattern."""
    violation = np.empty(capacity)
    records = np.empty((capacity, size), np.int32)
    which = np.empty(capacity, np.int32)
    mask = np.zeros(support.weight.size, np.int32)
    touched = np.empty(support.weight.size, np.int32)
    weight = np.zeros(1 << size)
    masks = np.empty(1 << size, np.int32)
    pick = np.zeros(size, np.int64)
    rows = np.zeros(size, np.int32)
    found = 0
    for i in range(counts.size):
        others = counts[i] - 1
        if others < size - 1:
            continue
        for j in range(size - 1):
            pick[j] = j
        rows[0] = around[i, 0]
        while True:
            for j in range(size - 1):
                rows[j + 1] = around[i, 1 + pick[j]]
            seen = 0
            for b in range(size):
                r = rows[b]
                for e in range(support.start[r], support.start[r + 1]):
                    g = support.group_of[e]
                    if mask[g] == 0:
                        touched[seen] = g
                        seen += 1
                    mask[g] |= 1 << b
            kinds = 0
            for q in range(seen):
                g = touched[q]
                if weight[mask[g]] == 0.0:
                    masks[kinds] = mask[g]
                    kinds += 1
                weight[mask[g]] += support.weight[g]
                mask[g] = 0
            best, at = least, -1
            for p in range(rhs.size):
                v = -float(rhs[p])
                for q in range(kinds):
                    v += weight[masks[q]] * table[p, masks[q]]
                if v > best + 1e-9:
                    best, at = v, p
            for q in range(kinds):
                weight[masks[q]] = 0.0
            if at >= 0 and found < capacity:
                violation[found] = best
                which[found] = at
                for b in range(size):
                    records[found, b] = rows[b]
                found += 1
            j = size - 2
            while j >= 0 and pick[j] == others - (size - 1) + j:
                j -= 1
            if j < 0:
                break
            pick[j] += 1
            for q in range(j + 1, size - 1):
                pick[q] = pick[q - 1] + 1
    return violation[:found], records[:found], which[:found]
