"""k = 2 solved to the optimum: one assignment problem over all records.

With k = 2 every record covers itself and one partner, and partners form a permutation without fixed points. The loss
of a box is then the cost of a pair, and the least loss is an assignment problem, solved by the shortest augmenting
paths of `solvers/assignment.py` with rows that are computed when they are scanned: memory grows with n, not n². The
column duals are prices that prove the optimum (`bound/lower_bound.py`).
"""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.boxes import Block, Scratch, block_of, fill_exact, fill_row, scratch
from discreet.generalization.domain import Codes, Domain, Integers, Tables
from discreet.generalization.travel import call
from discreet.kernels.compile import inner
from discreet.scale import ordered_map
from discreet.solvers.assignment import CLOSED, FAR, FORBIDDEN, least, pick, relax, take_path
from discreet.work import Deadline, Reporter

Costs = NDArray[np.int32]


@inner
def _row(t: Tables, s: Scratch, block: Block, codes: Codes, i: int, out: Costs) -> None:
    fill_exact(t, s, block, codes[i : i + 1], 1, block.exact)
    fill_row(block, t.scale, out)
    out[i] = FORBIDDEN


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def settle(t: Tables, codes: Codes, v: Costs, partner: Costs, first: int, last: int) -> tuple[Costs, Costs]:
    """Row duals of rows first … last−1 under column duals `v`; the partner is −1 where it is not among the best."""
    s = scratch(t.start[-1])
    block = block_of(t, s, codes)
    row = np.empty(codes.shape[0], np.int32)
    u, kept = np.empty(last - first, np.int32), np.empty(last - first, np.int32)
    for i in range(first, last):
        _row(t, s, block, codes, i, row)
        u[i - first] = least(row, v)
        held = partner[i] >= 0 and row[partner[i]] - v[partner[i]] <= u[i - first]
        kept[i - first] = partner[i] if held else -1
    return u, kept


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def best_partners(
    t: Tables, codes: Codes, v: Costs, column: Costs, row_of: Costs, u: Costs, first: int, last: int
) -> int:
    """Rows first … last−1 take a column that is best for them, or are augmented; how many rows were scanned.

    Called with growing ranges: after the last one `column` is optimal. Rows before `first` must be assigned.
    """
    n = codes.shape[0]
    s = scratch(t.start[-1])
    block = block_of(t, s, codes)
    row = np.empty(n, np.int32)
    key, open_duals = np.empty(n, np.int32), np.empty(n, np.int32)
    path, rank = np.empty(n, np.int32), np.empty(n, np.int32)
    closed, length = np.empty(n, np.int32), np.empty(n, np.int32)
    for j in range(n):
        rank[j] = j + n if row_of[j] < 0 else j
    scans = 0
    for start in range(first, last):
        if column[start] >= 0:
            continue
        _row(t, s, block, codes, start, row)
        scans += 1
        u[start] = least(row, v)
        for j in range(n):
            key[j], open_duals[j] = FAR, v[j]
        x, low, count = np.int32(start), np.int32(0), 0
        while True:
            if count > 0:
                _row(t, s, block, codes, x, row)
                scans += 1
            low = relax(row, open_duals, np.int32(low - u[x]), key, path, x)
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
    return scans


def optimal_pairs(
    domain: Domain, matches: Integers, price: Costs, pool: Executor, deadline: Deadline, report: Reporter
) -> bool:
    """Make the pairs in `matches` optimal, in place, and `price` their proof; False where the deadline came first."""
    n, t, codes = domain.n, domain.tables, domain.codes
    dual = -price
    partner = matches[:, 1].astype(np.int32)
    step = max(1, n // 32)
    starts = range(0, n, step)
    work = ((settle, t, codes, dual, partner, a, min(a + step, n)) for a in starts)
    settled = list(ordered_map(pool, call, work))
    u, column = np.concatenate([s[0] for s in settled]), np.concatenate([s[1] for s in settled])
    row_of = np.full(n, -1, np.int32)
    row_of[column[column >= 0]] = np.flatnonzero(column >= 0)
    for a in starts:
        if deadline.passed:
            return False
        report("pairs", a / n)
        best_partners(t, codes, dual, column, row_of, u, a, min(a + step, n))
    matches[:, 1] = column
    price[:] = -dual
    return True
