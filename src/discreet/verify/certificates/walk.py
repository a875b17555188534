"""The branch and bound of the certificate check: all groups of one root and size below a limit, from its candidates.

One candidate after the other joins by its least possible share of the total: what it adds to those already chosen, and
half its distances to the nearest of the others. A branch ends when the shares of the next records add up to too much.
Penalties of cuts only add to this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.verify.certificates.points import Points, apart
from discreet.verify.certificates.reading import Cut

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# For kernels that only kernels call: an entry from Python takes longer to compile than they do.
inner = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
# A number that stands in a call is a type of its own, for which the kernel that is called is compiled once more.
NONE, ONE = cast(int, np.int64(0)), cast(int, np.int64(1))


class Rules(NamedTuple):
    """Cuts by record: which, numerator; divisor and penalty of each."""

    start: Ints
    cut: Ints
    numerator: Ints
    divisor: Ints
    penalty: Floats


def rules_of(cuts: Sequence[Cut], n: int) -> Rules:
    listed: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for t, cut in enumerate(cuts):
        for record, numerator in zip(cut.records, cut.numerators):
            listed[record].append((t, numerator))
    flat = [pair for pairs in listed for pair in pairs]
    return Rules(
        np.concatenate([[0], np.cumsum([len(pairs) for pairs in listed])]).astype(np.int64),
        np.array([t for t, _ in flat], np.int64),
        np.array([a for _, a in flat], np.int64),
        np.array([cut.divisor for cut in cuts], np.int64),
        np.array([cut.penalty for cut in cuts], np.float64),
    )


@inner
def insert(least: Floats, held: int, most: int, value: float) -> int:
    """Keep the `most` least values, sorted; returns how many there are."""
    if held < most:
        z = held
        held += 1
    elif most > 0 and value < least[most - 1]:
        z = most - 1
    else:
        return held
    while z > 0 and least[z - 1] > value:
        least[z] = least[z - 1]
        z -= 1
    least[z] = value
    return held


class Problem(NamedTuple):
    """What groups are searched for: the records, the sums of their least distances (`nearest_sums`), multipliers and
    limits by record, the records by falling multiplier, and the cuts."""

    points: Points
    near: Floats
    multipliers: Floats
    limit: Floats
    order: Ints
    rules: Rules


class Levels(NamedTuple):
    """Memory of the walk over c candidates: their records, distances and sums of least distances; then, by depth, who
    may join, what each adds and its least share, how many they are, whose turn it is, the total so far, the member."""

    record: Ints
    distance: Floats
    around: Floats
    ids: Ints
    own: Floats
    share: Floats
    width: Ints
    at: Ints
    total: Floats
    member: Ints


@inner
def _levels(problem: Problem, squares: Floats, place: int, listed: Ints, size: int, penalty: float) -> Levels:
    """The root at depth 0, everybody listed at depth 1."""
    c = listed.size
    record = problem.order[listed]
    distance = np.zeros((c, c))
    for x in range(c):
        for y in range(x):
            distance[x, y] = apart(problem.points, record[x], record[y])
            distance[y, x] = distance[x, y]
    levels = Levels(
        record,
        distance,
        problem.near[record],
        np.empty((size + 1, c), np.int64),
        np.empty((size + 1, c)),
        np.empty((size + 1, c)),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1, np.int64),
        np.zeros(size + 1),
        np.zeros(size + 1, np.int64),
    )
    root = problem.order[place]
    levels.member[0] = root
    levels.total[1] = -problem.multipliers[root] + penalty
    for x in range(c):
        levels.ids[1, x] = x
        levels.own[1, x] = squares[listed[x]] / size - problem.multipliers[record[x]]
    levels.width[1] = c
    # Shares with neighbors among those who are left, as long as many drop out.
    before = 2 * c
    while levels.width[1] < 0.9 * before:
        before = levels.width[1]
        _narrow(levels, ONE, size, problem.limit[root])
    return levels


@inner
def walk(
    problem: Problem,
    squares: Floats,
    place: int,
    listed: Ints,
    size: int,
    count: Ints,
    groups: Ints,
    sizes: Ints,
    found: int,
    most: int,
    branches: int,
) -> tuple[Ints, Ints, int, int]:
    """Append the groups of one root and size; returns the lists, their length, and how many branches it took.

    `squares` are the distances from the root, `count` what the cuts count of the members so far: nothing, at either
    end.
    """
    root, rules = problem.order[place], problem.rules
    limit = problem.limit[root]
    _count(rules, count, root, ONE)
    levels = _levels(problem, squares, place, listed, size, _penalty(rules, count, root))
    ids, own, width, at = levels.ids, levels.own, levels.width, levels.at
    total, member = levels.total, levels.member
    taken, depth = 0, 1
    while depth >= 1:
        need = size - depth
        x = at[depth]
        stop = x + need > width[depth]
        if not stop:
            bound = total[depth]
            for y in range(x, x + need):
                bound += levels.share[depth, y]
            stop = bound >= limit
        if stop:
            depth -= 1
            if depth >= 1:
                _count(rules, count, member[depth], -ONE)
                at[depth] += 1
            continue
        v = levels.record[ids[depth, x]]
        taken += 1
        if taken > branches:
            break
        already = _penalty(rules, count, v)
        _count(rules, count, v, ONE)
        member[depth] = v
        total[depth + 1] = total[depth] + own[depth, x] + _penalty(rules, count, v) - already
        if need == 1:
            if total[depth + 1] < limit:
                if found == sizes.size:
                    groups, sizes = _doubled(groups, sizes)
                for a in range(size):
                    groups[found, a] = member[a]
                sizes[found] = size
                found += 1
                if found > most:
                    break
            _count(rules, count, v, -ONE)
            at[depth] += 1
            continue
        below = 0
        for y in range(x + 1, width[depth]):
            u = ids[depth, y]
            ids[depth + 1, below] = u
            own[depth + 1, below] = own[depth, y] + levels.distance[u, ids[depth, x]] / size
            below += 1
        width[depth + 1] = below
        _narrow(levels, depth + 1, size, limit)
        depth += 1
        at[depth] = 0
    _count(rules, count, root, -ONE)
    return groups, sizes, found, taken


@inner
def _doubled(groups: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    width = groups.shape[1]
    more, longer = np.empty((2 * sizes.size, width), np.int64), np.zeros(2 * sizes.size, np.int64)
    for g in range(2 * sizes.size):
        for a in range(width):
            more[g, a] = groups[g, a] if g < sizes.size else -1
    for g in range(sizes.size):
        longer[g] = sizes[g]
    return more, longer


@inner
def _rising(values: Floats, count: int) -> Ints:
    """The places of the first `count` values in rising order, equal ones as they stand."""
    rank = np.empty(count, np.int64)
    for x in range(count):
        y = x
        while y > 0 and values[rank[y - 1]] > values[x]:
            rank[y] = rank[y - 1]
            y -= 1
        rank[y] = x
    return rank


@inner
def _count(rules: Rules, count: Ints, v: int, sign: int) -> None:
    for e in range(rules.start[v], rules.start[v + 1]):
        count[rules.cut[e]] += sign * rules.numerator[e]


@inner
def _penalty(rules: Rules, count: Ints, v: int) -> float:
    """What the cuts through v owe at present; others do not change when v joins."""
    owed = 0.0
    for e in range(rules.start[v], rules.start[v + 1]):
        owed += rules.penalty[rules.cut[e]] * (count[rules.cut[e]] // rules.divisor[rules.cut[e]])
    return owed


@inner
def _narrow(levels: Levels, depth: int, size: int, limit: float) -> None:
    """Give each record its least share, drop those that cannot be in a group below the limit, sort the rest."""
    distance, ids, own, width, total = levels.distance, levels.ids, levels.own, levels.width, levels.total
    need = size - depth
    c = width[depth]
    nearest, column = np.empty(need), np.empty(c)
    # First with the nearest of all records, which takes one look at each; then with those of the candidates.
    held = NONE
    for x in range(c):
        column[x] = own[depth, x] + 0.5 * levels.around[ids[depth, x], need - 1] / size
        held = insert(nearest, held, need, column[x])
    allowance = limit - total[depth]
    for z in range(held):
        allowance -= nearest[z]
    left = NONE
    for x in range(c):
        if held == need and allowance > 0.0 and column[x] <= nearest[need - 1] + allowance:
            ids[depth, left] = ids[depth, x]
            own[depth, left] = own[depth, x]
            left += 1
    c = left
    if c < need:
        width[depth] = 0
        return
    for x in range(c):
        held = NONE
        for y in range(c):
            if y != x:
                held = insert(nearest, held, need - 1, distance[ids[depth, x], ids[depth, y]])
        half = 0.0
        for z in range(held):
            half += nearest[z]
        column[x] = own[depth, x] + 0.5 * half / size
    rank = _rising(column, c)
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
            levels.share[depth, kept] = column[at]
            kept += 1
    width[depth] = kept


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def penalties(rules: Rules, groups: Ints, sizes: Ints) -> Floats:
    """What the cuts add to the reduced cost of each group."""
    out = np.zeros(sizes.size)
    count = np.zeros(rules.divisor.size, np.int64)
    for g in range(sizes.size):
        for a in range(sizes[g]):
            before = _penalty(rules, count, groups[g, a])
            _count(rules, count, groups[g, a], ONE)
            out[g] += _penalty(rules, count, groups[g, a]) - before
        for a in range(sizes[g]):
            _count(rules, count, groups[g, a], -ONE)
    return out
