"""Targets below the best partition: what they prove holds, whatever part of the gap the budget allows."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import optimum, random_points

from discreet.microaggregation.certificate import proof
from discreet.microaggregation.certificate.columns import Columns
from discreet.microaggregation.certificate.cutting import CutMaster
from discreet.microaggregation.certificate.generation import generate
from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.certificate.standing import Standing
from discreet.microaggregation.problem import renumber
from discreet.scale import workers
from discreet.work import Deadline, Reporter


def poor_master(points: np.ndarray, k: int, pool: object, random: np.random.Generator) -> CutMaster:
    """From a partition at random, so that there is a gap to speak of."""
    labels = np.zeros(len(points), np.int64)
    labels[random.permutation(len(points))] = np.minimum(np.arange(len(points)) // k, len(points) // k - 1)
    standing = Standing(points, k, renumber(labels), Deadline(None), Reporter(None))
    space = measure(points, k)
    columns = Columns(space, min(2 * k - 1, len(points)))
    columns.add_partition(standing.labels)
    generate(space, columns, standing, pool)
    assert standing.proof.multipliers is not None
    master = CutMaster(space, columns, standing, np.arange(columns.count, dtype=np.int32), standing.proof.multipliers)
    master.price(pool)
    return master


@pytest.mark.parametrize("solver", ["tree", "integer program"])
def test_what_a_part_of_the_gap_proves_holds(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if solver == "integer program":
        monkeypatch.setattr(proof, "SMALL", 0)
    raised = closed = 0
    with workers(None) as pool:
        for seed in range(150):
            random = np.random.default_rng([seed, 9])
            n = int(random.integers(6, 11))
            k = int(random.integers(2, n // 2 + 1))
            points = random_points(random, n)
            best = optimum(points, k)
            master = poor_master(points, k, pool, random)
            standing = master.standing
            if standing.closed:
                continue
            # Where the search for a room ends early, fewer groups are listed than the budget allows.
            monkeypatch.setattr(proof, "SEARCH", int(random.integers(1, 8)))
            before = standing.proof.value
            for budget in (int(random.integers(1, 8)), int(random.integers(4, 60))):
                proof.attempt(master, pool, budget, 1000)
                assert standing.proof.value <= best + 1e-9 * (1 + best)
                assert standing.sse >= best - 1e-9 * (1 + best)
            raised += standing.proof.value > before
            closed += standing.closed
    assert raised > 20 and closed > 10


def test_what_is_listed_says_how_far_it_goes() -> None:
    random = np.random.default_rng(4)
    points = random.standard_normal((10, 2))
    with workers(None) as pool:
        master = poor_master(points, 2, pool, random)
        gap = master.standing.sse - master.value
        counts = []
        for share in (0.1, 0.5, 1.0):
            found = proof.enumerate_groups(master, share * gap, pool, 10_000)
            assert found is not None and found.room == share * gap
            assert found.excess.max() <= found.room * (1 + 1e-6)
            counts.append(len(found.sizes))
        assert counts == sorted(counts) and counts[0] < counts[-1]
        assert proof.enumerate_groups(master, gap, pool, counts[-1] - 1) is None
