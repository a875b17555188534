from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from oracles import microaggregation as oracle

from discreet.microaggregation import solve
from discreet.microaggregation.problem import check_partition, renumber, sse
from discreet.microaggregation.search import blocks
from discreet.microaggregation.search.annealing import Schedule
from discreet.microaggregation.search.blocks import BlockEffort, halved, split, split_groups

SMALL = BlockEffort(256, Schedule(5, 0.3, 0.02, passes=1), Schedule(5, 0.3, 0.02, passes=1), 2)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(blocks.PLANS, "default", SMALL)


def mixture(n: int, d: int = 4) -> np.ndarray:
    random = np.random.default_rng(0)
    return random.random((10, d))[random.integers(0, 10, n)] + 0.15 * random.normal(size=(n, d))


def test_splitting_covers_every_record_once() -> None:
    points = mixture(5000)
    cut = split(points, None, 300, np.random.default_rng(1))
    assert sorted(cut.order) == list(range(5000))
    assert max(len(cut.members(b)) for b in range(len(cut.ends))) <= 300


def test_groups_stay_whole() -> None:
    points = mixture(3000)
    labels = renumber(solve(points, 4, method="mdav").labels)
    cut = split_groups(points, labels, 200, np.random.default_rng(2))
    assert sorted(cut.order) == list(range(3000))
    seen: set[int] = set()
    for b, (_, local, *_rest) in enumerate(cut.tasks(points, 4, SMALL.later, 0, None)):
        here = set(labels[cut.members(b)].tolist())
        assert not here & seen
        seen |= here
        assert oracle.as_groups(local) == oracle.as_groups(labels[cut.members(b)])


@pytest.mark.parametrize("k", [2, 3, 7])
def test_halving(k: int) -> None:
    for points in (mixture(777), np.zeros((100, 2))):
        check_partition(renumber(halved(points, k)), len(points), k)


def test_rounds_never_worsen(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    points, losses = mixture(3000), []
    for rounds in range(3):
        monkeypatch.setitem(blocks.PLANS, "default", BlockEffort(256, SMALL.first, SMALL.later, rounds))
        losses.append(solve(points, 3, method="blocks").sse)
    assert losses[0] > losses[1] > losses[2]


def test_better_than_mdav_where_it_is_the_default() -> None:
    points = mixture(20_500)
    found = solve(points, 3)
    assert found.method == "blocks(annealing)"
    assert found.sse < solve(points, 3, method="mdav").sse


@pytest.mark.parametrize("method", ["blocks", "annealing", "icsm"])
def test_one_thread_or_two(small: None, method: str) -> None:
    points = mixture(900 if method == "blocks" else 150)
    options = {"restarts": 2, "max_iterations": 3} if method == "icsm" else {}
    found = []
    for threads in (1, 2):
        with ThreadPoolExecutor(threads) as pool:
            found.append(solve(points, 3, method=method, executor=pool, random_state=4, **options).labels)
    assert (found[0] == found[1]).all()
    assert (found[0] == solve(points, 3, method=method, random_state=4, **options).labels).all()


def test_best_is_deterministic_without_a_time_limit() -> None:
    points = mixture(60, 2)
    found = []
    for threads in (1, 2):
        with ThreadPoolExecutor(threads) as pool:
            found.append(solve(points, 3, effort="best", executor=pool, random_state=1))
    assert (found[0].labels == found[1].labels).all()
    assert found[0].status in ("complete", "optimal")
    assert found[0].method == "pool"
    assert found[0].sse <= solve(points, 3).sse * (1 + 1e-12)


def test_dask_gives_the_same_labels(small: None) -> None:
    distributed = pytest.importorskip("distributed")
    points = mixture(1500)
    expected = solve(points, 3, method="blocks", random_state=2)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = solve(points, 3, method="blocks", random_state=2, executor=client.get_executor())
        assert (found.labels == expected.labels).all()
        restarts = solve(points[:100], 3, method="annealing", random_state=2, executor=client.get_executor())
    assert (restarts.labels == solve(points[:100], 3, method="annealing", random_state=2).labels).all()
    assert sse(points, found.labels) == expected.sse
