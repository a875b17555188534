"""Random numbers in kernels: the published generators, whole numbers in range, the same from Python as compiled."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from discreet.kernels.randoms import Random, below, next_random, scaled_below, seeded, uniform

MASK = 2**64 - 1
SEEDS = st.integers(0, 2**63 - 1)


def splitmix(z: int) -> int:
    """The mix of SplitMix64 in Python's integers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@njit
def _draws(state: Random, n: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    numbers, whole = np.empty(count), np.empty(count, np.int64)
    for i in range(count):
        numbers[i], whole[i] = uniform(state), below(state, n)
    return numbers, whole


def test_the_first_numbers_as_published() -> None:
    state = seeded(1234567)  # the reference implementation's own example
    assert [int(next_random(state)) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@given(SEEDS, st.integers(1, 10**6))
def test_splitmix_and_what_is_made_of_it(seed: int, n: int) -> None:
    state, gamma = seeded(seed), 0x9E3779B97F4A7C15
    bits = [splitmix((seed + gamma * (i + 1)) & MASK) for i in range(8)]
    numbers, whole = _draws(state, n, 4)
    assert numbers.tolist() == [(b >> 11) / 2**53 for b in bits[::2]]
    assert whole.tolist() == [b % n for b in bits[1::2]]
    again = seeded(seed)
    assert [int(scaled_below(again, n)) for _ in range(8)] == [int((b >> 11) / 2**53 * n) for b in bits]


def test_draws_are_even() -> None:
    state = seeded(5)
    counts = np.bincount([scaled_below(state, 7) for _ in range(14_000)], minlength=7)
    assert abs(counts - 2_000).max() < 250
