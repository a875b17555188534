from __future__ import annotations

import numpy as np
from drawn import cases, scattered
from entries import entry
from hypothesis import given
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions import endings
from discreet.microaggregation.constructions.endings import split_large
from discreet.microaggregation.problem import check_partition, renumber

join_nearest = entry(endings.join_nearest)


def test_large_groups_are_split_without_loss() -> None:
    points = scattered(40, 2, 1)
    labels = np.repeat([0, 1], [25, 15])
    split = split_large(points, labels, 4)
    check_partition(renumber(split), 40, 4)
    assert oracle.sse_of_labels(points, split) < oracle.sse_of_labels(points, labels)


@given(cases)
def test_leftover_records_join_the_nearest_centroid(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    labels = np.arange(n) % (n // k)
    rest = np.random.default_rng(seed).choice(np.arange(n // k, n), min(k - 1, n - n // k), replace=False)
    labels[rest] = -1
    groups = [np.flatnonzero(labels == p).tolist() for p in range(n // k)]
    join_nearest(points, labels, n // k)
    assert oracle.as_groups(labels) == oracle.frozen(oracle.join_nearest(points, groups, sorted(rest.tolist())))
