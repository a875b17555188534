"""A stable order, compiled: merge sort from short runs. Half the compile time of numpy's own sort in a kernel."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.generalization.domain import Integers

RUN = 12


@njit(cache=True, nogil=True)
def stable_order(keys: NDArray[np.generic]) -> Integers:
    """The places of the keys in rising order, equal keys in the order they stand."""
    n = keys.shape[0]
    order = np.empty(n, np.int64)
    for low in range(0, n, RUN):
        for i in range(low, min(low + RUN, n)):
            order[i] = i
        for i in range(low + 1, min(low + RUN, n)):
            x = order[i]
            j = i
            while j > low and keys[order[j - 1]] > keys[x]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = x
    merged = np.empty(n, np.int64)
    width = RUN
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            a, b = low, middle
            for q in range(low, high):
                if a < middle and (b >= high or keys[order[a]] <= keys[order[b]]):
                    merged[q] = order[a]
                    a += 1
                else:
                    merged[q] = order[b]
                    b += 1
        order, merged = merged, order
        width *= 2
    return order
