"""Targets below the best partition: what they prove holds, whatever part of the gap the budget allows."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import optimum, random_points

from discreet.microaggregation.certificate.exact import target_enumeration
from discreet.microaggregation.certificate.exact.set_partition import Partitioned
from discreet.microaggregation.certificate.master.column_generation import generate
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.master.cut_master import CutMaster
from discreet.microaggregation.certificate.progress import Progress
from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import renumber
from discreet.scale import workers
from discreet.work import Deadline, Reporter


def poor_master(points: np.ndarray, k: int, pool: object, random: np.random.Generator) -> CutMaster:
    """From a partition at random, so that there is a gap to speak of."""
    labels = np.zeros(len(points), np.int64)
    labels[random.permutation(len(points))] = np.minimum(np.arange(len(points)) // k, len(points) // k - 1)
    progress = Progress(points, k, renumber(labels), Deadline(None), Reporter(None))
    space = measure(points, k)
    columns = Columns(space, min(2 * k - 1, len(points)))
    columns.add_partition(progress.labels)
    generate(space, columns, progress, pool)
    assert progress.proof.multipliers is not None
    master = CutMaster(space, columns, progress, np.arange(columns.count, dtype=np.int32), progress.proof.multipliers)
    master.price(pool)
    return master


@pytest.mark.parametrize("solver", ["tree", "integer program"])
def test_what_a_part_of_the_gap_proves_holds(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if solver == "integer program":
        monkeypatch.setattr(target_enumeration, "SMALL", 0)
    raised = closed = 0
    with workers(None) as pool:
        for seed in range(150):
            random = np.random.default_rng([seed, 9])
            n = int(random.integers(6, 11))
            k = int(random.integers(2, n // 2 + 1))
            points = random_points(random, n)
            best = optimum(points, k)
            master = poor_master(points, k, pool, random)
            progress = master.progress
            if progress.closed:
                continue
            # Where the search for an allowance ends early, fewer groups are listed than the budget allows.
            monkeypatch.setattr(target_enumeration, "SEARCH", int(random.integers(1, 8)))
            before = progress.proof.value
            for budget in (int(random.integers(1, 8)), int(random.integers(4, 60))):
                target_enumeration.attempt(master, pool, budget, 1000)
                assert progress.proof.value <= best + 1e-9 * (1 + best)
                assert progress.sse >= best - 1e-9 * (1 + best)
            raised += progress.proof.value > before
            closed += progress.closed
    assert raised > 20 and closed > 10


def test_what_is_listed_says_how_far_it_goes() -> None:
    random = np.random.default_rng(4)
    points = random.standard_normal((10, 2))
    with workers(None) as pool:
        master = poor_master(points, 2, pool, random)
        gap = master.progress.sse - master.value
        counts = []
        for share in (0.1, 0.5, 1.0):
            found = target_enumeration.enumerate_groups(master, share * gap, pool, 10_000)
            assert found is not None and found.allowance == share * gap
            assert found.excess.max() <= found.allowance * (1 + 1e-6)
            counts.append(len(found.sizes))
        assert counts == sorted(counts) and counts[0] < counts[-1]
        assert target_enumeration.enumerate_groups(master, gap, pool, counts[-1] - 1) is None


@pytest.mark.parametrize("decided", [False, True])
def test_what_a_search_beside_finds_counts_where_the_program_is_cut_off(decided: bool) -> None:
    points = np.random.default_rng(1).standard_normal((30, 2))
    better = renumber(mdav(points, 3))
    progress = Progress(points, 3, np.arange(30) // 3, Deadline(None), Reporter(None))
    before = progress.sse
    cut_off = Partitioned(None, np.inf, 0.0, decided, 7, 0)

    def search(own: Progress, _: object) -> None:
        assert own.offer_partition(better)
        own.count(windows=2)
        assert progress.sse == before

    with workers(None) as pool:
        assert target_enumeration._beside(progress, pool, lambda: cut_off, search) is cut_off
    assert (progress.sse == before) == decided
    assert progress.counts.get("windows", 0) == (0 if decided else 2)


def test_a_cancelled_search_beside_keeps_what_it_found() -> None:
    points = np.random.default_rng(2).standard_normal((30, 2))
    better = renumber(mdav(points, 3))
    progress = Progress(points, 3, np.arange(30) // 3, Deadline(None), Reporter(None))

    def search(own: Progress, _: object) -> None:
        own.offer_partition(better)
        raise KeyboardInterrupt

    def cancelled() -> None:
        with workers(None) as pool:
            target_enumeration._beside(progress, pool, lambda: Partitioned(None, np.inf, 0.0, False, 0, 0), search)

    with pytest.raises(KeyboardInterrupt):
        cancelled()
    assert (progress.labels == better).all()
