"""The assignment problem on dense square blocks: Jonker and Volgenant's shortest augmenting paths.

    minimize Σ_i cost[i, σ(i)]   over permutations σ

Duals u, v with u_i + v_j ≤ cost_ij are kept throughout and u_i + v_j = cost_ij on the assigned pairs, which proves
the result optimal. The column duals can be carried over from a similar problem: with u_i = min_j (cost_ij − v_j)
any v is feasible, and a good one leaves few rows to augment. (R. Jonker, A. Volgenant, "A shortest augmenting path
algorithm for dense and sparse linear assignment problems", Computing 38, 1987: column reduction, augmenting row
reduction, augmentation.)

Costs are whole numbers up to 2²⁴: exact, the same on every machine, and the scan of a row, branch-free over all
columns, compiles to vector instructions (the minimum of floats does not). `whole` scales real costs.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels.compile import inlined, inner

Costs = NDArray[np.int32]
Integers = NDArray[np.int32]

GREATEST = 1 << 24
"""Costs must not exceed this."""

FORBIDDEN = np.int32(1 << 27)
"""The cost of a pair that must not be used."""

FAR = np.int32(1 << 30)
CLOSED = np.int32(-(1 << 30) - (1 << 28))
_DUAL_LIMIT = np.int32(1 << 26)
_LENGTH_LIMIT = np.int32(1 << 28)


def whole(cost: NDArray[np.float64]) -> tuple[Costs, float]:
    """Real costs, 0 or more, as whole numbers, and the value of one unit."""
    top = float(cost.max(initial=0.0))
    unit = top / GREATEST if top > 0 else 1.0
    return np.rint(cost / unit).astype(np.int32), unit


@inner
def least(row: Costs, v: Costs) -> np.int32:
    low = FAR
    for j in range(row.shape[0]):
        low = min(low, np.int32(row[j] - v[j]))
    return low


@inner
def relax(row: Costs, v: Costs, base: np.int32, key: Costs, path: Integers, i: np.int32) -> np.int32:
    """Lower every key to the length of the path through row `i`; the least key."""
    low = FAR
    for j in range(row.shape[0]):
        length = np.int32(base + row[j] - v[j])
        shorter = length < key[j]
        known = length if shorter else key[j]
        key[j] = known
        path[j] = i if shorter else path[j]
        low = min(low, known)
    return low


@inner
def pick(key: Costs, low: np.int32, rank: Integers) -> np.int32:
    """The greatest rank among the columns whose key is `low`."""
    best = np.int32(-1)
    for j in range(key.shape[0]):
        candidate = rank[j] if key[j] == low else np.int32(-1)
        best = max(best, candidate)
    return best


@inner
def take_path(
    u: Costs,
    v: Costs,
    column: Integers,
    row_of: Integers,
    path: Integers,
    closed: Integers,
    length: Costs,
    count: int,
    low: np.int32,
    start: np.int32,
) -> None:
    """Adjust the duals to a shortest path of length `low` and assign along it, from its last column to row `start`.

    The search closed `count` columns, `closed`, at the lengths `length`, and ended at column `closed[count]`; row
    `path[j]` came before column j.
    """
    for q in range(count):
        u[row_of[closed[q]]] += low - length[q]
        v[closed[q]] -= low - length[q]
    j = closed[count]
    while True:
        x = path[j]
        row_of[j] = x
        column[x], j = j, column[x]
        if x == start:
            break


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def column_minima(cost: Costs, v: Costs) -> None:
    """The starting duals of a problem about which nothing is known."""
    n = cost.shape[0]
    v[:] = FAR
    for i in range(n):
        for j in range(n):
            v[j] = min(v[j], cost[i, j])


@inlined
def _row_reduction(cost: Costs, v: Costs, column: Integers, row_of: Integers) -> None:
    """Unassigned rows bid for their best column up to the second best, at most a few times each."""
    n = cost.shape[0]
    queue = np.empty(n, np.int32)
    waiting = 0
    for i in range(n):
        if column[i] < 0:
            queue[waiting] = i
            waiting += 1
    bids = 4 * waiting + 50
    while waiting > 0 and bids > 0:
        bids -= 1
        waiting -= 1
        i = queue[waiting]
        first, second = FAR, FAR
        best, next_best = -1, -1
        for j in range(n):
            reduced = np.int32(cost[i, j] - v[j])
            if reduced < second:
                if reduced < first:
                    second, next_best = first, best
                    first, best = reduced, j
                else:
                    second, next_best = reduced, j
        if next_best < 0 or second >= FORBIDDEN // 2:
            continue
        j = best
        if second > first:
            v[best] -= second - first
        elif row_of[best] >= 0:
            j = next_best
        outbid = row_of[j]
        row_of[j], column[i] = i, j
        if outbid >= 0:
            column[outbid] = -1
            if second > first:
                queue[waiting] = outbid
                waiting += 1


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def assign(cost: Costs, v: Costs, held: Integers) -> Integers:
    """Column of each row in an optimal assignment; `v` holds the starting column duals and receives the final ones.

    `held` is the column each row has so far, to stay with where that is as good as any other; empty where nothing is
    known. Where a path grows beyond what 32 bits hold, the search gives up and every row is given −1: costs and duals
    are bounded, so this takes a chain of several maximal costs that real blocks do not have.
    """
    n = cost.shape[0]
    keep = held.shape[0] == n
    u = np.empty(n, np.int32)
    column, row_of = np.empty(n, np.int32), np.empty(n, np.int32)
    for j in range(n):
        column[j] = row_of[j] = -1
        v[j] = min(max(v[j], -_DUAL_LIMIT), _DUAL_LIMIT)
    for i in range(n):
        row = cost[i]
        low = least(row, v)
        if keep and row_of[held[i]] < 0 and row[held[i]] - v[held[i]] <= low:
            column[i], row_of[held[i]] = held[i], i
            continue
        for j in range(n):
            if row_of[j] < 0 and row[j] - v[j] <= low:
                column[i], row_of[j] = j, i
                break
    if not keep:  # with carried duals few rows are left, and bidding costs more than it saves
        _row_reduction(cost, v, column, row_of)

    rank = np.empty(n, np.int32)  # a column's number, plus n while it is unassigned: those end the search
    for j in range(n):
        rank[j] = j + n if row_of[j] < 0 else j
    for i in range(n):
        u[i] = cost[i, column[i]] - v[column[i]] if column[i] >= 0 else least(cost[i], v)

    key, open_duals, length = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    path, closed = np.empty(n, np.int32), np.empty(n, np.int32)
    for start in range(n):
        if column[start] >= 0:
            continue
        for j in range(n):
            key[j], open_duals[j] = FAR, v[j]
        x, low, count = np.int32(start), np.int32(0), 0
        while True:
            low = relax(cost[x], open_duals, np.int32(low - u[x]), key, path, x)
            if low > _LENGTH_LIMIT:
                column[:] = -1
                return column
            picked = pick(key, low, rank)
            if picked >= n:
                closed[count] = picked - n
                break
            closed[count], length[count] = picked, low
            count += 1
            key[picked], open_duals[picked] = FAR, CLOSED
            x = row_of[picked]
        rank[closed[count]] = closed[count]
        u[start] += low
        take_path(u, v, column, row_of, path, closed, length, np.int64(count), low, np.int32(start))
    return column
