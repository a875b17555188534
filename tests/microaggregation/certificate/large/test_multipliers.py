from __future__ import annotations

import numpy as np
import pytest
from oracles import microaggregation as oracle
from oracles.certificate import listed_groups, whole_master

from discreet.microaggregation.certificate.large.multipliers import least_reduced, lifted, repaired, with_sse
from discreet.microaggregation.groups import joined, reduced_costs
from discreet.work import Deadline


@pytest.mark.parametrize("seed", range(4))
def test_lifting_nears_the_dual_of_the_master(seed: int) -> None:
    """Repaired multipliers leave no group negative; lifted over all records at once they reach what the master does."""
    random = np.random.default_rng(seed)
    points = random.standard_normal((10, 2))
    members, sizes, costs, value, _, _ = whole_master(points, 2)
    pool = with_sse(points, members, sizes)
    np.testing.assert_allclose(pool.costs, costs, atol=1e-12)
    center = repaired(2.0 * random.random(10) * value / 10, pool)
    assert reduced_costs(pool, center).min() > -1e-9
    better = lifted(center, pool, [np.arange(10)], np.full(10, 2.0 * value), Deadline(None))
    assert better.sum() > center.sum()
    assert better.sum() == pytest.approx(value, rel=5e-3)
    assert reduced_costs(pool, better).min() > -1e-2 * value


def test_the_pool_keeps_the_groups_of_least_reduced_cost() -> None:
    points = np.random.default_rng(1).standard_normal((8, 2))
    members, sizes, _ = listed_groups(points, 2)
    pool = with_sse(points, members[:, ::-1], sizes)
    for row, size, cost in zip(*pool):
        assert cost == pytest.approx(oracle.sse_of(points, row[:size].tolist()))
    multipliers = np.full(8, 0.3)
    kept = least_reduced(joined(pool, pool), multipliers, 5)
    assert len(kept.sizes) == 5
    assert sorted(reduced_costs(kept, multipliers)) == pytest.approx(sorted(reduced_costs(pool, multipliers))[:5])
    assert len(least_reduced(joined(pool, pool), multipliers, 10**6).sizes) == len(sizes)
