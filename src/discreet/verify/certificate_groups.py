"""All groups whose reduced cost is below a limit, by an enumeration that shares nothing with the method's pricing.

From every record i, later ones in the order of falling λ join by their least possible share of the total: what they add
to those already chosen, and half their distances to the nearest of the others. A branch ends when the shares of the
next records add up to too much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Rules(NamedTuple):
    """Cuts by record: which, numerator; divisor and penalty of each."""

    start: Ints
    cut: Ints
    numerator: Ints
    divisor: Ints
    penalty: Floats


def rules_of(cuts: Sequence[Mapping[str, Any]], n: int) -> Rules:
    listed: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for t, cut in enumerate(cuts):
        for record, numerator in zip(cut["records"], cut["numerators"]):
            listed[record].append((t, numerator))
    flat = [pair for pairs in listed for pair in pairs]
    return Rules(
        np.concatenate([[0], np.cumsum([len(pairs) for pairs in listed])]).astype(np.int64),
        np.array([t for t, _ in flat], np.int64),
        np.array([a for _, a in flat], np.int64),
        np.array([cut["divisor"] for cut in cuts], np.int64),
        np.array([cut["penalty"] for cut in cuts], np.float64),
    )


def enumerate_below(
    distance: Floats, multipliers: Floats, limit: Floats, k: int, rules: Rules, most: int, branches: int
) -> tuple[Ints, Ints, int]:
    """Groups whose reduced cost is below limit[i], i their member of largest λ.

    Returns members (padded with −1), sizes, and 0, or 1 where `most` groups or `branches` branches did not suffice.
    """
    order = np.lexsort((np.arange(len(multipliers)), -multipliers))
    n = len(multipliers)
    groups, sizes, state, _ = walk(
        distance, multipliers, limit, order.astype(np.int64), k, min(2 * k - 1, n), rules, most, branches, n
    )
    return groups, sizes, int(state)


@njit(cache=True, nogil=True)
def walk(
    distance: Floats,
    multipliers: Floats,
    limit: Floats,
    order: Ints,
    smallest: int,
    largest: int,
    rules: Rules,
    most: int,
    branches: int,
    roots: int,
) -> tuple[Ints, Ints, int, int]:
    """The groups rooted at the first `roots` records of the order; the last value is how many branches are left."""
    n = order.size
    groups = np.full((most + 1, largest), -1, np.int64)
    sizes = np.zeros(most + 1, np.int64)
    found = 0
    count = np.zeros(rules.divisor.size, np.int64)
    ids = np.empty((largest + 1, n), np.int64)
    share = np.empty((largest + 1, n))
    own = np.empty((largest + 1, n))
    width = np.zeros(largest + 1, np.int64)
    at = np.zeros(largest + 1, np.int64)
    total = np.zeros(largest + 1)
    member = np.zeros(largest + 1, np.int64)
    column = np.empty(n)
    for place in range(roots):
        root = order[place]
        for size in range(smallest, largest + 1):
            if n - place < size:
                continue
            member[0] = root
            _count(rules, count, root, 1)
            total[1] = -multipliers[root] + _penalty(rules, count, root)
            width[1] = 0
            for p in range(place + 1, n):
                v = order[p]
                ids[1, width[1]] = v
                own[1, width[1]] = distance[root, v] / size - multipliers[v]
                width[1] += 1
            # Shares with neighbors among those who are left, until nobody else drops out.
            before = -1
            while width[1] != before:
                before = width[1]
                _narrow(distance, ids, own, share, width, total, 1, size, limit[root], column)
            depth = 1
            at[1] = 0
            while depth >= 1:
                need = size - depth
                x = at[depth]
                stop = x + need > width[depth]
                if not stop:
                    least = total[depth]
                    for y in range(x, x + need):
                        least += share[depth, y]
                    stop = least >= limit[root]
                if stop:
                    depth -= 1
                    if depth >= 1:
                        _count(rules, count, member[depth], -1)
                        at[depth] += 1
                    continue
                v = ids[depth, x]
                branches -= 1
                if branches < 0:
                    return groups[:found], sizes[:found], 1, branches
                already = _penalty(rules, count, v)
                _count(rules, count, v, 1)
                member[depth] = v
                total[depth + 1] = total[depth] + own[depth, x] + _penalty(rules, count, v) - already
                if need == 1:
                    if total[depth + 1] < limit[root]:
                        for a in range(size):
                            groups[found, a] = member[a]
                        sizes[found] = size
                        found += 1
                        if found > most:
                            return groups[:found], sizes[:found], 1, branches
                    _count(rules, count, v, -1)
                    at[depth] += 1
                    continue
                below = 0
                for y in range(x + 1, width[depth]):
                    u = ids[depth, y]
                    ids[depth + 1, below] = u
                    own[depth + 1, below] = own[depth, y] + distance[u, v] / size
                    below += 1
                width[depth + 1] = below
                _narrow(distance, ids, own, share, width, total, depth + 1, size, limit[root], column)
                depth += 1
                at[depth] = 0
            _count(rules, count, root, -1)
    return groups[:found], sizes[:found], 0, branches


@njit(cache=True, nogil=True)
def _count(rules: Rules, count: Ints, v: int, sign: int) -> None:
    for e in range(rules.start[v], rules.start[v + 1]):
        count[rules.cut[e]] += sign * rules.numerator[e]


@njit(cache=True, nogil=True)
def _penalty(rules: Rules, count: Ints, v: int) -> float:
    """What the cuts through v owe at present; others do not change when v joins."""
    owed = 0.0
    for e in range(rules.start[v], rules.start[v + 1]):
        owed += rules.penalty[rules.cut[e]] * (count[rules.cut[e]] // rules.divisor[rules.cut[e]])
    return owed


@njit(cache=True, nogil=True)
def _narrow(
    distance: Floats,
    ids: Ints,
    own: Floats,
    share: Floats,
    width: Ints,
    total: Floats,
    depth: int,
    size: int,
    limit: float,
    column: Floats,
) -> None:
    """Give each record its least share, drop those that cannot be in a group below the limit, sort the rest."""
    need = size - depth
    c = width[depth]
    if c < need:
        width[depth] = 0
        return
    nearest = np.empty(need)
    for x in range(c):
        held = 0
        for y in range(c):
            if y == x:
                continue
            d = distance[ids[depth, x], ids[depth, y]]
            if held < need - 1:
                z = held
                held += 1
            elif need > 1 and d < nearest[need - 2]:
                z = need - 2
            else:
                continue
            while z > 0 and nearest[z - 1] > d:
                nearest[z] = nearest[z - 1]
                z -= 1
            nearest[z] = d
        half = 0.0
        for z in range(held):
            half += nearest[z]
        share[depth, x] = own[depth, x] + 0.5 * half / size
        column[x] = share[depth, x]
    rank = np.argsort(column[:c], kind="mergesort")
    least = total[depth]
    for x in range(need):
        least += column[rank[x]]
    if least >= limit:
        width[depth] = 0
        return
    others = least - column[rank[need - 1]]
    kept = 0
    saved_id = ids[depth, :c].copy()
    saved_own = own[depth, :c].copy()
    for x in range(c):
        at = rank[x]
        if x < need or others + column[at] < limit:
            ids[depth, kept] = saved_id[at]
            own[depth, kept] = saved_own[at]
            share[depth, kept] = column[at]
            kept += 1
    width[depth] = kept
