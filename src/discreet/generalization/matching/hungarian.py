"""The Hungarian-based algorithm, one iteration: the cheapest perfect matching.

Doka, Xue, Tsoumakos, Karras 2015, section 7. The assignment problem is solved exactly, by shortest augmenting paths
(`solvers/assignment.py`). All k iterations cost O(k n³). To receive one more match is an exchange in which everybody
gives up an empty place, which any record may fill: the kernel is that of `reassignment.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.generalization.domain import Codes, Integers, Tables
from discreet.generalization.reassignment import NO_EXTRA, NO_PRICES, exchange

Slots = NDArray[np.int32]


def cheapest_matching(t: Tables, codes: Codes, slots: Slots) -> Integers:
    """The next match of every record of a block, after those in `slots`."""
    n, m = slots.shape
    ids = np.column_stack([slots, np.arange(n)])
    return exchange(t, ids, codes[ids], NO_PRICES, np.full(n, m), np.array([0, n]), NO_EXTRA)[0]
