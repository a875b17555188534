"""What single relations say about hidden cells, repeated until none says more.

In moves f = y - a every relation reads Σ sign · f = 0 over its hidden cells, so that

    sign_j f_j = -Σ_{i≠j} sign_i f_i   ≤   -Σ_{i≠j} (least of sign_i f_i)

and likewise from below. Signs are ±1: whole boxes stay whole, and every narrowing is a bound that the linear program
has too. Rows whose cells did not change since they were read are not read again.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tabular.problem import Codes, Ints

# Boxes can creep; what is left after so many sweeps is for the linear programs.
SWEEPS = 100


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def propagate(start: Ints, column: Ints, sign: Codes, low: Ints, high: Ints, sweeps: int) -> int:
    """Narrow `low` and `high` in place; returns how often, or -1 where the boxes contradict a relation."""
    rows = start.size - 1
    stamp = np.zeros(low.size, np.int64)  # the sweep in which a column changed last
    seen = np.full(rows, -1, np.int64)
    narrowed = 0
    for sweep in range(1, sweeps + 1):
        changed = False
        for r in range(rows):
            fresh = seen[r] < 0
            for t in range(start[r], start[r + 1]):
                if stamp[column[t]] >= seen[r]:
                    fresh = True
                    break
            if not fresh:
                continue
            seen[r] = sweep
            least = most = 0
            for t in range(start[r], start[r + 1]):
                j = column[t]
                least += low[j] if sign[t] > 0 else -high[j]
                most += high[j] if sign[t] > 0 else -low[j]
            if least > 0 or most < 0:
                return -1
            for t in range(start[r], start[r + 1]):
                j = column[t]
                own_least = low[j] if sign[t] > 0 else -high[j]
                own_most = high[j] if sign[t] > 0 else -low[j]
                top = min(own_most, own_least - least)
                bottom = max(own_least, own_most - most)
                if top < own_most or bottom > own_least:
                    least += bottom - own_least
                    most += top - own_most
                    low[j] = bottom if sign[t] > 0 else -top
                    high[j] = top if sign[t] > 0 else -bottom
                    stamp[j] = sweep
                    narrowed += 1
                    changed = True
        if not changed:
            break
    return narrowed


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def connect(start: Ints, column: Ints, low: Ints, high: Ints) -> NDArray[np.int64]:
    """The component of each column, numbered in order of their first columns; -1 for columns that cannot move."""
    n = low.size
    root = np.arange(n)
    for r in range(start.size - 1):
        first = -1
        for t in range(start[r], start[r + 1]):
            j = column[t]
            if low[j] == high[j]:
                continue
            while root[j] != j:
                root[j] = root[root[j]]
                j = root[j]
            if first < 0:
                first = j
            elif j != first:
                root[max(first, j)] = min(first, j)
                first = min(first, j)
    found = np.full(n, -1, np.int64)
    count = 0
    for i in range(n):
        if low[i] == high[i]:
            continue
        j = i
        while root[j] != j:
            j = root[j]
        if j == i:
            found[i] = count
            count += 1
        else:
            found[i] = found[j]
    return found
