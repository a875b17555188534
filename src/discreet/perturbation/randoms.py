"""Random numbers that are a secret: whoever repeats them takes a perturbation back.

Rank swapping under a known seed is undone to the last value (the published values, sorted, and the order of the swaps
are all it takes), and noise is subtracted. So the numbers come from SHAKE-256 (FIPS 202) under a key of 256 bits that
the operating system supplies; under a key made of a seed they can be repeated, by anyone who knows or guesses the seed.

    words = SHAKE-256(key ‖ purpose), 64 bits each      uniform = ⌊word / 2¹¹⌋ / 2⁵³      normal = Φ⁻¹(uniform + 2⁻⁵⁴)

Each purpose has numbers of its own: what happens to one column does not depend on which others are perturbed.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Randoms:
    """Random numbers of one key, by purpose."""

    key: bytes = field(repr=False)

    @staticmethod
    def of(seed: int | None) -> Randoms:
        """Keyed by the operating system or, where a seed is given, by the seed."""
        if seed is None:
            return Randoms(secrets.token_bytes(32))
        return Randoms(hashlib.sha256(f"discreet perturbation {seed}".encode()).digest())

    def words(self, purpose: str, n: int) -> Words:
        stream = hashlib.shake_256(self.key + purpose.encode()).digest(8 * n)
        return np.frombuffer(stream, "<u8").astype(np.uint64, copy=False)

    def uniform(self, purpose: str, n: int) -> Floats:
        """Numbers in [0, 1), multiples of 2⁻⁵³."""
        return (self.words(purpose, n) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def normal(self, purpose: str, n: int) -> Floats:
        """Standard normal numbers."""
        from scipy.special import ndtri

        return np.asarray(ndtri(self.uniform(purpose, n) + 2.0**-54), np.float64)

    def order(self, purpose: str, n: int) -> Codes:
        """The numbers 0 … n−1 in random order."""
        return np.argsort(self.words(purpose, n), kind="stable")
