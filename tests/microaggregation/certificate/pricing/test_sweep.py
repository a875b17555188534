"""Pricing against brute force: what it finds, what it credits to every root, whatever is truncated."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from oracles.certificate import all_groups, optimum, random_points, reduced_costs, roots

from discreet.microaggregation.certificate.bound import lower_bound
from discreet.microaggregation.certificate.cuts.cut import Cut, penalties_of
from discreet.microaggregation.certificate.pricing.sweep import sweep
from discreet.microaggregation.certificate.space import measure
from discreet.work import Deadline

PATTERNS = [((1, 1, 1), 2), ((1, 1, 1, 1, 1), 3), ((2, 1, 1, 1), 3), ((3, 3, 2, 2, 1), 4), ((1, 1, 1, 1, 1), 2)]


def instance(seed: int):
    random = np.random.default_rng(seed)
    n, k = int(random.integers(6, 12)), int(random.integers(2, 5))
    k = min(k, n // 2)
    points = random_points(random, n)
    groups = all_groups(n, k)
    cuts = []
    for _ in range(int(random.integers(0, 7))):
        numerators, divisor = PATTERNS[int(random.integers(len(PATTERNS)))]
        records = random.choice(n, len(numerators), replace=False)
        order = np.argsort(records)
        cuts.append(Cut(tuple(int(records[o]) for o in order), tuple(numerators[o] for o in order), divisor))
    share = optimum(points, k) / n + 1e-3
    weights = share * random.random(len(cuts))
    multipliers = share * (0.3 + 1.2 * random.random(n)) * random.choice([1.0, 1.0, -0.5], n)
    costs = reduced_costs(points, groups, multipliers, cuts, weights)
    return random, points, k, groups, cuts, weights, multipliers, costs


@pytest.mark.parametrize("block", range(6))
def test_enumeration_finds_every_group_below_the_threshold(block: int) -> None:
    for seed in range(40 * block, 40 * block + 40):
        random, points, k, groups, cuts, weights, multipliers, costs = instance(seed)
        threshold = float(np.quantile(costs, 0.9 * random.random()))
        penalties = penalties_of(cuts, weights, len(points))
        found = sweep(measure(points, k), multipliers, k, threshold, keep=0, penalties=penalties)
        got = {tuple(sorted(m[:s])): r for m, s, r in zip(found.members.tolist(), found.sizes, found.reduced)}
        assert len(got) == len(found.sizes)
        scale = 1e-9 * (1 + np.abs(costs).max())
        want = dict(zip(groups, costs))
        assert {g for g, c in want.items() if c < threshold - scale} <= got.keys()
        assert all(abs(want[g] - r) < scale for g, r in got.items())


@pytest.mark.parametrize("block", range(6))
def test_no_root_is_credited_more_than_its_best_group(block: int) -> None:
    for seed in range(1000 + 40 * block, 1040 + 40 * block):
        random, points, k, groups, cuts, weights, multipliers, costs = instance(seed)
        space = measure(points, k)
        penalties = penalties_of(cuts, weights, len(points))
        root = roots(groups, multipliers)
        threshold = float(np.quantile(costs, 0.5 * random.random()))
        least = np.array([min(costs[root == i], default=np.inf) for i in range(len(points))])
        scale = 1e-9 * (1 + np.abs(costs).max())
        for options in (
            {},
            {"node_limit": 0},
            {"node_limit": int(random.integers(1, 6))},
            {"cap": int(random.integers(k, len(points)))},
            {"cap": int(random.integers(k, len(points))), "node_limit": int(random.integers(1, 4))},
        ):
            keep = int(random.integers(1, 3))
            found = sweep(space, multipliers, k, threshold, keep=keep, penalties=penalties, **options)
            assert (found.roots <= np.minimum(least, threshold) + scale).all(), options
            exact = found.complete
            assert np.allclose(found.roots[exact], np.minimum(least, threshold)[exact], atol=scale)


@pytest.mark.parametrize("block", range(5))
def test_any_multipliers_bound_the_optimum(block: int) -> None:
    """Truncated at random node limits, before convergence, with cuts: never above the best partition."""
    tight = 0
    for seed in range(2000 + 200 * block, 2200 + 200 * block):
        random = np.random.default_rng(seed)
        n = int(random.integers(5, 10))
        k = int(random.integers(2, n // 2 + 1))
        points = random_points(random, n)
        best = optimum(points, k)
        space = measure(points, k)
        for _ in range(3):
            multipliers = (best / n + 1e-9) * (0.2 + 1.6 * random.random(n))
            cut = Cut(tuple(int(v) for v in np.sort(random.choice(n, 3, replace=False))), (1, 1, 1), 2)
            weight = np.array([random.random() * best / n])
            penalties = penalties_of([cut], weight, n)
            found = sweep(
                space, multipliers, k, -1e-3 * best * random.random(),
                node_limit=int(random.choice([0, 1, 2, 5, 1 << 40])), penalties=penalties,
            )  # fmt: skip
            bound = lower_bound(
                multipliers, found.roots, k,
                dimension=points.shape[1], best=best, penalties=penalties, charge=float(weight[0]),
            )  # fmt: skip
            assert bound <= best * (1 + 1e-12)
            tight += bound > 0.5 * best
    assert tight > 50, "bounds this weak would never fail"


def test_threads_and_pieces_do_not_change_what_is_found() -> None:
    from discreet.scale import workers

    points = np.random.default_rng(3).standard_normal((60, 3))
    space = measure(points, 3)
    multipliers = np.full(60, 0.4)
    with workers(None) as pool:
        threaded = sweep(space, multipliers, 3, 0.0, executor=pool)
    alone = sweep(space, multipliers, 3, 0.0)
    for a, b in zip(threaded, alone):
        assert np.array_equal(a, b)


def test_too_many_groups_overflow_and_prove_nothing() -> None:
    points = np.random.default_rng(4).standard_normal((20, 2))
    found = sweep(measure(points, 3), np.full(20, 5.0), 3, 100.0, keep=0, max_columns=50)
    assert found.overflow
    assert np.isneginf(found.roots).any()


class Expiring(Deadline):
    """Passes once it has been looked at so many times."""

    def __init__(self, looks: int) -> None:
        super().__init__(None)
        self.looks = looks

    @property
    def passed(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def test_no_time_no_roots_and_no_groups() -> None:
    points = np.random.default_rng(5).standard_normal((40, 2))
    found = sweep(measure(points, 3), np.full(40, 1.0), 3, 0.0, deadline=Deadline(0.0))
    assert np.isneginf(found.roots).all() and not found.complete.any() and not len(found.sizes)


@pytest.mark.parametrize("seed", range(6))
def test_the_deadline_reaches_into_a_piece(seed: int) -> None:
    """Roots come out as without a deadline, or credited nothing."""
    random = np.random.default_rng(seed)
    points = random.standard_normal((300, 3))
    space, multipliers = measure(points, 3), 0.2 * random.random(300) + 0.1
    whole = sweep(space, multipliers, 3, 0.0)
    assert whole.complete.all()
    for seconds in (1e-4, 1e-3, 3e-3, 1e-2):
        with ThreadPoolExecutor(2) as threads:
            found = sweep(space, multipliers, 3, 0.0, executor=threads, deadline=Deadline(seconds))
        assert np.array_equal(found.roots[found.complete], whole.roots[found.complete])
        assert np.isneginf(found.roots[~found.complete]).all()


@pytest.mark.parametrize("seed", range(6))
def test_a_pass_that_the_deadline_cuts_off_proves_nothing(seed: int) -> None:
    random = np.random.default_rng(seed)
    points, k = random.standard_normal((11, 2)), 3
    least = optimum(points, k)
    space = measure(points, k)
    # Twice too much for every record: all of the bound hangs on what the roots are charged.
    multipliers = np.full(11, 2 * least / 11)
    with ThreadPoolExecutor(2) as threads:
        for looks in range(16):
            for pool in (None, threads):
                deadline = Expiring(looks)
                found = sweep(space, multipliers, k, 0.0, executor=pool, deadline=deadline)
                bound = lower_bound(multipliers, found.roots, k, dimension=2, best=least)
                assert bound <= least
                in_time = deadline.looks >= 0
                assert found.complete.all() == in_time
                assert np.isfinite(bound) == in_time
