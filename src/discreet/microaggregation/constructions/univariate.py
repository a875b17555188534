"""One column: the optimal partition (Hansen and Mukherjee, 2003), in O(n log k) after sorting.

Some optimal partition consists of runs of the sorted values (Domingo-Ferrer and Mateo-Sanz, 2002), so with
f(j) the least SSE of the first j values and w(i, j) the SSE of values i+1 .. j,

    f(j) = min over i in [j−2k+1, j−k] of f(i) + w(i, j):

a shortest path. The cost w satisfies the quadrangle inequality w(a,c) + w(b,d) ≤ w(a,d) + w(b,c) for a ≤ b ≤
c ≤ d, also where the entries outside the band count as infinite, so the best i never falls as j rises. For k
consecutive j all f(i) needed are known already; among them the best i is found by divide and conquer: k rows
in O(k log k).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.errors import InputError
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels


def run(call: Call) -> Outcome:
    points, k = call.problem
    varying = np.flatnonzero(np.ptp(points, axis=0) > 0)
    if len(varying) > 1:
        raise InputError(
            f"method 'univariate' works on one column and {len(varying)} columns vary: choose one, or another method"
        )
    column = points[:, varying[0] if len(varying) else 0]
    return Outcome(univariate(column, k), "univariate", "optimal")


def univariate(values: Floats, k: int) -> Labels:
    """Labels of an optimal partition of one column, groups numbered by rising value."""
    order = np.argsort(values, kind="stable")
    labels = np.empty(len(values), np.int64)
    labels[order] = _cut_sorted(np.ascontiguousarray(values[order]), k)
    return labels


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _cut_sorted(values: Floats, k: int) -> Labels:
    n = values.size
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    before = np.zeros(n + 1, np.int64)
    sums = np.zeros(3 * k + 1)
    squares = np.zeros(3 * k + 1)
    stack = np.empty((2 * 64, 4), np.int64)
    for first in range(k, n + 1, k):
        last = min(first + k - 1, n)
        # Prefix sums of this batch alone, relative to its middle: no cancellation against the whole column.
        origin = max(first - 2 * k + 1, 0)
        middle = values[(origin + last) // 2]
        for i in range(origin, last):
            v = values[i] - middle
            sums[i + 1 - origin] = sums[i - origin] + v
            squares[i + 1 - origin] = squares[i - origin] + v * v
        stack[0] = (first, last, origin, last - k)
        height = 1
        while height > 0:
            height -= 1
            top, bottom, left, right = stack[height]
            j = (top + bottom) // 2
            lo, hi = max(left, j - 2 * k + 1), min(right, j - k)
            at = -1
            # Rounding can misplace a neighbor's best i by ties; then the whole band of j is searched.
            for attempt in range(2):
                if attempt == 1:
                    lo, hi = max(0, j - 2 * k + 1), j - k
                for i in range(lo, hi + 1):
                    s = sums[j - origin] - sums[i - origin]
                    c = best[i] + (squares[j - origin] - squares[i - origin]) - s * s / (j - i)
                    if c < best[j]:
                        best[j], at = c, i
                if at >= 0:
                    break
            before[j] = at
            if top < j:
                stack[height] = (top, j - 1, left, at)
                height += 1
            if j < bottom:
                stack[height] = (j + 1, bottom, at, right)
                height += 1
    labels = np.empty(n, np.int64)
    groups, j = 0, n
    while j > 0:
        groups += 1
        j = before[j]
    j = n
    while j > 0:
        groups -= 1
        labels[before[j] : j] = groups
        j = before[j]
    return labels
