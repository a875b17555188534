"""Dead ends of the greedy algorithms resolved (Doka, Xue, Tsoumakos, Karras 2015, Lemma 5.1 and Theorem 5.2).

A record for which no free record is left takes that of another, which takes a free one instead. That always succeeds
while k is small against the block (Theorem 5.2). Where it fails, the iteration is completed along an augmenting path,
which exists because what is left is a regular graph (König).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.solvers.assignment import FORBIDDEN

Costs = NDArray[np.int32]
Slots = NDArray[np.int32]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
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


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
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
