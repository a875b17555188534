"""All groups whose reduced cost is below a limit, by an enumeration that shares nothing with the method's pricing.

Every group is sought from its member of largest λ, the root i. With S_m(v) the sum of the m least squared distances
from v, a group of size η costs at least −λ_i plus, for each other member,

    s_v = d²_iv/η − λ_v + ½·S_{η−2}(v)/η,

so that v takes part in one below the limit only if s_v plus the η−2 least others of s leave it so. Among the records
that pass, one after the other joins by its least possible share of the total: what it adds to those already chosen, and
half its distances to the nearest of the others. A branch ends when the shares of the next records add up to too much.
Penalties only add to this.

Distances are computed a row at a time: time grows with n², memory with n and the square of the candidates of a root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.scale import ordered_map, workers

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Roots and records that a thread takes at a time.
ROOTS = 16
ROWS = 64
# How a search ended.
DONE, CUT_OFF, TOO_MANY = 0, 1, 2
# From so many candidates on, each one is tried as second member before there is a table of their distances.
MANY = 100
# A table of so many candidates takes 200 MB.
MOST_CANDIDATES = 5000


class Rules(NamedTuple):
    """Cuts by record: which, numerator; divisor and penalty of each."""

    start: Ints
    cut: Ints
    numerator: Ints
    divisor: Ints
    penalty: Floats


class Found(NamedTuple):
    """Members (padded with −1), sizes, how the search ended, and the branches it took."""

    groups: Ints
    sizes: Ints
    state: int
    branches: int


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
    points: Floats, multipliers: Floats, limit: Floats, k: int, rules: Rules, most: int, branches: int
) -> Found:
    """Groups whose reduced cost is below limit[i], i their member of largest λ (the first of equals).

    The state is CUT_OFF where more than `most` groups or `branches` branches were met, TOO_MANY where a root has more
    candidates than fit in memory; the groups are then some of all.
    """
    n = len(points)
    largest = min(2 * k - 1, n)
    points = np.ascontiguousarray(points, np.float64)
    order = np.lexsort((np.arange(n), -multipliers)).astype(np.int64)
    found: list[Found] = []
    groups, taken, state = 0, 0, DONE
    with workers(None) as pool:
        near = nearest_sums(points, largest - 1, pool)

        def arguments() -> Iterator[tuple[Any, ...]]:
            for first in range(0, n, ROOTS):
                yield (
                    points, near, multipliers, limit, order, first, min(n, first + ROOTS), k, largest, rules,
                    most, branches, MOST_CANDIDATES,
                )  # fmt: skip

        for some in ordered_map(pool, search, arguments()):
            piece = Found(*some)
            found.append(piece)
            groups, taken = groups + len(piece.sizes), taken + piece.branches
            state = piece.state if piece.state != DONE else CUT_OFF if groups > most or taken > branches else DONE
            if state != DONE:
                break
    return Found(np.concatenate([f.groups for f in found]), np.concatenate([f.sizes for f in found]), state, taken)


def nearest_sums(points: Floats, most: int, pool: Any) -> Floats:
    """Column m: the sum of the m least squared distances from each record to others, m = 0 .. most − 1."""
    n = len(points)
    pieces = ((points, a, min(n, a + ROWS), most) for a in range(0, n, ROWS))
    return np.concatenate(list(ordered_map(pool, _nearest, pieces)))


@njit(cache=True, nogil=True)
def _nearest(points: Floats, first: int, last: int, most: int) -> Floats:
    out = np.zeros((last - first, most))
    least = np.empty(most)
    for i in range(first, last):
        held = 0
        for v in range(points.shape[0]):
            if v != i:
                held = _insert(least, held, most - 1, _apart(points, i, v))
        for m in range(1, most):
            out[i - first, m] = out[i - first, m - 1] + least[m - 1]
    return out


@njit(cache=True, nogil=True)
def _apart(points: Floats, u: int, v: int) -> float:
    total = 0.0
    for j in range(points.shape[1]):
        gap = points[u, j] - points[v, j]
        total += gap * gap
    return total


@njit(cache=True, nogil=True)
def _insert(least: Floats, held: int, most: int, value: float) -> int:
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


@njit(cache=True, nogil=True)
def search(
    points: Floats,
    near: Floats,
    multipliers: Floats,
    limit: Floats,
    order: Ints,
    first: int,
    last: int,
    smallest: int,
    largest: int,
    rules: Rules,
    most: int,
    branches: int,
    most_candidates: int,
) -> tuple[Ints, Ints, int, int]:
    """The groups rooted at order[first .. last−1], up to one more than `most`."""
    n = order.size
    groups = np.full((16, largest), -1, np.int64)
    sizes = np.zeros(16, np.int64)
    found = 0
    taken = 0
    squares = np.empty(n)
    shares = np.empty(n)
    listed = np.empty(n, np.int64)
    least = np.empty(largest)
    count = np.zeros(rules.divisor.size, np.int64)
    for place in range(first, last):
        root = order[place]
        for p in range(place + 1, n):
            squares[p] = _apart(points, root, order[p])
        for size in range(smallest, min(largest, n - place) + 1):
            c = _candidates(squares, near, multipliers, limit[root], order, place, size, shares, least, listed)
            if c > MANY:
                c = _with_each(points, squares, near, multipliers, limit[root], order, place, size, least, listed, c)
            if c < size - 1:
                continue
            if c > most_candidates:
                return groups[:found], sizes[:found], TOO_MANY, taken
            groups, sizes, found, more = _walk(
                points, squares, near, multipliers, limit[root], order, place, listed[:c], size, rules, count,
                groups, sizes, found, most, branches - taken,
            )  # fmt: skip
            taken += more
            if found > most or taken > branches:
                return groups[:found], sizes[:found], CUT_OFF, taken
    return groups[:found], sizes[:found], DONE, taken


@njit(cache=True, nogil=True)
def _candidates(
    squares: Floats,
    near: Floats,
    multipliers: Floats,
    limit: float,
    order: Ints,
    place: int,
    size: int,
    shares: Floats,
    least: Floats,
    listed: Ints,
) -> int:
    """Places of the order after this root that may be in a group of this size below the limit."""
    held = 0
    for p in range(place + 1, order.size):
        v = order[p]
        shares[p] = squares[p] / size - multipliers[v] + 0.5 * near[v, size - 2] / size
        held = _insert(least, held, size - 1, shares[p])
    room = limit + multipliers[order[place]]
    for z in range(size - 1):
        room -= least[z]
    if room <= 0.0:
        return 0
    c = 0
    for p in range(place + 1, order.size):
        if shares[p] <= least[size - 2] + room:
            listed[c] = p
            c += 1
    return c


@njit(cache=True, nogil=True)
def _with_each(
    points: Floats,
    squares: Floats,
    near: Floats,
    multipliers: Floats,
    limit: float,
    order: Ints,
    place: int,
    size: int,
    least: Floats,
    listed: Ints,
    c: int,
) -> int:
    """Leave out candidates with which, as second member, the least shares of the others add up to too much."""
    kept = np.zeros(c, np.bool_)
    for x in range(c):
        v = order[listed[x]]
        held = 0
        for y in range(c):
            if y != x:
                u = order[listed[y]]
                share = (squares[listed[y]] + _apart(points, u, v)) / size - multipliers[u]
                if size > 2:
                    held = _insert(least, held, size - 2, share + 0.5 * near[u, size - 3] / size)
        total = squares[listed[x]] / size - multipliers[v] - multipliers[order[place]]
        for z in range(held):
            total += least[z]
        kept[x] = held == size - 2 and total < limit
    left = 0
    for x in range(c):
        if kept[x]:
            listed[left] = listed[x]
            left += 1
    return left


@njit(cache=True, nogil=True)
def _walk(
    points: Floats,
    squares: Floats,
    near: Floats,
    multipliers: Floats,
    limit: float,
    order: Ints,
    place: int,
    listed: Ints,
    size: int,
    rules: Rules,
    count: Ints,
    groups: Ints,
    sizes: Ints,
    found: int,
    most: int,
    branches: int,
) -> tuple[Ints, Ints, int, int]:
    """Append the groups of one root and size; returns the lists, their length, and how many branches it took."""
    c = listed.size
    record = order[listed]
    distance = np.zeros((c, c))
    for x in range(c):
        for y in range(x):
            distance[x, y] = _apart(points, record[x], record[y])
            distance[y, x] = distance[x, y]
    ids = np.empty((size + 1, c), np.int64)
    share = np.empty((size + 1, c))
    own = np.empty((size + 1, c))
    width = np.zeros(size + 1, np.int64)
    at = np.zeros(size + 1, np.int64)
    total = np.zeros(size + 1)
    member = np.zeros(size + 1, np.int64)
    column = np.empty(c)
    root = order[place]
    taken = 0
    member[0] = root
    _count(rules, count, root, 1)
    total[1] = -multipliers[root] + _penalty(rules, count, root)
    for x in range(c):
        ids[1, x] = x
        own[1, x] = squares[listed[x]] / size - multipliers[record[x]]
    width[1] = c
    around = near[record]
    # Shares with neighbors among those who are left, as long as many drop out.
    before = 2 * c
    while width[1] < 0.9 * before:
        before = width[1]
        _narrow(distance, around, ids, own, share, width, total, 1, size, limit, column)
    depth = 1
    while depth >= 1:
        need = size - depth
        x = at[depth]
        stop = x + need > width[depth]
        if not stop:
            bound = total[depth]
            for y in range(x, x + need):
                bound += share[depth, y]
            stop = bound >= limit
        if stop:
            depth -= 1
            if depth >= 1:
                _count(rules, count, member[depth], -1)
                at[depth] += 1
            continue
        chosen = ids[depth, x]
        v = record[chosen]
        taken += 1
        if taken > branches:
            break
        already = _penalty(rules, count, v)
        _count(rules, count, v, 1)
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
            _count(rules, count, v, -1)
            at[depth] += 1
            continue
        below = 0
        for y in range(x + 1, width[depth]):
            u = ids[depth, y]
            ids[depth + 1, below] = u
            own[depth + 1, below] = own[depth, y] + distance[u, chosen] / size
            below += 1
        width[depth + 1] = below
        _narrow(distance, around, ids, own, share, width, total, depth + 1, size, limit, column)
        depth += 1
        at[depth] = 0
    _count(rules, count, root, -1)
    return groups, sizes, found, taken


@njit(cache=True, nogil=True)
def _doubled(groups: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    more = np.full((2 * sizes.size, groups.shape[1]), -1, np.int64)
    more[: sizes.size] = groups
    longer = np.zeros(2 * sizes.size, np.int64)
    longer[: sizes.size] = sizes
    return more, longer


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
    around: Floats,
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
    nearest = np.empty(need)
    # First with the nearest of all records, which takes one look at each; then with those of the candidates.
    held = 0
    for x in range(c):
        column[x] = own[depth, x] + 0.5 * around[ids[depth, x], need - 1] / size
        held = _insert(nearest, held, need, column[x])
    room = limit - total[depth]
    for z in range(held):
        room -= nearest[z]
    left = 0
    for x in range(c):
        if held == need and room > 0.0 and column[x] <= nearest[need - 1] + room:
            ids[depth, left] = ids[depth, x]
            own[depth, left] = own[depth, x]
            left += 1
    c = left
    if c < need:
        width[depth] = 0
        return
    for x in range(c):
        held = 0
        for y in range(c):
            if y != x:
                held = _insert(nearest, held, need - 1, distance[ids[depth, x], ids[depth, y]])
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
