"""Branch and cut against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import all_groups, optimum, random_points

from discreet.microaggregation.certificate.exact import tree
from discreet.microaggregation.certificate.exact.tree import branch
from discreet.microaggregation.certificate.space import group_costs, measure
from discreet.microaggregation.groups import Groups
from discreet.microaggregation.problem import check_partition, sse
from discreet.scale import workers
from discreet.work import Deadline


def listed(points: np.ndarray, k: int) -> Groups:
    groups = all_groups(len(points), k)
    members = np.full((len(groups), 2 * k - 1), -1, np.int32)
    for row, group in zip(members, groups):
        row[: len(group)] = group
    sizes = np.array([len(group) for group in groups], np.int32)
    return Groups(members, sizes, group_costs(measure(points, k).distance, members, sizes))


@pytest.mark.parametrize("turns", ["few", "many", "full"])
@pytest.mark.parametrize("block", range(4))
def test_the_tree_finds_the_optimum_or_a_bound_below_it(
    block: int, turns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if turns != "few":
        # Branches go back and forth, and groups have to enter the relaxation.
        for name, value in {"WAVE": 2, "TURN": 2, "FIRST_TURN": 1, "FIRST": 1, "ROOT_ROUNDS": 0, "ROUNDS": 0}.items():
            monkeypatch.setattr(tree, name, value)
    if turns == "full":
        monkeypatch.setattr(tree, "MOST_HELD", 0)
    for seed in range(40 * block, 40 * block + 40):
        random = np.random.default_rng(seed)
        n = int(random.integers(5, 10))
        k = int(random.integers(2, n // 2 + 1))
        points = random_points(random, n)
        best = optimum(points, k)
        groups = listed(points, k)
        nodes = int(random.choice([1, 2, 5, 1000]))
        target = best * random.choice([0.7, 1.0 + 1e-6, 1.5]) + 1e-9
        # Any order will do.
        excess = random.uniform(size=len(groups.sizes))
        options = {"target": target, "slack": 1e-9, "node_limit": nodes, "deadline": Deadline(None)}
        done = branch(groups, n, excess=excess, **options)
        scale = 1e-9 * (1 + best)
        assert done.bound <= best + scale
        if done.labels is not None:
            check_partition(done.labels, n, k)
            assert sse(points, done.labels) == pytest.approx(done.value, abs=scale)
            assert done.value >= best - scale
        if nodes == 1000:
            assert done.bound >= min(best, target) - 2e-9 - scale
            assert target <= best + scale or done.value == pytest.approx(best, abs=scale)


@pytest.mark.parametrize(("seconds", "nodes"), [(0.0, 500), (None, 0), (None, 1)])
def test_cut_off_at_once_the_tree_claims_nothing_that_does_not_hold(seconds: float | None, nodes: int) -> None:
    points = np.random.default_rng(3).standard_normal((11, 2))
    groups, best = listed(points, 3), optimum(points, 3)
    done = branch(
        groups, 11, excess=groups.costs, target=1.5 * best, slack=1e-9, node_limit=nodes, deadline=Deadline(seconds)
    )
    assert done.bound <= best * (1 + 1e-9) and done.nodes <= nodes
    assert nodes == 1 or (done.labels is None and done.bound == -np.inf)


def test_threads_share_the_tree_without_changing_it() -> None:
    points = np.random.default_rng(3).standard_normal((11, 2))
    groups = listed(points, 3)
    options = {"target": optimum(points, 3) * 1.01, "slack": 1e-9, "node_limit": 500, "deadline": Deadline(None)}
    with workers(None) as pool:
        shared = branch(groups, 11, excess=groups.costs, executor=pool, **options)
    alone = branch(groups, 11, excess=groups.costs, **options)
    assert (shared.bound, shared.value, shared.nodes) == (alone.bound, alone.value, alone.nodes)
    assert np.array_equal(shared.labels, alone.labels)
