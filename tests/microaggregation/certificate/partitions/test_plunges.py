"""Plunges over listed groups against brute force."""

from __future__ import annotations

import numpy as np
from oracles.certificate import listed_groups, optimum

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.partitions.plunges import plunge
from discreet.microaggregation.groups import Groups
from discreet.microaggregation.problem import check_partition, sse
from discreet.work import Deadline


def test_dives_end_in_partitions_and_mostly_in_the_best() -> None:
    reached = 0
    for seed in range(40):
        random = np.random.default_rng([seed, 9])
        n = int(random.integers(6, 10))
        k = int(random.integers(2, n // 2 + 1))
        points = random.standard_normal((n, 2))
        best = optimum(points, k)
        groups = Groups(*listed_groups(points, k))
        cuts = (Cut((0, 1, 2), (1, 1, 1), 2),) if seed % 2 else ()
        labels = plunge(groups, cuts, n, 3.0 * best, Deadline(None))
        if labels is None:
            continue
        check_partition(labels, n, k)
        assert sse(points, labels) >= best - 1e-9
        reached += sse(points, labels) < best + 1e-9
        # There is nothing below the best.
        assert plunge(groups, cuts, n, best * (1 - 1e-9), Deadline(None)) is None
    assert reached >= 36
