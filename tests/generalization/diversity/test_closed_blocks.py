from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.generalization.diversity.closed_blocks import shortfalls


def _seen(matchings: np.ndarray, values: np.ndarray) -> list[int]:
    """By definition: for each draw, the distinct values shown by the records that may be a person's."""
    k, n = matchings.shape
    found = []
    for shown in matchings:
        for person in range(n):
            holders = [i for s in range(k) for i in range(n) if matchings[s, i] == person]
            found.append(len({values[shown[i]] for i in holders} - {-1}))
    return found


@settings(max_examples=20, deadline=None)
@given(n=st.integers(8, 30), k=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_shortfalls_are_counted_as_defined(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matchings = np.stack([rng.permutation(n) for _ in range(k)])
    values = rng.integers(-1, 3, n)  # −1: missing, which is no value
    counts = _seen(matchings, values)
    for l in range(1, k + 1):
        assert shortfalls(matchings, np.argsort(matchings, axis=1), values, l) == sum(count < l for count in counts)
