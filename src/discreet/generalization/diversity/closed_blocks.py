"""Matchings of closed blocks in which every draw shows each person l distinct values of a sensitive attribute.

With matchings D_1 … D_k of a block and draw t, person p has the candidates D_s⁻¹(p), s = 1 … k, which show the values
of D_t(D_s⁻¹(p)). All k draws are checked, for every person. A missing value (−1) counts as none. Blocks are closed
(matches stay within), so each can be arranged by itself: safe and simple, but wide. `diverse_matchings.py` starts here
where its own search falls short.

The records are halved while both halves can be arranged at all: at a median as in `kd_blocks`, or at the median of an
attribute within each sensitive value, which keeps the mix of values; the cut that leaves the least loss is taken. In a
small block the choice is, whichever is cheapest and passes the check, between Hungarian matches with their matchings
as found, a ring in which the values are dealt out evenly, and the two halves. With draws along the ring, a person's
candidates show the values of k neighbors in it, which are l distinct ones unless some value is too frequent.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import box_cost, costs, scratch
from discreet.generalization.domain import Codes, Domain, Integers, Tables
from discreet.generalization.matching.iterations import match_blocks
from discreet.generalization.partition import NO_RANDOM, kd_blocks
from discreet.kernels.sorting import stable_order
from discreet.work import Deadline, Reporter

BLOCK_FACTOR = 8


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def dealt(values: Integers, ranks: Integers) -> Integers:
    """A ring order in which equal values are spread as evenly as can be; records of one value keep their rank order.

    The c records of a value get the places (j + ½)/c, j = 0 … c − 1, and all are sorted by place. So do those without
    a value.
    """
    n = values.shape[0]
    total = np.zeros(values.max() + 2, np.int64)
    for v in values:
        total[v] += 1  # those of −1 are counted in the last place
    seen = np.zeros_like(total)
    place = np.empty(n)
    for i in ranks:
        v = values[i]
        place[i] = (seen[v] + 0.5) / total[v] + 1e-9 * v
        seen[v] += 1
    return stable_order(place)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def shortfalls(matchings: Integers, inverse: Integers, values: NDArray[np.integer], l: int) -> int:
    """How many (person, draw) see fewer than l values; `inverse[s]` is the inverse of matching s."""
    k, n = matchings.shape
    seen = np.zeros(k, np.int64)
    short = 0
    for t in range(k):
        for p in range(n):
            distinct = 0
            for u in range(k):
                v = values[matchings[t, inverse[u, p]]]
                new = v >= 0
                for r in range(distinct):
                    new &= seen[r] != v
                if new:
                    seen[distinct] = v
                    distinct += 1
                    if distinct == l:
                        break
            short += distinct < l
    return short


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def ring_matchings(order: Integers, k: int) -> Integers:
    """Record order[q] covers order[q], …, order[q + k − 1]: matching s takes the s-th of them."""
    n = order.shape[0]
    out = np.empty((k, n), np.int64)
    for s in range(k):
        for q in range(n):
            out[s, order[q]] = order[(q + s) % n]
    return out


def arranged(values: Integers, ranks: Integers, k: int, l: int) -> Integers | None:
    """A ring order with l distinct values in every k neighbors, or None where none was found.

    Tried in turn: equal values dealt out evenly; the records sorted by value (in rank order), written in r rows and
    read by columns, r = l … k, where neighbors lie n/r apart in the sorted list.
    """
    n = values.size
    if n < k:
        return None
    order = dealt(values, ranks)
    if _windows(values[order], k) >= l:
        return order
    sorted_rows = ranks[np.argsort(values[ranks], kind="stable")]
    for r in range(l, k + 1):
        rows = np.array_split(sorted_rows, r)  # the longer rows come first
        order = np.concatenate([[row[c] for row in rows if c < row.size] for c in range(rows[0].size)])
        if _windows(values[order], k) >= l:
            return order.astype(np.int64)
    return None


def can_be_arranged(values: Integers, k: int, l: int) -> bool:
    return arranged(values, np.arange(values.size), k, l) is not None


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _windows(ring: Integers, k: int) -> int:
    """The least number of distinct values in k neighbors of a ring."""
    n = ring.shape[0]
    times = np.zeros(ring.max() + 2, np.int64)
    distinct, least = 0, k
    for q in range(n + k - 1):
        v = ring[q % n]
        distinct += v >= 0 and times[v] == 0
        times[v] += 1
        if q >= k:
            old = ring[(q - k) % n]
            times[old] -= 1
            distinct -= old >= 0 and times[old] == 0
        if q >= k - 1:
            least = min(least, distinct)
    return least


def closed_matchings(
    domain: Domain, k: int, values: Integers, l: int, deadline: Deadline, report: Reporter
) -> Integers | None:
    """k matchings in which every draw shows each person at least `l` values; None where none were found."""
    n = domain.n
    if not can_be_arranged(values, k, l):
        return None
    matchings = np.empty((k, n), np.int64)
    stack = [np.arange(n)]
    done = 0
    late = False
    while stack:
        rows = stack.pop()
        codes, mine = domain.codes[rows], values[rows]
        late = late or deadline.passed
        halves = None if late or rows.size <= BLOCK_FACTOR * k else _halves(domain.tables, codes, mine, k, l)
        if halves is not None:
            stack.extend(rows[half] for half in halves)
            continue
        local, _ = _block(domain.tables, codes, mine, k, l, late)
        matchings[:, rows] = rows[local]
        done += rows.size
        report("matching", done / n)
    return matchings


def _halves(t: Tables, codes: Codes, values: Integers, k: int, l: int) -> list[Integers] | None:
    """The cheapest two halves that can both be arranged; None where there are none."""
    n = values.size
    if n < 2 * k:
        return None
    order, ends = kd_blocks(t, codes, np.arange(n), n - 1, max(k, n // 4), NO_RANDOM)
    low = np.zeros(n, bool)
    low[order[: ends[1]]] = True
    options = [low]
    for a in range(codes.shape[1]):
        if (codes[:, a] == codes[0, a]).all():
            continue
        sorted_rows = np.lexsort((codes[:, a], values))
        first = np.searchsorted(values[sorted_rows], values[sorted_rows])
        size = np.bincount(values + 1)[values[sorted_rows] + 1]
        low = np.zeros(n, bool)
        low[sorted_rows] = 2 * (np.arange(n) - first) < size
        options.append(low)
    best, least = None, np.inf
    for low in options:
        halves = [np.flatnonzero(low), np.flatnonzero(~low)]
        if all(can_be_arranged(values[half], k, l) for half in halves):
            cost = sum(half.size * _box(t, codes[half]) for half in halves)
            if cost < least:
                best, least = halves, cost
    return best


def _box(t: Tables, codes: Codes) -> float:
    return float(box_cost(t, scratch(t.start[-1]), codes, codes.shape[0]))


def _block(t: Tables, codes: Codes, values: Integers, k: int, l: int, late: bool) -> tuple[Integers, float]:
    """The cheapest matchings of a closed block that pass the check, and their cost."""
    n = codes.shape[0]
    ranks = np.lexsort(codes.T[::-1]).astype(np.int64)
    order = arranged(values, ranks, k, l)
    if order is None:  # the order of ranks decides ties: the order in which feasibility was found always works
        order = arranged(values, np.arange(n), k, l)
    assert order is not None
    options = [ring_matchings(order, k)]
    if not late and n <= 40 * k:
        slots = match_blocks(t, codes, np.array([0, n]), k, "hungarian")
        freeform = np.ascontiguousarray(slots.T).astype(np.int64)
        if shortfalls(freeform, np.argsort(freeform, axis=1), values, l) == 0:
            options.append(freeform)
        halves = _halves(t, codes, values, k, l)
        if halves is not None:
            joined = np.empty((k, n), np.int64)
            for half in halves:
                joined[:, half] = half[_block(t, codes[half], values[half], k, l, late)[0]]
            options.append(joined)
    losses = [float(costs(t, codes, np.ascontiguousarray(option.T)).sum()) for option in options]
    best = int(np.argmin(losses))
    return options[best], losses[best]
