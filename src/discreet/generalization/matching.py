"""k disjoint perfect matchings, one after another (seed paper, sections 5-7).

Record i starts matched with itself. In each of k − 1 iterations every record receives one more record, all of them
different (a perfect matching), the cost of a pair being what the newcomer adds to the box of those already there:

    greedy       each record in turn takes the cheapest that is left; a dead end is resolved by substitution
    sort-greedy  the cheapest pair of all first; what stays unmatched is resolved the same way
    hungarian    the cheapest perfect matching

Where substitution fails (it always succeeds while k is small against the block, Theorem 5.2), the iteration is
completed along an augmenting path, which exists because what is left is a regular graph (König).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import Scratch, block_of, fill_exact, fill_row, forget, scratch
from discreet.generalization.domain import Codes, Integers, Tables
from discreet.generalization.sorting import stable_order
from discreet.solvers.assignment import FORBIDDEN, assign, column_minima

Costs = NDArray[np.int32]
Slots = NDArray[np.int32]


@njit(cache=True, nogil=True)
def added_costs(t: Tables, s: Scratch, codes: Codes, slots: Slots, m: int, out: Costs) -> None:
    """`out[i, j]`: what record j adds to the box of record i's first `m` matches; forbidden where already matched."""
    b, d = codes.shape
    block = block_of(t, s, codes)
    members = np.empty((m, d), np.int32)
    for i in range(b):
        for r in range(m):
            for a in range(d):
                members[r, a] = codes[slots[i, r], a]
        fill_exact(t, s, block, members, m, block.exact)
        fill_row(block, t.scale, out[i])
        for r in range(m):
            out[i, slots[i, r]] = FORBIDDEN
    forget(s, block)


@njit(cache=True, nogil=True)
def substitute(cost: Costs, column: Slots, row_of: Slots, i: int, outward: bool) -> bool:
    """Give row `i` a column by handing its owner another one; predecessors from the nearest back, or both ways."""
    n = cost.shape[0]
    for away in range(1, n):
        for sign in range(2 if outward else 1):
            y = i - away if sign == 0 else i + away
            if y < 0 or y >= n or column[y] < 0 or cost[i, column[y]] >= FORBIDDEN:
                continue
            for j in range(n):
                if row_of[j] < 0 and cost[y, j] < FORBIDDEN:
                    freed = column[y]
                    column[y], row_of[j] = j, y
                    column[i], row_of[freed] = freed, i
                    return True
    return False


@njit(cache=True, nogil=True)
def augment(cost: Costs, column: Slots, row_of: Slots, start: int) -> bool:
    """Give row `start` a column along an alternating path, breadth first."""
    n = cost.shape[0]
    came = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int32)
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        i = queue[head]
        head += 1
        for j in range(n):
            if came[j] >= 0 or cost[i, j] >= FORBIDDEN:
                continue
            came[j] = i
            if row_of[j] >= 0:
                queue[tail] = row_of[j]
                tail += 1
                continue
            while True:
                owner = came[j]
                row_of[j] = owner
                column[owner], j = j, column[owner]
                if owner == start:
                    return True
    return False


def cheapest_matching(cost: Costs) -> Slots:
    dual = np.empty(cost.shape[0], np.int32)
    column_minima(cost, dual)
    return assign(cost, dual, np.empty(0, np.int32))


@njit(cache=True, nogil=True)
def greedy_matching(cost: Costs) -> Slots:
    n = cost.shape[0]
    column, row_of = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    for i in range(n):
        best, least = -1, FORBIDDEN
        for j in range(n):
            if row_of[j] < 0 and cost[i, j] < least:
                best, least = j, cost[i, j]
        if best >= 0:
            column[i], row_of[best] = best, i
        elif not substitute(cost, column, row_of, i, False):
            augment(cost, column, row_of, i)
    return column


@njit(cache=True, nogil=True)
def sort_greedy_matching(cost: Costs) -> Slots:
    n = cost.shape[0]
    column, row_of = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    order = stable_order(cost.ravel())
    left = n
    for pair in order:
        i, j = pair // n, pair % n
        if cost[i, j] >= FORBIDDEN or left == 0:
            break
        if column[i] < 0 and row_of[j] < 0:
            column[i], row_of[j] = j, i
            left -= 1
    for i in range(n):
        if column[i] < 0 and not substitute(cost, column, row_of, i, True):
            augment(cost, column, row_of, i)
    return column


def match_blocks(t: Tables, codes: Codes, ends: Integers, k: int, rule: str) -> Slots:
    """Matches of every record, numbered within its block; blocks are rows ends[b] … ends[b + 1] of `codes`.

    Not compiled itself: kernels are compiled one by one, and only those of the rule.
    """
    slots = np.empty((codes.shape[0], k), np.int32)
    s = scratch(int(t.start[-1]))
    for low, high in pairwise(ends.tolist()):
        inside, mine = codes[low:high], slots[low:high]
        mine[:, 0] = np.arange(high - low)
        cost = np.empty((high - low, high - low), np.int32)
        for m in range(1, k):
            added_costs(t, s, inside, mine, m, cost)
            mine[:, m] = RULES[rule](cost)
    return slots


RULES: dict[str, Callable[[Costs], Slots]] = {
    "greedy": greedy_matching,
    "sort-greedy": sort_greedy_matching,
    "hungarian": cheapest_matching,
}
