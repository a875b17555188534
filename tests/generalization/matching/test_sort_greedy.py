from __future__ import annotations

import numpy as np
import pytest

from discreet.generalization.matching.sort_greedy import sort_greedy_matching


@pytest.mark.parametrize("seed", range(10))
def test_the_cheapest_pair_of_all_comes_first(seed: int) -> None:
    cost = np.random.default_rng(seed).permutation(144).reshape(12, 12).astype(np.int32)
    rows, columns = set(range(12)), set(range(12))
    wanted = np.empty(12, np.int64)
    for i, j in sorted(np.ndindex(12, 12), key=lambda pair: cost[pair]):
        if i in rows and j in columns:
            wanted[i] = j
            rows.remove(i)
            columns.remove(j)
    assert sort_greedy_matching(cost).tolist() == wanted.tolist()
