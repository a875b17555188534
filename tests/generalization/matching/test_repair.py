"""Dead ends: pairs are forbidden as they are after some iterations, and every record must still be matched."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from discreet.generalization.matching.greedy import greedy_matching
from discreet.generalization.matching.repair import augment, substitute
from discreet.generalization.matching.sort_greedy import sort_greedy_matching
from discreet.solvers.assignment import FORBIDDEN


@pytest.mark.parametrize("rule", [greedy_matching, sort_greedy_matching])
@pytest.mark.parametrize("n", [4, 7, 12])
def test_matchings_stay_perfect_until_every_pair_is_used(rule: Callable[[np.ndarray], np.ndarray], n: int) -> None:
    cost = np.random.default_rng(n).integers(0, 9, (n, n)).astype(np.int32)
    for _ in range(n):
        found = rule(cost)
        assert sorted(found) == list(range(n))
        assert (cost[np.arange(n), found] < FORBIDDEN).all()
        cost[np.arange(n), found] = FORBIDDEN


def dead_end() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Record 1 may only take column 0, which record 0 has; column 1 is free."""
    cost = np.array([[1, 2], [1, FORBIDDEN]], np.int32)
    return cost, np.array([0, -1], np.int32), np.array([0, -1], np.int32)


def test_an_owner_hands_its_column_on() -> None:
    cost, column, row_of = dead_end()
    assert substitute(cost, column, row_of, 1, False)
    assert column.tolist() == [1, 0]
    assert row_of.tolist() == [1, 0]


def test_a_path_does_so_too_and_none_is_told() -> None:
    cost, column, row_of = dead_end()
    assert augment(cost, column, row_of, 1)
    assert column.tolist() == [1, 0]
    cost, column, row_of = dead_end()
    cost[0, 1] = FORBIDDEN
    assert not substitute(cost, column, row_of, 1, True)
    assert not augment(cost, column, row_of, 1)
