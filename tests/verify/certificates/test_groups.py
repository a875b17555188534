"""The enumeration of groups below a limit, against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import all_groups, plain, random_points, reduced_costs, roots

from discreet.verify.certificates.groups import CUT_OFF, DONE, Found, enumerate_below
from discreet.verify.certificates.reading import Cut
from discreet.verify.certificates.walk import rules_of


@pytest.mark.parametrize("seed", range(40))
def test_the_enumeration_against_brute_force(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, k = int(random.integers(6, 11)), int(random.integers(2, 4))
    points = random_points(random, n)
    groups = all_groups(n, k)
    cuts = [
        Cut(tuple(int(v) for v in random.choice(n, 3, replace=False)), (1, 1, 1), 2, 0.2),
        Cut(tuple(int(v) for v in random.choice(n, 4, replace=False)), (2, 1, 1, 1), 3, 0.1),
    ]
    multipliers = random.random(n)
    triples = [(c.records, c.numerators, c.divisor) for c in cuts]
    costs = reduced_costs(points, groups, multipliers, triples, [c.penalty for c in cuts])
    limit = np.quantile(costs, 0.6) * random.random(n)

    def below(most: int, branches: int) -> Found:
        return enumerate_below(
            plain(points), multipliers, limit, k, rules_of(cuts, n), most=most, branches=branches
        )  # fmt: skip

    found = below(10_000, 10**9)
    assert found.state == DONE
    listed = [tuple(sorted(int(v) for v in row[:size])) for row, size in zip(found.groups, found.sizes)]
    got = set(listed)
    assert len(got) == len(listed)
    want = {g for g, c, r in zip(groups, costs, roots(groups, multipliers)) if c < limit[r]}
    close = {g for g, c, r in zip(groups, costs, roots(groups, multipliers)) if abs(c - limit[r]) < 1e-9}
    assert got - close == want - close
    if len(want - close) > 1:
        assert below(1, 10**9).state == CUT_OFF
        assert found.branches > 0
        assert below(10_000, found.branches - 1).state == CUT_OFF
    assert below(10_000, found.branches).state == DONE


@pytest.mark.parametrize("seed", range(8))
def test_more_groups_and_roots_than_one_piece_holds(seed: int) -> None:
    """Some forty records, several pieces of roots, lists that grow: against all groups of up to three."""
    random = np.random.default_rng(400 + seed)
    points = random_points(random, 40)
    groups = all_groups(40, 2)
    multipliers = random.random(40)
    costs = reduced_costs(points, groups, multipliers, [], [])
    first = roots(groups, multipliers)
    limit = np.quantile(costs, 0.4) * (0.5 + random.random(40))
    found = enumerate_below(plain(points), multipliers, limit, 2, rules_of([], 40), most=10_000, branches=10**9)
    got = {tuple(sorted(int(v) for v in row[:size])) for row, size in zip(found.groups, found.sizes)}
    want = {g for g, c, r in zip(groups, costs, first) if c < limit[r]}
    close = {g for g, c, r in zip(groups, costs, first) if abs(c - limit[r]) < 1e-9}
    assert len(want) > 100
    assert got - close == want - close
