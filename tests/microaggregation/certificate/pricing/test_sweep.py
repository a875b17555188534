"""A pass over all roots: the bound it proves, whatever is truncated; threads, pieces and the deadline."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from oracles.certificate import optimum, random_points

from discreet.microaggregation.certificate.bound import lower_bound
from discreet.microaggregation.certificate.cuts.cut import Cut, penalties_of
from discreet.microaggregation.certificate.pricing.sweep import sweep
from discreet.microaggregation.certificate.space import measure
from discreet.work import Deadline


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
