"""RoundingMST gives partitions and keeps whole solutions."""

from __future__ import annotations

import numpy as np
from oracles.certificate import padded, whole_master

from discreet.microaggregation.certificate.paper.rounding_mst import rounding_mst
from discreet.microaggregation.problem import check_partition, renumber


def test_rounding_gives_partitions() -> None:
    for seed in range(20):
        points = np.random.default_rng(seed).standard_normal((12, 2))
        members, _, _, _, _, x = whole_master(points, 3)
        for labels in rounding_mst(12, 3, members, x):
            check_partition(renumber(labels), 12, 3)


def test_a_whole_solution_is_kept() -> None:
    members = padded([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 4, 8)], 5)
    labels = rounding_mst(9, 3, members, np.array([1.0, 1.0, 1.0, 0.0]))[0]
    assert np.array_equal(renumber(labels), np.arange(9) // 3)
