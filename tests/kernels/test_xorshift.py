from __future__ import annotations

from itertools import pairwise

import numpy as np
from entries import entry
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels import xorshift

WORD = 2**64 - 1
draw, below = entry(xorshift.draw), entry(xorshift.below)


def twin(x: int) -> tuple[int, int]:
    """The state after a draw and what is drawn, in whole numbers of any size."""
    x ^= x >> 12
    x = (x ^ (x << 25)) & WORD
    x ^= x >> 27
    return x, (x * 2685821657736338717) & WORD


@given(st.integers(0, 2**62), st.integers(1, 2**32 - 1))
def test_draws_are_those_of_the_formula(seed: int, n: int) -> None:
    random = xorshift.seeded(seed)
    state = int(random[0])
    for _ in range(3):
        state, expected = twin(state)
        assert draw(random) == expected
        assert int(random[0]) == state
        state, bits = twin(state)
        assert below(random, n) == ((bits >> 32) * n) >> 32 < n


def test_draws_are_uniform() -> None:
    random = xorshift.seeded(5)
    counts = np.bincount([below(random, 7) for _ in range(14_000)], minlength=7)
    assert (abs(counts - 2000) < 200).all()


def test_seeds_that_follow_one_another_are_scattered() -> None:
    words = [int(xorshift.seeded(seed)[0]) for seed in range(200)]
    assert len(set(words)) == 200
    assert all(word % 2 for word in words)
    ones = np.mean([bin(a ^ b).count("1") for a, b in pairwise(words)])
    assert 30 < ones < 33.5
