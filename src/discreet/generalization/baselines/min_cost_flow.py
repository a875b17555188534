"""Minimum-cost flow: k matchings of least total distance (the seed paper's `minCostFlow`).

Each record sends k units and receives k, one at most along each pair, the own pair fixed; the cost of a pair is the
loss of the box over the two records alone. That sum is not the loss of the boxes over all k, which is why a solver's
optimum here is no optimum of the problem: the method is a baseline.

Successive shortest paths on the dense block: every unit is sent along a shortest path by reduced costs (Dijkstra with
potentials), forward along unused pairs and backward along used ones.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.blockwise import matched
from discreet.generalization.boxes import block_of, fill_exact, fill_row, forget, scratch
from discreet.generalization.domain import Codes, Integers, Tables
from discreet.generalization.methods import Call, Outcome

FAR = np.int64(1) << 60


def run(call: Call) -> Outcome:
    return matched(call, "min-cost-flow", flow_blocks)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def k_regular(cost: NDArray[np.int32], k: int) -> NDArray[np.bool_]:
    """Pairs of a k-regular graph of least total cost that holds every own pair."""
    n = cost.shape[0]
    used = np.zeros((n, n), np.bool_)
    for i in range(n):
        used[i, i] = True
    supply, demand = np.full(n, k - 1, np.int64), np.full(n, k - 1, np.int64)
    row_price, column_price = np.zeros(n, np.int64), np.zeros(n, np.int64)
    column_distance, row_distance = np.empty(n, np.int64), np.empty(n, np.int64)
    from_row, from_column = np.empty(n, np.int64), np.empty(n, np.int64)
    row_done, column_done = np.empty(n, np.bool_), np.empty(n, np.bool_)
    for source in range(n):
        while supply[source] > 0:
            column_distance[:] = FAR
            row_distance[:] = FAR
            row_done[:] = False
            column_done[:] = False
            row_distance[source] = 0
            from_column[source] = -1
            i, sink = source, -1
            while sink < 0:
                row_done[i] = True
                base = row_distance[i] + row_price[i]
                for j in range(n):
                    if not used[i, j] and not column_done[j]:
                        length = base + cost[i, j] - column_price[j]
                        if length < column_distance[j]:
                            column_distance[j], from_row[j] = length, i
                # Close columns until one has demand or leads back to a new row.
                while True:
                    best, j = FAR, -1
                    for c in range(n):
                        if not column_done[c] and column_distance[c] < best:
                            best, j = column_distance[c], c
                    nearest, r = FAR, -1
                    for q in range(n):
                        if not row_done[q] and row_distance[q] < nearest:
                            nearest, r = row_distance[q], q
                    if r >= 0 and nearest <= best:
                        i = r
                        break
                    column_done[j] = True
                    if demand[j] > 0:
                        sink = j
                        break
                    for q in range(n):
                        if used[q, j] and q != j and not row_done[q]:
                            length = best + column_price[j] - cost[q, j] - row_price[q]
                            if length < row_distance[q]:
                                row_distance[q], from_column[q] = length, j
            length = column_distance[sink]
            for q in range(n):
                row_price[q] += min(row_distance[q], length)
                column_price[q] += min(column_distance[q], length)
            j = sink
            while True:
                i = from_row[j]
                used[i, j] = True
                j = from_column[i]
                if j < 0:
                    break
                used[i, j] = False
            supply[source] -= 1
            demand[sink] -= 1
    return used


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def flow_blocks(t: Tables, codes: Codes, ends: Integers, k: int) -> NDArray[np.int32]:
    """Matches of every record, numbered within its block, by minimum-cost flow in each block."""
    slots = np.empty((codes.shape[0], k), np.int32)
    s = scratch(t.start[-1])
    for b in range(ends.shape[0] - 1):
        inside = codes[ends[b] : ends[b + 1]]
        size = inside.shape[0]
        cost = np.empty((size, size), np.int32)
        block = block_of(t, s, inside)
        for i in range(size):
            fill_exact(t, s, block, inside[i : i + 1], 1, block.exact)
            fill_row(block, t.scale, cost[i])
        forget(s, block)
        used = k_regular(cost, k)
        for i in range(size):
            slots[ends[b] + i, 0] = i
            m = 1
            for j in range(size):
                if used[i, j] and j != i:
                    slots[ends[b] + i, m] = j
                    m += 1
    return slots
