"""Algorithm 1, Greedy, one iteration: each record in turn takes the cheapest that is left.

Doka, Xue, Tsoumakos, Karras 2015, section 5. A dead end is resolved by substitution among the records before it
(`repair`). All k iterations cost O(k n²).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.matching.repair import augment, substitute
from discreet.solvers.assignment import FORBIDDEN

Costs = NDArray[np.int32]
Slots = NDArray[np.int32]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
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
