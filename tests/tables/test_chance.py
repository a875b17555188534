"""The random numbers of compiled loops: SplitMix64 as published, and whole numbers of every value."""

from __future__ import annotations

import numpy as np

from discreet.tables.chance import below, draw, seeded

MASK = (1 << 64) - 1


def splitmix64(state: int) -> tuple[int, int]:
    """Steele, Lea and Flood (2014), in Python's integers: the next state and the number."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def test_numbers_are_those_of_splitmix64() -> None:
    # The first of seed 0 is known from other implementations.
    assert splitmix64(0)[1] == 0xE220A8397B1DCDAF
    for seed in (0, 1, 20, MASK, MASK + 7):
        random, state = seeded(seed), seed & MASK
        for _ in range(50):
            state, z = splitmix64(state)
            assert draw(random) == (z >> 11) / 2**53


def test_whole_numbers_reach_every_value_and_no_more() -> None:
    random = seeded(3)
    counts = np.bincount([below(random, 7) for _ in range(7000)], minlength=7)
    assert counts.size == 7
    assert ((counts > 850) & (counts < 1150)).all()
