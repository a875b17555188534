"""Bounds on chance are bounds: compared with exact probabilities."""

from __future__ import annotations

from math import comb, exp, factorial, isinf, log

import numpy as np
import pytest

from discreet.verify.left.chance import all_differ, divergence, few_repeated, few_unused, surprising


@pytest.mark.parametrize(("n", "right", "chance"), [(10, 9, 0.5), (30, 20, 0.3), (5, 5, 0.2), (40, 40, 0.9)])
def test_the_tail_is_not_underestimated(n: int, right: int, chance: float) -> None:
    tail = sum(comb(n, i) * chance**i * (1 - chance) ** (n - i) for i in range(right, n + 1))
    assert tail <= exp(-n * divergence(right / n, chance)) + 1e-12


def test_no_surprise_where_nothing_is_above_chance() -> None:
    assert divergence(0.3, 0.3) == divergence(0.2, 0.5) == divergence(1.0, 1.0) == 0.0
    assert not surprising(9.2) and surprising(9.3) and not surprising(9.3, tests=2)


def test_all_differ_exactly() -> None:
    assert all_differ(6, 6) == pytest.approx(-log(factorial(6) / 6**6))
    assert all_differ(1, 1) == 0 and isinf(all_differ(7, 6))


@pytest.mark.parametrize(("n", "room"), [(20, 15), (30, 60), (12, 100)])
def test_repetitions_and_gaps_by_simulation(n: int, room: int) -> None:
    rng = np.random.default_rng(3)
    used = np.array([np.unique(rng.integers(0, room, n)).size for _ in range(4000)])
    for repeated in (1, n // 4, n // 2):
        assert (n - used <= repeated).mean() <= exp(-few_repeated(n, repeated, room)) + 0.02
    for unused in range(0, room, 5):
        assert (room - used <= unused).mean() <= exp(-few_unused(n, room - unused, room)) + 0.02
    assert few_unused(5, 1, 1) == 0
