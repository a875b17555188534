"""Algorithm 2, SortGreedy, one iteration: the cheapest pair of all is taken first.

Doka, Xue, Tsoumakos, Karras 2015, section 6. Pairs are sorted by cost and taken where both ends are free; what stays
unmatched is resolved by substitution, among records on either side (`repair`). All k iterations cost O(k n² log n).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.matching.repair import augment, substitute
from discreet.kernels.sorting import stable_order
from discreet.solvers.assignment import FORBIDDEN

Costs = NDArray[np.int32]
Slots = NDArray[np.int32]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
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
