"""The tree of boxes against looking at every record."""

from __future__ import annotations

import numpy as np
import pytest
from entries import entry

from discreet.microaggregation.certificate.large.box_tree import (
    LEAF,
    Lists,
    Ordered,
    collect_below,
    grow,
    least_shares,
    least_window,
    neighbor_sums,
    ordered,
)

window, below = entry(least_window), entry(collect_below)


def case(seed: int, n: int = 90, k: int = 3) -> tuple[Ordered, np.ndarray]:
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, 2))
    points[: n // 5] = points[0]
    return ordered(grow(points, k), random.uniform(0.0, 1.0, n)), points


def shares(at: Ordered, points: np.ndarray, oi: int, eta: int) -> dict[int, float]:
    """h_v of everybody after the root, by its definition."""
    apart = np.square(points[:, None] - points[None]).sum(axis=2)
    near = np.sort(apart, axis=1)[:, : eta - 1].sum(axis=1)  # with its own zero: η − 2 others
    h = apart[at.order[oi]] / eta + 0.5 * near / eta - at.multipliers
    return {int(v): float(h[v]) for v in at.order[oi + 1 :]}


def room(at: Ordered, size: int) -> Lists:
    n = len(at.order)
    return Lists(np.empty(size, np.int32), np.zeros(n, np.bool_), np.empty(n), np.empty(n, np.int32))


def test_boxes_hold_their_records_and_children_share_their_parents() -> None:
    at, points = case(0, n=100)
    tree = at.tree
    assert sorted(tree.record.tolist()) == list(range(100))
    for x in range(tree.begin.size):
        inside = points[tree.record[tree.begin[x] : tree.end[x]]]
        assert (inside.min(axis=0) == tree.low[x]).all() and (inside.max(axis=0) == tree.high[x]).all()
        left, right = tree.left[x], tree.right[x]
        if left < 0:
            assert tree.end[x] - tree.begin[x] <= LEAF
        else:
            assert min(left, right) > x
            assert (tree.begin[left], tree.end[right]) == (tree.begin[x], tree.end[x])
            assert tree.end[left] == tree.begin[right]


def test_neighbor_sums_are_those_of_all_distances_and_infinite_where_there_are_too_few() -> None:
    points = np.random.default_rng(1).normal(size=(4, 2))
    rising = np.sort(np.square(points[:, None] - points[None]).sum(axis=2), axis=1)
    found = neighbor_sums(points, 3)
    np.testing.assert_allclose(found[:, :4], np.cumsum(rising, axis=1), rtol=1e-12)
    assert found.shape == (4, 5) and np.isinf(found[:, 4]).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_least_and_those_below_a_fence_are_found(seed: int) -> None:
    at, points = case(seed)
    for oi in (0, 10, 60):
        floor = least_shares(at, oi, 3, 5)
        for eta in (3, 4, 5):
            h = shares(at, points, oi, eta)
            lists = room(at, 90)
            assert floor[eta - 3, 0] <= min(h.values()) + 1e-12
            least = sum(sorted(h.values())[: eta - 1])
            assert window(at, oi, eta, eta - 1, floor[eta - 3], lists) == pytest.approx(least)
            fence = sorted(h.values())[8] + 1e-9
            lists.listed[0] = at.order[oi]
            count = below(at, oi, eta, floor[eta - 3], fence, lists, 1)
            assert set(lists.listed[1:count].tolist()) == {v for v, value in h.items() if value <= fence}
            assert below(at, oi, eta, floor[eta - 3], fence, lists, count) == count, "nobody is listed twice"


def test_too_many_below_the_fence_are_told() -> None:
    at, _ = case(0)
    floor = least_shares(at, 0, 3, 3)[0]
    assert below(at, 0, 3, floor, 1e9, room(at, 5), 1) == 6
