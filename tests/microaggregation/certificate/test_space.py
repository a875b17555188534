"""Distances, neighbors and the SSE of groups, against numpy."""

from __future__ import annotations

import numpy as np
from drawn import cases, scattered
from hypothesis import given
from oracles.certificate import all_groups, group_sse, padded

from discreet.microaggregation.certificate.space import groups_in, measure


@given(cases)
def test_distances_neighbors_and_their_sums(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    space = measure(points, k)
    plain = np.square(points[:, None] - points[None]).sum(axis=2)
    np.testing.assert_allclose(space.distance, plain, rtol=1e-13)
    for v in range(n):
        others = [w for w in range(n) if w != v]
        assert space.near[v].tolist() == sorted(others, key=lambda w: (space.distance[v, w], w))
        rising = np.sort(plain[v, others])
        for t in range(2 * k + 1):
            assert np.isclose(space.near_sum[v, t], rising[:t].sum() if t < n else np.inf)


def test_duplicates_are_near_in_the_order_of_the_records_and_nobody_is_near_itself() -> None:
    space = measure(np.zeros((4, 2)), 2)
    assert space.near.tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]


def test_pairs_of_a_group_add_up_to_its_errors_about_the_mean() -> None:
    points = scattered(8, 2, seed=3)
    listed = all_groups(8, 2)
    sizes = np.array([len(group) for group in listed], np.int32)
    found = groups_in(measure(points, 2), padded(listed, 3), sizes)
    np.testing.assert_allclose(found.costs, [group_sse(points, group) for group in listed], rtol=1e-12, atol=1e-14)
