"""Files in the same order are found, shuffled ones too."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.utility.columns import plain_categories, plain_numbers
from discreet.measure.utility.pairing import same_order


def test_noise_keeps_the_order_and_a_shuffle_does_not() -> None:
    rng = np.random.default_rng(0)
    x, c = rng.normal(size=400), rng.integers(0, 3, 400)
    original = [plain_numbers(x), plain_categories(c, 3)]
    for noise in (0.0, 0.1, 1.0):
        assert same_order(original, [plain_numbers(x + noise * rng.normal(size=400)), original[1]], seed=0)
    found = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(400)
        found.append(same_order(original, [plain_numbers(x[order]), plain_categories(c[order], 3)], seed=seed))
    assert not any(found)


def test_where_the_order_makes_no_difference() -> None:
    x = plain_numbers(np.arange(30.0))
    assert same_order([x], [plain_numbers(np.full(30, 14.5))], seed=1)
    same = plain_categories(np.zeros(5, np.int64), 1)
    assert same_order([same], [same], seed=1)


@pytest.mark.parametrize("shift", [0.0, 5.0])
def test_one_row_is_in_order(shift: float) -> None:
    assert same_order([plain_numbers(np.array([1.0]))], [plain_numbers(np.array([1.0 + shift]))], seed=0)
