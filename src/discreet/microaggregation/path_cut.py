"""Cutting a path or a tour of records into groups of k .. 2k−1 with least SSE (Hansen and Mukherjee, 2003).

`cut_path` is MHM, the optimum among partitions into runs of the path: a shortest path over cuts with the SSE
of each run as its length. `cut_tour` is Tour2Assignment (Mortazavi and Jalili, 2015, Algorithm 5): the path
closes to a tour, and since each of its groups has at most 2k−1 records, one of the first 2k−1 places holds a
cut; every one is tried.

The SSE of runs is built up one record at a time, the mean along with it:
    SSE(run + x) = SSE(run) + m/(m+1)·|x − mean|²,   mean := mean + (x − mean)/(m+1).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.microaggregation.problem import Floats, Labels


@unchecked
def run_costs(points: Floats, order: Labels, k: int) -> Floats:
    """cost[i, m−k]: SSE of the m records from place i on, around the end of the tour, for m = k .. 2k−1."""
    n, d = points.shape
    cost = np.empty((n, k))
    mean = np.empty(d)
    for i in range(n):
        mean[:] = points[order[i]]
        s = 0.0
        if k == 1:
            cost[i, 0] = 0.0
        for m in range(1, 2 * k - 1):
            x = order[(i + m) % n]
            t = 0.0
            for l in range(d):
                e = points[x, l] - mean[l]
                t += e * e
                mean[l] += e / (m + 1)
            s += t * m / (m + 1)
            if m + 1 >= k:
                cost[i, m + 1 - k] = s
    return cost


@unchecked
def _shortest(cost: Floats, k: int, start: int, best: Floats, length: Labels) -> float:
    """Least SSE of a partition into runs with a cut before place `start`; `length[j]` is the last run of
    the first j."""
    n = cost.shape[0]
    best[0] = 0.0
    for j in range(1, n + 1):
        best[j] = np.inf
        for m in range(k, min(2 * k - 1, j) + 1):
            c = best[j - m] + cost[(start + j - m) % n, m - k]
            if c < best[j]:
                best[j], length[j] = c, m
    return float(best[n])


@unchecked
def _labels(order: Labels, start: int, length: Labels) -> Labels:
    n = order.size
    labels = np.empty(n, np.int64)
    groups, j = 0, n
    while j > 0:
        m = length[j]
        for a in range(j - m, j):
            labels[order[(start + a) % n]] = groups
        groups += 1
        j -= m
    return labels


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def cut_path(points: Floats, order: Labels, k: int) -> Labels:
    n = order.size
    best, length = np.empty(n + 1), np.zeros(n + 1, np.int64)
    _shortest(run_costs(points, order, k), k, 0, best, length)
    return _labels(order, 0, length)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def cut_tour(points: Floats, order: Labels, k: int) -> tuple[Labels, float]:
    """The labels and their SSE. The path itself is one of the rotations: never worse than `cut_path`."""
    n = order.size
    cost = run_costs(points, order, k)
    best, length = np.empty(n + 1), np.zeros(n + 1, np.int64)
    least, start, chosen = np.inf, 0, length.copy()
    for s in range(min(2 * k - 1, n)):
        c = _shortest(cost, k, s, best, length)
        if c < least:
            least, start = c, s
            chosen[:] = length
    return _labels(order, start, chosen), least
