"""Random numbers inside compiled loops: SplitMix64 on a state that the caller owns.

The state is an array with one uint64, so that results depend on the seed alone, on any thread.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Random = NDArray[np.uint64]


def seeded(seed: int) -> Random:
    return np.array([seed & 0xFFFFFFFFFFFFFFFF], np.uint64)


@njit(cache=True, nogil=True)
def draw(state: Random) -> float:
    """A number in [0, 1)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * 1.1102230246251565e-16


@njit(cache=True, nogil=True)
def below(state: Random, n: int) -> int:
    """A whole number 0 … n−1."""
    return int(draw(state) * n)
