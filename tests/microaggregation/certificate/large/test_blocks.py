"""The bound for large files, with blocks so small that brute force can follow."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import optimum, random_points

from discreet.microaggregation.certificate import certify, efforts
from discreet.microaggregation.certificate.large import blocks


@pytest.mark.parametrize("part", range(4))
def test_bounds_by_blocks_hold(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several k, duplicates, ties, clusters; cut off by branches, candidates and time."""
    monkeypatch.setattr(efforts, "MOST_RECORDS", 0)
    plain = blocks.Blocking
    by_blocks = 0
    for seed in range(30 * part, 30 * part + 30):
        random = np.random.default_rng(seed)
        n = int(random.integers(4, 12))
        k = int(random.integers(2, n // 2 + 1))
        points = random_points(random, n)
        plan = plain(
            core=int(random.integers(1, 9)),
            halo=int(random.integers(0, 6)),
            node_limit=int(random.choice([0, 1, 20_000])),
            quick=int(random.choice([1, 3, 250])),
            widest=int(random.choice([1, 3, 1000])),
            largest=int(random.choice([1, 3, 1500])),
        )
        few = random.random() < 0.3
        monkeypatch.setattr(
            blocks, "Blocking", lambda rounds, plan=plan, few=few: plan._replace(rounds=0 if few else rounds)
        )
        limit = None if random.random() < 0.6 else float(random.choice([0.001, 0.01, 0.03]))
        found = certify(points, k, time_limit=limit)
        by_blocks += found.bound == blocks.KIND
        assert found.lower_bound <= optimum(points, k) * (1 + 1e-12) + 1e-300
    assert by_blocks > 5
