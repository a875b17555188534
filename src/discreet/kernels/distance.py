"""Squared Euclidean distance, coordinate after coordinate: the same to the last bit wherever it is called."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compile import unchecked

Floats = NDArray[np.float64]


@unchecked
def between(a: Floats, b: Floats) -> float:
    """Σ (aₗ − bₗ)² of two points."""
    s = 0.0
    for l in range(a.size):
        t = a[l] - b[l]
        s += t * t
    return s
