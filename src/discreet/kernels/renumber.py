"""Labels 0 … g−1 in the order in which groups first appear: partitions that are the same look the same."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Labels = NDArray[np.int64]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def renumber(labels: Labels) -> Labels:
    """Each label, none negative, gives way to the number of labels that appeared before it; in the same integers."""
    most = 0
    for x in range(labels.size):
        most = max(most, labels[x])
    name = np.full(most + 1, -1, labels.dtype)
    out = np.empty_like(labels)
    groups = 0
    for x in range(labels.size):
        if name[labels[x]] < 0:
            name[labels[x]] = groups
            groups += 1
        out[x] = name[labels[x]]
    return out
