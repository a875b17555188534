from __future__ import annotations

import numpy as np
import pytest
from drawn import clouds
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import check_partition, renumber, sse
from discreet.microaggregation.search.pooling import Pool


@given(st.integers(0, 2**31))
def test_pooling_finds_the_best_combination(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.normal(size=(12, 2))
    found = []
    for _ in range(6):
        order = random.permutation(12)
        labels = np.empty(12, np.int64)
        labels[order] = np.repeat([0, 1, 2, 3], 3) if random.random() < 0.5 else np.repeat([0, 1, 2], 4)
        found.append(labels)
    pool = Pool(points)
    for labels in found:
        pool.add(labels)
    groups = {g for labels in found for g in oracle.as_groups(labels)}
    assert len(pool) == len(groups)
    best = min(found, key=lambda labels: sse(points, labels))
    labels, _ = pool.combine(best)
    check_partition(renumber(labels), 12, 3)
    assert sse(points, labels) == pytest.approx(oracle.best_of_pool(points, sorted(groups, key=sorted)))


def test_groups_of_a_pool_can_be_read_back() -> None:
    points = clouds(30, 2, 2)
    pool = Pool(points)
    assert pool.add(mdav(points, 3)) == 10
    assert pool.add(mdav(points, 3)) == 0
    for row, size, cost in zip(*pool.groups):
        assert cost == pytest.approx(oracle.sse_of(points, row[:size].tolist()))
