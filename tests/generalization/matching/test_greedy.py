from __future__ import annotations

import numpy as np
import pytest

from discreet.generalization.matching.greedy import greedy_matching


@pytest.mark.parametrize("seed", range(10))
def test_each_record_in_turn_takes_the_cheapest_left(seed: int) -> None:
    cost = np.random.default_rng(seed).permutation(144).reshape(12, 12).astype(np.int32)
    free = list(range(12))
    wanted = []
    for row in cost:
        best = min(free, key=lambda j: row[j])
        wanted.append(best)
        free.remove(best)
    assert greedy_matching(cost).tolist() == wanted
