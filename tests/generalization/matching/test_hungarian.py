from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from discreet.generalization.matching.hungarian import cheapest_matching


@pytest.mark.parametrize("seed", range(10))
def test_no_perfect_matching_is_cheaper(seed: int) -> None:
    cost = np.random.default_rng(seed).integers(0, 50, (6, 6)).astype(np.int32)
    found = cheapest_matching(cost)
    assert sorted(found) == list(range(6))
    least = min(sum(cost[i, j] for i, j in enumerate(order)) for order in permutations(range(6)))
    assert cost[np.arange(6), found].sum() == least
