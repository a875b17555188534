"""What is credited to a root never exceeds its best group, whatever is truncated, stopped or too much."""

from __future__ import annotations

import numpy as np
import pytest
from microaggregation.certificate.pricing.instances import instance
from oracles.certificate import roots

from discreet.microaggregation.certificate.cuts.cut import penalties_of
from discreet.microaggregation.certificate.pricing.roots import Asked, Priced, price_roots
from discreet.microaggregation.certificate.pricing.search import no_penalties
from discreet.microaggregation.certificate.pricing.sweep import NO_LIMIT, sweep
from discreet.microaggregation.certificate.space import measure


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


def test_too_many_groups_overflow_and_prove_nothing() -> None:
    points = np.random.default_rng(4).standard_normal((20, 2))
    found = sweep(measure(points, 3), np.full(20, 5.0), 3, 100.0, keep=0, max_columns=50)
    assert found.overflow
    assert np.isneginf(found.roots).any()


def priced(first: int, last: int, *, max_columns: int = NO_LIMIT, stop: int = 0) -> Priced:
    n, k = 14, 3
    points = np.random.default_rng(6).standard_normal((n, 2))
    multipliers = np.linspace(2.0, 1.0, n)
    order = np.argsort(-multipliers, kind="stable").astype(np.int32)
    asked = Asked(k, 2 * k - 1, 0, NO_LIMIT, 0, max_columns)
    return price_roots(
        measure(points, k), multipliers, order, np.zeros(n), first, last, asked, no_penalties(n),
        np.array([stop], np.uint8),
    )  # fmt: skip


def test_pieces_of_roots_say_what_all_at_once_say() -> None:
    whole = priced(0, 14)
    parts = [priced(a, b) for a, b in ((0, 1), (1, 5), (5, 14))]
    assert len(whole.sizes) > 300 and whole.complete.all() and not whole.overflow
    for field in ("members", "sizes", "reduced", "roots"):
        assert np.array_equal(getattr(whole, field), np.concatenate([getattr(part, field) for part in parts])), field
    assert whole.nodes == sum(part.nodes for part in parts)


def test_roots_that_are_not_reached_are_credited_nothing() -> None:
    whole = priced(0, 14)
    stopped = priced(0, 14, stop=1)
    assert np.isneginf(stopped.roots).all() and not stopped.complete.any() and not len(stopped.sizes)
    few = priced(0, 14, max_columns=int(np.isin(whole.members[:, 0], [0, 1, 2]).sum()) + 5)
    reached = np.isfinite(few.roots)
    assert few.overflow and 0 < reached.sum() < 14
    assert np.array_equal(few.roots[reached], whole.roots[reached])
