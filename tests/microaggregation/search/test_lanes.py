from __future__ import annotations

import numpy as np
import pytest
from entries import entry
from hypothesis import given
from hypothesis import strategies as st

from discreet.microaggregation.search import moves
from discreet.microaggregation.search.moves import padded

squared = entry(moves.squared)


@given(st.integers(1, 21), st.integers(0, 2**32 - 1))
def test_lanes_add_up_in_the_stated_order(d: int, seed: int) -> None:
    a, b = (padded(np.random.default_rng([seed, i]).normal(size=(4, d)) * 10.0**i) for i in range(2))
    for i in range(4):
        for j in range(4):
            lanes = [0.0] * 4
            for l, t in enumerate(a[i] - b[j]):
                lanes[l % 4] += t * t
            assert squared(a, i, b, j) == (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    assert squared(a, 0, b, 1) == pytest.approx(np.square(a[0] - b[1]).sum(), rel=1e-12)
