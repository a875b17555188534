"""How unlikely a finding is if a column has nothing to do with people: bounds on −ln of its probability.

Chernoff: among n trials of chance q a share a > q or more succeed with probability at most exp(−n·D(a‖q)), where
D(a‖q) = a·ln(a/q) + (1−a)·ln((1−a)/(1−q)). A Poisson number of mean λ is x < λ or less with probability at most
exp(−(λ − x + x·ln(x/λ))).
"""

from __future__ import annotations

from math import exp, inf, log, log1p

import numpy as np

from discreet.verify.other_columns import CHANCE


def surprising(surprise: float, tests: int = 1) -> bool:
    """Whether a finding of probability exp(−surprise) in one of so many tests is beyond chance."""
    return surprise > CHANCE + log(max(tests, 1))


def divergence(share: float, chance: float) -> float:
    """D(share‖chance), 0 where the share is not above chance."""
    if share <= chance or chance >= 1.0:
        return 0.0
    chance = max(chance, 1e-12)
    first = share * log(share / chance)
    return first if share >= 1.0 else first + (1.0 - share) * log((1.0 - share) / (1.0 - chance))


def all_differ(n: int, room: float) -> float:
    """−ln of the chance that n values drawn from `room` equally likely ones all differ: −Σ ln(1 − i/room)."""
    if n < 2:
        return 0.0
    if room < n:
        return inf
    return float(-np.log1p(-np.arange(n, dtype=np.float64) / room).sum())


def few_repeated(n: int, repeated: int, room: float) -> float:
    """−ln of the chance that at most `repeated` of n values drawn from `room` equally likely ones occurred before."""
    if repeated == 0:
        return all_differ(n, room)
    expected = n - room * (1.0 - exp(n * log1p(-1.0 / room))) if room > 1.0 else n - 1.0
    return _few(repeated, expected)


def few_unused(n: int, used: int, room: int) -> float:
    """−ln of the chance that n values drawn from `room` equally likely ones leave no more unused than these do."""
    if room < 2:
        return 0.0
    return _few(room - used, room * exp(n * log1p(-1.0 / room)))


def _few(found: int, expected: float) -> float:
    if found >= expected:
        return 0.0
    return expected if found == 0 else expected - found + found * log(found / expected)
