"""Squared distances: what numpy says, and the same from both ends."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import scattered
from entries import entry

from discreet.kernels.distance import between as kernel

between = entry(kernel)


@pytest.mark.parametrize("d", [1, 3, 8])
def test_it_is_the_sum_of_squared_differences_and_the_same_from_both_ends(d: int) -> None:
    points = scattered(12, d, seed=d)
    for a in points:
        for b in points:
            assert between(a, b) == pytest.approx(float(np.square(a - b).sum()), rel=1e-14)
            assert between(a, b) == between(b, a)
    assert between(points[0], points[0]) == 0.0


def test_coordinates_are_added_in_their_order() -> None:
    """In floating point another order gives another sum: what is far less is lost only after what is large."""
    small, large = np.array([1.0, 1.0, 1e8]), np.array([1e8, 1.0, 1.0])
    zero = np.zeros(3)
    assert between(small, zero) == 2.0 + 1e16
    assert between(large, zero) == (1e16 + 1.0) + 1.0 != between(small, zero)
