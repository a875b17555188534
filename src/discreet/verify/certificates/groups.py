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

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.verify.certificates.points import Points, apart
from discreet.verify.certificates.walk import NONE, Problem, Rules, inner, insert, walk

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Roots and records that a thread takes at a time.
ROOTS = 16
ROWS = 64
# How a search ended.
DONE, CUT_OFF, TOO_MANY, LATE = 0, 1, 2, 3
# From so many candidates on, each one is tried as second member before there is a table of their distances.
MANY = 100
# A table of so many candidates takes 200 MB.
MOST_CANDIDATES = 5000


class Found(NamedTuple):
    """Members (padded with −1), sizes, how the search ended, and the branches it took."""

    groups: Ints
    sizes: Ints
    state: int
    branches: int


def enumerate_below(
    points: Points,
    multipliers: Floats,
    limit: Floats,
    k: int,
    rules: Rules,
    *,
    most: int,
    branches: int,
    seconds: float = math.inf,
    near: Floats | None = None,
) -> Found:
    """Groups whose reduced cost is below limit[i], i their member of largest λ (the first of equals).

    The state is CUT_OFF where more than `most` groups or `branches` branches were met, TOO_MANY where a root has more
    candidates than fit in memory, LATE where `seconds` have passed; the groups are then some of all. `near` is what
    `nearest_sums` says, for callers that ask several times.
    """
    n = len(points.values)
    largest = min(2 * k - 1, n)
    order = np.lexsort((np.arange(n), -multipliers)).astype(np.int64)
    end = time.monotonic() + seconds
    sums = nearest_sums(points, k) if near is None else near
    problem = Problem(points, sums, multipliers, limit, order, rules)
    found: list[Found] = []
    groups, taken, state = 0, 0, DONE

    def arguments() -> Iterator[tuple[Any, ...]]:
        for first in range(0, n, ROOTS):
            yield problem, first, min(n, first + ROOTS), k, largest, most, branches, MOST_CANDIDATES

    for some in _in_turn(search, arguments()):
        piece = Found(*some)
        found.append(piece)
        groups, taken = groups + len(piece.sizes), taken + piece.branches
        state = piece.state if piece.state != DONE else CUT_OFF if groups > most or taken > branches else DONE
        if state == DONE and time.monotonic() > end:
            state = LATE
        if state != DONE:
            break
    return Found(np.concatenate([f.groups for f in found]), np.concatenate([f.sizes for f in found]), state, taken)


def nearest_sums(points: Points, k: int) -> Floats:
    """Column m: the sum of the m least squared distances from each record to others, for groups of up to 2k−1."""
    n = len(points.values)
    most = min(2 * k - 1, n) - 1
    pieces = ((points, a, min(n, a + ROWS), most) for a in range(0, n, ROWS))
    return np.concatenate(list(_in_turn(_nearest, pieces)))


def _in_turn(work: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """The results of compiled pieces of work in their order, from as many threads as there are processors."""
    threads = os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        running: deque[Future[Any]] = deque()
        try:
            for some in arguments:
                running.append(pool.submit(work, *some))
                if len(running) > 2 * threads:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            for future in running:
                future.cancel()


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _nearest(points: Points, first: int, last: int, most: int) -> Floats:
    out = np.zeros((last - first, most))
    least = np.empty(most)
    for i in range(first, last):
        held = NONE
        for v in range(points.values.shape[0]):
            if v != i:
                held = insert(least, held, most - 1, apart(points, i, v))
        for m in range(1, most):
            out[i - first, m] = out[i - first, m - 1] + least[m - 1]
    return out


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def search(
    problem: Problem,
    first: int,
    last: int,
    smallest: int,
    largest: int,
    most: int,
    branches: int,
    most_candidates: int,
) -> tuple[Ints, Ints, int, int]:
    """The groups rooted at order[first .. last−1], up to one more than `most`."""
    order = problem.order
    n = order.size
    groups = np.full((16, largest), -1, np.int64)
    sizes = np.zeros(16, np.int64)
    found, taken = NONE, NONE
    squares = np.empty(n)
    shares = np.empty(n)
    listed = np.empty(n, np.int64)
    least = np.empty(largest)
    count = np.zeros(problem.rules.divisor.size, np.int64)
    for place in range(first, last):
        root = order[place]
        for p in range(place + 1, n):
            squares[p] = apart(problem.points, root, order[p])
        for size in range(smallest, min(largest, n - place) + 1):
            c = _candidates(problem, squares, place, size, shares, least, listed)
            if c > MANY:
                c = _with_each(problem, squares, place, size, least, listed, c)
            if c < size - 1:
                continue
            if c > most_candidates:
                return groups[:found], sizes[:found], TOO_MANY, taken
            groups, sizes, found, more = walk(
                problem, squares, place, listed[:c], size, count, groups, sizes, found, most, branches - taken
            )
            taken += more
            if found > most or taken > branches:
                return groups[:found], sizes[:found], CUT_OFF, taken
    return groups[:found], sizes[:found], DONE, taken


@inner
def _candidates(
    problem: Problem, squares: Floats, place: int, size: int, shares: Floats, least: Floats, listed: Ints
) -> int:
    """Places of the order after this root that may be in a group of this size below the limit."""
    order, multipliers, near = problem.order, problem.multipliers, problem.near
    held = NONE
    for p in range(place + 1, order.size):
        v = order[p]
        shares[p] = squares[p] / size - multipliers[v] + 0.5 * near[v, size - 2] / size
        held = insert(least, held, size - 1, shares[p])
    allowance = problem.limit[order[place]] + multipliers[order[place]]
    for z in range(size - 1):
        allowance -= least[z]
    if allowance <= 0.0:
        return 0
    c = 0
    for p in range(place + 1, order.size):
        if shares[p] <= least[size - 2] + allowance:
            listed[c] = p
            c += 1
    return c


@inner
def _with_each(problem: Problem, squares: Floats, place: int, size: int, least: Floats, listed: Ints, c: int) -> int:
    """Leave out candidates with which, as second member, the least shares of the others add up to too much."""
    order, multipliers, near = problem.order, problem.multipliers, problem.near
    kept = np.zeros(c, np.bool_)
    for x in range(c):
        v = order[listed[x]]
        held = NONE
        for y in range(c):
            if y != x:
                u = order[listed[y]]
                share = (squares[listed[y]] + apart(problem.points, u, v)) / size - multipliers[u]
                if size > 2:
                    held = insert(least, held, size - 2, share + 0.5 * near[u, size - 3] / size)
        total = squares[listed[x]] / size - multipliers[v] - multipliers[order[place]]
        for z in range(held):
            total += least[z]
        kept[x] = held == size - 2 and total < problem.limit[order[place]]
    left = 0
    for x in range(c):
        if kept[x]:
            listed[left] = listed[x]
            left += 1
    return left
