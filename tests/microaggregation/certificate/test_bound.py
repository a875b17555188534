"""The bound that any multipliers prove: never above the best partition, whatever the multipliers are."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from discreet.microaggregation.certificate.bound import lower_bound, rounding_margin
from discreet.microaggregation.certificate.pricing.search import no_penalties

K = 3


def _cost(points: np.ndarray, group: tuple[int, ...]) -> float:
    own = points[list(group)]
    return float(((own - own.mean(axis=0)) ** 2).sum())


def _groups(n: int) -> list[tuple[int, ...]]:
    return [group for size in range(K, 2 * K) for group in combinations(range(n), size)]


def _best(points: np.ndarray) -> float:
    """The least SSE of any partition, by all of them."""
    n = len(points)
    least = {0: 0.0}
    for taken in range(1 << n):
        if taken not in least:
            continue
        free = [i for i in range(n) if not taken >> i & 1]
        for size in range(K, 2 * K):
            for rest in combinations(free[1:], size - 1):
                group = (free[0], *rest) if free else ()
                new = taken | sum(1 << i for i in group)
                value = least[taken] + _cost(points, group)
                if value < least.get(new, np.inf):
                    least[new] = value
    return least[(1 << n) - 1]


@pytest.mark.parametrize("seed", range(6))
def test_no_multipliers_prove_more_than_there_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 8
    points = rng.normal(size=(n, 2))
    best = _best(points)
    groups = _groups(n)
    costs = [_cost(points, group) for group in groups]
    for spread in (0.0, 0.3, 2.0):
        multipliers = best / n + spread * rng.normal(size=n)
        reduced = [cost - multipliers[list(group)].sum() for group, cost in zip(groups, costs)]
        roots = np.full(n, np.inf)
        for group, value in zip(groups, reduced):
            roots[group[0]] = min(roots[group[0]], value)
        assert lower_bound(multipliers, roots, K, dimension=2, best=best) <= best


def test_the_bound_is_the_sum_less_what_the_least_roots_owe() -> None:
    multipliers, roots = np.ones(7), np.array([-3.0, 5.0, -1.0, -2.0, 0.0, 1.0, 4.0])
    found = lower_bound(multipliers, roots, K, dimension=2, best=1.0, charge=0.5)
    assert found == pytest.approx(7 - 0.5 - 3 - 2, abs=1e-9)  # of seven records no more than two groups can be made
    assert found < 7 - 0.5 - 3 - 2


def test_rounding_takes_more_the_larger_the_numbers() -> None:
    small = rounding_margin(np.ones(9), K, dimension=2, best=1.0)
    assert 0 < small < 1e-10
    assert rounding_margin(-1e6 * np.ones(9), K, dimension=2, best=1.0) > 1e5 * small
    assert rounding_margin(np.ones(9), K, dimension=2, best=1.0, penalties=no_penalties(9)) == small
