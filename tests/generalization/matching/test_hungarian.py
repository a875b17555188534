from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from discreet.generalization.boxes import scratch
from discreet.generalization.domain import categorical, domain, numeric
from discreet.generalization.matching.hungarian import cheapest_matching
from discreet.generalization.matching.iterations import added_costs
from discreet.solvers.assignment import FORBIDDEN


@pytest.mark.parametrize("taken", [1, 2])
@pytest.mark.parametrize("seed", range(10))
def test_no_perfect_matching_is_cheaper(seed: int, taken: int) -> None:
    random, n = np.random.default_rng(seed), 6
    records = domain([numeric("x", random.integers(0, 9, n)), categorical("c", random.integers(0, 3, n), 3)])
    everyone = np.arange(n, dtype=np.int32)
    slots = np.stack([np.roll(everyone, turn) for turn in range(taken)], axis=1)
    found = cheapest_matching(records.tables, records.codes, slots)
    assert sorted(found) == list(range(n)) and not (slots == found[:, None]).any()
    cost = np.empty((n, n), np.int32)
    added_costs(records.tables, scratch(int(records.tables.start[-1])), records.codes, slots, taken, cost)
    least = min(sum(int(cost[i, j]) for i, j in enumerate(order)) for order in permutations(range(n)))
    assert cost[everyone, found].sum() == least < FORBIDDEN
