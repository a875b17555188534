"""Random numbers inside compiled loops, from a state of one word that the caller owns.

Results depend on the seed alone, on any thread. SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
generators", 2014): z ← z + γ, and a mix of z goes out. Not fit for secrets.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels.compile import inner

Random = NDArray[np.uint64]


def seeded(seed: int) -> Random:
    """The state of SplitMix64 at a seed."""
    return np.array([seed & 0xFFFFFFFFFFFFFFFF], np.uint64)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def next_random(state: Random) -> np.uint64:
    """SplitMix64: the next 64 random bits."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner
def uniform(state: Random) -> float:
    """A number in [0, 1), a multiple of 2⁻⁵³."""
    return float(next_random(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inner
def below(state: Random, n: int) -> int:
    """A whole number in 0 … n−1, the remainder of 64 bits; the bias is below n / 2⁶⁴."""
    return int(next_random(state) % np.uint64(n))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def scaled_below(state: Random, n: int) -> int:
    """A whole number in 0 … n−1, ⌊n · u⌋ of a uniform u: no division; the bias is below n / 2⁵³."""
    return int(uniform(state) * n)
