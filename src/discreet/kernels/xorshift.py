"""xorshift64* inside compiled loops: a multiplication and three shifts a draw, from a state of one word.

    x ← x ⊕ (x ≫ 12),  x ← x ⊕ (x ≪ 25),  x ← x ⊕ (x ≫ 27),  out goes 2685821657736338717·x

(Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016). Results depend on the seed
alone, on any thread. Not fit for secrets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compile import inner

Random = NDArray[np.uint64]

_WORD = 0xFFFFFFFFFFFFFFFF


def seeded(seed: int) -> Random:
    """The state at a seed; seeds that follow one another are scattered by SplitMix64."""
    z = (seed + 0x9E3779B97F4A7C15) & _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return np.array([(z ^ (z >> 31)) | 1], np.uint64)


@inner
def draw(random: Random) -> np.uint64:
    """The next 64 random bits."""
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    return x * np.uint64(2685821657736338717)


@inner
def below(random: Random, n: int) -> int:
    """A whole number 0 .. n−1, from the upper half of a draw; n is below 2³²."""
    return np.int64(((draw(random) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]
