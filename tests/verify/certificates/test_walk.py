"""The walk over the groups of one root: cuts by record, least values, penalties, and every group below the limit."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numba import njit
from oracles.certificate import plain, random_points

from discreet.verify.certificates.groups import nearest_sums
from discreet.verify.certificates.reading import Cut
from discreet.verify.certificates.walk import Problem, insert, penalties, rules_of, walk

CUTS = [
    Cut((0, 2, 3), (1, 1, 1), 2, 0.3),
    Cut((1, 2, 4, 5), (2, 1, 1, 1), 3, 0.2),
    Cut((0, 1, 2, 3, 4), (1, 2, 2, 1, 1), 3, 0.1),
]


def owed(group: tuple[int, ...]) -> float:
    """What all cuts take of a group, by definition: penalty · floor(Σ numerators / divisor)."""
    total = 0.0
    for cut in CUTS:
        numerators = dict(zip(cut.records, cut.numerators))
        total += cut.penalty * (sum(numerators.get(v, 0) for v in group) // cut.divisor)
    return total


def test_rules_list_each_record_with_its_cuts() -> None:
    rules = rules_of(CUTS, 7)
    for record in range(7):
        own = slice(rules.start[record], rules.start[record + 1])
        listed = list(zip(rules.cut[own].tolist(), rules.numerator[own].tolist()))
        assert listed == [
            (t, a) for t, cut in enumerate(CUTS) for v, a in zip(cut.records, cut.numerators) if v == record
        ]
    assert rules.divisor.tolist() == [2, 3, 3] and rules.penalty.tolist() == [0.3, 0.2, 0.1]
    assert rules_of([], 3).start.tolist() == [0, 0, 0, 0]


def test_penalties_are_those_of_whole_groups() -> None:
    groups = [g for size in (2, 3, 4) for g in combinations(range(7), size)]
    listed = np.array([[*g, -1, -1][:4] for g in groups], np.int64)
    sizes = np.array([len(g) for g in groups], np.int64)
    found = penalties(rules_of(CUTS, 7), listed, sizes)
    np.testing.assert_allclose(found, [owed(g) for g in groups], atol=1e-12)
    assert found.max() > 0.3


@njit(cache=True)
def _least(values, most):  # type: ignore[no-untyped-def]
    least, held = np.empty(max(most, 1)), np.int64(0)
    for value in values:
        held = insert(least, held, most, value)
    return least[:held]


@njit(cache=True)
def _walk(problem, squares, place, listed, size, found, most, branches):  # type: ignore[no-untyped-def]
    count = np.zeros(problem.rules.divisor.size, np.int64)
    groups, sizes = np.full((1, size), -1, np.int64), np.zeros(1, np.int64)
    groups, sizes, found, taken = walk(
        problem, squares, place, listed, size, count, groups, sizes, found, most, branches
    )
    return groups, sizes, found, taken, count


@pytest.mark.parametrize("most", [0, 1, 4, 20])
def test_the_least_values_in_order(most: int) -> None:
    values = np.random.default_rng(most).integers(0, 9, 12).astype(float)
    assert _least(values, most).tolist() == sorted(values)[:most]


@pytest.mark.parametrize("seed", range(12))
def test_every_group_of_a_root_below_its_limit_is_found(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, size = 9, 2 + seed % 3
    points = random_points(random, n)
    multipliers = random.random(n)
    order = np.lexsort((np.arange(n), -multipliers)).astype(np.int64)
    squares_of = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    place = seed % 3
    root, rest = order[place], order[place + 1 :]

    def cost(group: tuple[int, ...]) -> float:
        pairs = sum(squares_of[u, v] for u, v in combinations(group, 2))
        return float(pairs / len(group) - multipliers[list(group)].sum() + owed(group))

    costs = {g: cost((int(root), *g)) for g in combinations(sorted(rest.tolist()), size - 1)}
    limit = np.full(n, float(np.quantile(list(costs.values()), 0.5)) + 1e-7)
    problem = Problem(plain(points), nearest_sums(plain(points), 3), multipliers, limit, order, rules_of(CUTS, n))
    squares = np.full(n, np.nan)
    squares[place + 1 :] = squares_of[root, rest]
    listed = np.arange(place + 1, n)
    groups, sizes, found, taken, count = _walk(problem, squares, place, listed, size, 0, 10**6, 10**9)
    got = [tuple(sorted(row[1:].tolist())) for row in groups[:found]]
    assert (groups[:found, 0] == root).all() and (sizes[:found] == size).all()
    assert len(set(got)) == len(got) and set(got) == {g for g, c in costs.items() if c < limit[root]}
    assert not count.any(), "what the cuts count of members is taken back"
    # It ends with one group more than may be, and with one branch more.
    if found > 2:
        assert _walk(problem, squares, place, listed, size, 0, 1, 10**9)[2] == 2
        assert _walk(problem, squares, place, listed, size, 0, 10**6, taken - 1)[3] == taken
