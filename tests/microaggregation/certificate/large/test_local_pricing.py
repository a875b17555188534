"""Pricing without a table of distances against all groups and the independent enumeration."""

from __future__ import annotations

import numpy as np
import pytest
from entries import entry
from oracles.certificate import all_groups, plain, random_points, reduced_costs
from oracles.certificate import roots as roots_of

from discreet.microaggregation.certificate.large import local_pricing
from discreet.microaggregation.certificate.large.box_tree import Lists, grow, least_shares, ordered
from discreet.microaggregation.certificate.large.local_pricing import MANY, Wanted, price_local
from discreet.microaggregation.certificate.pricing.search import no_penalties
from discreet.verify.certificates.groups import enumerate_below
from discreet.verify.certificates.walk import rules_of

thinned = entry(local_pricing._thinned)


def priced(
    points: np.ndarray, multipliers: np.ndarray, k: int, node_limit: int, widest: int, largest: int
) -> tuple[list[tuple[tuple[int, ...], float]], np.ndarray, np.ndarray]:
    """Groups with reduced costs; values and completeness by record. Two pieces, the second with the first's floors."""
    n, most = len(points), min(2 * k - 1, len(points))
    tree = grow(points, k)
    at = ordered(tree, multipliers)
    order = at.order
    floors = least_shares(at, 0, k, most)
    wanted = Wanted(k, most, 2, node_limit, widest, largest)
    groups, values, complete = [], np.empty(n), np.empty(n, bool)
    for first, last in ((0, n // 2), (n // 2, n)):
        found = price_local(at, floors, first, last, wanted, no_penalties(max(largest, 40 * k) + 2))
        groups += [(tuple(row[:size].tolist()), cost) for row, size, cost in zip(*found[:3])]
        values[order[first:last]], complete[order[first:last]] = found[3], found[4]
    return groups, values, complete


@pytest.mark.parametrize("part", range(6))
def test_local_pricing_against_all_groups(part: int) -> None:
    """Values are never above the least reduced cost of a root and equal to it where complete; groups are negative."""
    decided = sought = 0
    for seed in range(40 * part, 40 * part + 40):
        random = np.random.default_rng(seed)
        n = int(random.integers(5, 11))
        k = int(random.integers(2, n // 2 + 1))
        points = random_points(random, n)
        groups = all_groups(n, k)
        costs = reduced_costs(points, groups, np.zeros(n), [], [])
        multipliers = np.median(costs) / k * (random.random(n) - 0.1)
        costs = reduced_costs(points, groups, multipliers, [], [])
        least = np.zeros(n)
        np.minimum.at(least, roots_of(groups, multipliers), costs)
        node_limit, widest, largest = (int(random.choice(some)) for some in ([0, 1, 10**6], [2, 5, 50], [1, 4, 50]))
        found, values, complete = priced(points, multipliers, k, node_limit, widest, largest)
        scale = 1e-9 * (1 + np.abs(costs).max())
        assert (values <= least + scale).all()
        assert np.allclose(values[complete], least[complete], atol=scale)
        if node_limit > 1 and widest == largest == 50:
            assert complete.all()
        truth = dict(zip(groups, costs))
        for group, cost in found:
            assert cost < scale
            assert cost == pytest.approx(truth[tuple(sorted(group))], abs=scale)
            assert roots_of([group], multipliers)[0] == group[0]
            sought += not complete[group[0]]
        decided += complete.sum()
    assert decided > 20
    assert sought > 20


@pytest.mark.parametrize("seed", range(6))
def test_local_pricing_of_many_candidates(seed: int) -> None:
    """So many that each is tried as second member: the independent enumeration finds nothing below the values."""
    random = np.random.default_rng(seed)
    n, k = 2 * MANY, 2 + seed % 3
    points = random.standard_normal((n, 5)) * (1 + 3 * (random.random((n, 1)) < 0.1))
    near = grow(points, k).near_sum[:, k - 1]
    multipliers = near / (2 * k) * (1.25 + 0.2 * random.random(n))
    _, values, complete = priced(points, multipliers, k, 10**6, n, n)
    assert complete.all()
    assert (values < 0).sum() > 10
    _, coarse, _ = priced(points, multipliers, k, 10**6, n // 2, MANY // 3)
    assert (coarse <= values + 1e-9).all()
    nothing = rules_of([], n)
    assert (
        len(enumerate_below(plain(points), multipliers, values - 1e-9, k, nothing, most=0, branches=10**9).sizes) == 0
    )
    # Just above its value a root has a group, unless it has none at all.
    limits = np.where(values < 0, values + 1e-9, -np.inf)
    found = enumerate_below(plain(points), multipliers, limits, k, nothing, most=10**5, branches=10**9)
    first = found.groups[np.arange(len(found.sizes)), 0]
    assert set(first.tolist()) == set(np.flatnonzero(values < 0).tolist())


@pytest.mark.parametrize("seed", range(6))
def test_thinning_keeps_the_members_of_negative_groups(seed: int) -> None:
    random = np.random.default_rng(50 + seed)
    n, k = 2 * MANY, 2 + seed % 3
    points = random.standard_normal((n, 5)) * (1 + 3 * (random.random((n, 1)) < 0.1))
    tree = grow(points, k)
    multipliers = tree.near_sum[:, k - 1] / (2 * k) * (1.25 + 0.3 * random.random(n))
    at = ordered(tree, multipliers)
    order = at.order
    found = enumerate_below(plain(points), multipliers, np.zeros(n), k, rules_of([], n), most=10**5, branches=10**9)
    groups = [tuple(row[:size].tolist()) for row, size in zip(found.groups, found.sizes)]
    costs = reduced_costs(points, groups, multipliers, [], [])
    dropped = 0
    for place in range(0, n - MANY - 1, 5):
        root = int(order[place])
        listed = order[place:].copy()
        lists = Lists(listed, np.zeros(n, bool), np.empty(50), np.empty(128, np.int32))
        count, lowest = thinned(at, lists, len(listed), k, 2 * k - 1)
        mine = [(group, cost) for group, cost in zip(groups, costs) if group[0] == root]
        assert {v for group, _ in mine for v in group} <= set(listed[:count].tolist()) | {root}
        assert lowest <= min([0.0, *(cost for _, cost in mine)]) + 1e-9
        dropped += n - place - count
    assert len(groups) > 100
    assert dropped > n
