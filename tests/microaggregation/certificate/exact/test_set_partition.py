"""Integer programs over listed groups against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import listed_groups, optimum, random_points

from discreet.microaggregation.certificate.exact.set_partition import best_partition
from discreet.microaggregation.groups import Groups
from discreet.microaggregation.problem import check_partition, renumber, sse


@pytest.mark.parametrize("block", range(4))
def test_multipliers_do_not_change_the_best_partition(block: int) -> None:
    for seed in range(25 * block, 25 * block + 25):
        random = np.random.default_rng(seed)
        n = int(random.integers(6, 10))
        k = int(random.integers(2, n // 2 + 1))
        points = random_points(random, n)
        best = optimum(points, k)
        multipliers = random.standard_normal(n) * (1 + best) / n
        nodes = int(random.choice([0, 1, 1000]))
        found = best_partition(
            Groups(*listed_groups(points, k)), multipliers, 1 + best,
            nodes=nodes, time_limit=np.inf, tolerance=1e-9,
        )  # fmt: skip
        close = 1e-6 * (1 + best)
        assert found.bound <= best + close
        if found.labels is not None:
            check_partition(renumber(found.labels), n, k)
            assert found.value == pytest.approx(sse(points, found.labels), abs=close)
            assert found.value >= best - close
        if nodes == 1000:
            assert found.decided
            assert found.value == pytest.approx(best, abs=close)
            assert found.bound == pytest.approx(best, abs=close)


def test_groups_that_cover_not_everything_have_no_partition() -> None:
    points = np.random.default_rng(0).standard_normal((8, 2))
    groups = Groups(*listed_groups(points, 3))
    without = ~(groups.members == 0).any(axis=1)
    groups = Groups(groups.members[without], groups.sizes[without], groups.costs[without])
    found = best_partition(
        groups, np.zeros(8), 1.0,
        nodes=100, time_limit=np.inf, tolerance=1e-9,
    )  # fmt: skip
    assert found.decided
    assert found.labels is None
    assert found.bound == np.inf
