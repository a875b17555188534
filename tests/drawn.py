"""Points that methods of microaggregation are tried on, and cases for hypothesis to draw."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

# k, records, columns and seed: at least two groups.
cases = st.tuples(st.integers(2, 5), st.integers(4, 26), st.integers(1, 3), st.integers(0, 2**31)).filter(
    lambda case: case[1] >= 2 * case[0]
)


def scattered(n: int, d: int, seed: int) -> np.ndarray:
    """One normal cloud: no two distances are the same."""
    return np.random.default_rng(seed).normal(size=(n, d))


def clouds(n: int, d: int, seed: int) -> np.ndarray:
    """Five narrow clouds."""
    random = np.random.default_rng(seed)
    return random.normal(size=(5, d))[random.integers(0, 5, n)] + 0.3 * random.normal(size=(n, d))
