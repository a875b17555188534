"""Partitions to begin with: all valid, many different, the same for any number of threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from drawn import scattered
from oracles.microaggregation import as_groups, sse_of_labels

from discreet.microaggregation.certificate.partitions.starts import start_partitions
from discreet.microaggregation.constructions.mdav import mdav
from discreet.work import Deadline


def found(points: np.ndarray, k: int, threads: int, seed: int = 0, limit: float | None = None) -> list[np.ndarray]:
    with ThreadPoolExecutor(threads) as pool:
        return start_partitions(
            points, k, descents=3, annealings=3, proposals=20.0, seed=seed, deadline=Deadline(limit), executor=pool
        )


def test_every_partition_has_groups_of_k_to_twice_k_and_the_first_improves_on_mdav() -> None:
    for k in (2, 3):
        points = scattered(40, 2, seed=k)
        every = found(points, k, 1)
        assert len(every) == 6
        for labels in every:
            sizes = np.unique(labels, return_counts=True)[1]
            assert labels.size == 40 and sizes.min() >= k and sizes.max() <= 2 * k - 1
        assert sse_of_labels(points, every[0]) <= sse_of_labels(points, mdav(points, k)) + 1e-12
        assert len({frozenset(as_groups(labels)) for labels in every}) > 1, "variety is what they are for"


def test_threads_change_nothing_and_the_seed_does() -> None:
    points = scattered(40, 3, seed=5)
    one = [labels.tolist() for labels in found(points, 3, 1)]
    assert one == [labels.tolist() for labels in found(points, 3, 3)]
    assert one != [labels.tolist() for labels in found(points, 3, 1, seed=1)]


def test_a_deadline_that_has_passed_leaves_one() -> None:
    assert len(found(scattered(30, 2, seed=0), 3, 1, limit=0.0)) == 1
