"""PricingProblem and its routines, model (14) among them, against all groups; Table 2."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from oracles.certificate import random_points, reduced_costs

from discreet.microaggregation.certificate.paper.pricing_problem import (
    complete_enumeration,
    exact_pricing,
    heuristic_pricing,
    pricing_problem,
    reduced_cost,
    routine,
)
from discreet.microaggregation.certificate.space import measure


@pytest.mark.parametrize("seed", range(8))
def test_pricing_of_the_paper(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random_points(random, 9)
    distance = measure(points, 2).distance
    multipliers = random.random(9) * (distance.mean() + 0.1)
    for size in (2, 3, 4):
        groups = list(combinations(range(9), size))
        costs = reduced_costs(points, groups, multipliers, [], [])
        enumerated, modeled = (f(distance, multipliers, size) for f in (complete_enumeration, exact_pricing))
        if costs.min() >= -1e-6:
            assert enumerated is None or costs.min() < 0
            continue
        for group in (enumerated, modeled):
            assert group is not None
            assert reduced_cost(distance, multipliers, group) == pytest.approx(costs.min(), abs=1e-6)
        heuristic = heuristic_pricing(distance, multipliers, size)
        members = [v for group in heuristic for v in group]
        assert len(members) == len(set(members))
        assert all(reduced_cost(distance, multipliers, group) < 0 for group in heuristic)


def test_table_2() -> None:
    table = {n: [routine(n, size) for size in range(3, 10)] for n in (30, 40, 50, 100, 200)}
    assert table[30] == table[100] == ["CE"] * 4 + ["EP"] * 3
    assert table[200] == ["CE"] * 3 + ["EP"] * 4


def test_pricing_stops_at_the_first_size_that_yields() -> None:
    points = np.random.default_rng(3).standard_normal((12, 2))
    found = pricing_problem(measure(points, 3).distance, np.full(12, 5.0), 3)
    assert found
    assert {len(group) for group in found} == {3}
    assert pricing_problem(measure(points, 3).distance, np.zeros(12), 3) == []
