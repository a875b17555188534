"""Slow, obvious twins of the probabilities of pairs: all permutations, one after another."""

from __future__ import annotations

import itertools

import numpy as np


def pair_shares(fits: np.ndarray) -> np.ndarray:
    """The share of perfect matchings that hold each pair: `fits[r, p]`, whether person p fits row r."""
    n = fits.shape[0]
    found, count = np.zeros((n, n)), 0
    for permutation in itertools.permutations(range(n)):
        if all(fits[r, p] for r, p in enumerate(permutation)):
            found[np.arange(n), list(permutation)] += 1
            count += 1
    return found / count


def random_fits(n: int, rng: np.random.Generator) -> np.ndarray:
    """A random graph with a perfect matching: sparse or dense, of intervals, or with equal rows and people."""
    kind = rng.integers(4)
    fits = rng.random((n, n)) < rng.choice([0.2, 0.4, 0.7])
    if kind == 1:
        place, low = np.arange(n)[None, :], rng.integers(0, n, (n, 1))
        fits = (place >= low) & (place <= low + rng.integers(0, n, (n, 1)))
    elif kind == 2:
        fits = fits[rng.integers(0, n, n) // 2][:, rng.integers(0, n, n) // 2]
    elif kind == 3:
        half = n // 2
        fits[:half, half:] = False
    fits[np.arange(n), rng.permutation(n) if kind != 3 else np.arange(n)] = True
    return fits
