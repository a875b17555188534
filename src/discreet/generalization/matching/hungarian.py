"""The Hungarian-based algorithm, one iteration: the cheapest perfect matching.

Doka, Xue, Tsoumakos, Karras 2015, section 7. The assignment problem is solved exactly, by shortest augmenting paths
(`solvers/assignment.py`). All k iterations cost O(k n³).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.solvers.assignment import assign, column_minima

Costs = NDArray[np.int32]
Slots = NDArray[np.int32]


def cheapest_matching(cost: Costs) -> Slots:
    dual = np.empty(cost.shape[0], np.int32)
    column_minima(cost, dual)
    return assign(cost, dual, np.empty(0, np.int32))
