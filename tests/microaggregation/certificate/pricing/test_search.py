"""The search from a root against brute force: every group below the limit, once, with its reduced cost."""

from __future__ import annotations

import numpy as np
import pytest
from microaggregation.certificate.pricing.instances import instance

from discreet.microaggregation.certificate.cuts.cut import penalties_of
from discreet.microaggregation.certificate.pricing.search import no_penalties
from discreet.microaggregation.certificate.pricing.sweep import sweep
from discreet.microaggregation.certificate.space import measure


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


@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_each_root_and_size_are_kept(seed: int) -> None:
    _, points, k, groups, _, _, multipliers, _ = instance(7000 + seed)
    space, n = measure(points, k), len(points)
    penalties = no_penalties(n)
    plain = sweep(space, multipliers, k, 1e9, keep=0, penalties=penalties)
    best = sweep(space, multipliers, k, 1e9, keep=2, penalties=penalties)
    assert len(plain.sizes) == len(groups)

    def by_root(found):  # type: ignore[no-untyped-def]
        out: dict[tuple[int, int], list[float]] = {}
        for members, size, cost in zip(found.members.tolist(), found.sizes.tolist(), found.reduced.tolist()):
            out.setdefault((members[0], size), []).append(cost)
        return {key: sorted(values) for key, values in out.items()}

    every, kept = by_root(plain), by_root(best)
    assert every.keys() == kept.keys()
    for key, values in every.items():
        assert kept[key] == pytest.approx(values[:2], abs=1e-9)
