from __future__ import annotations

import numpy as np

from discreet.solvers.neighbours import _tree, nearest


def test_neighbours_equal_sorting_all_distances() -> None:
    points = np.random.default_rng(1).normal(size=(700, 3))
    all_pairs = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(all_pairs, np.inf)
    expected = np.argsort(all_pairs, axis=1)[:, :9]
    for index, distance in (nearest(points, 9), _tree(points, 9)):
        assert (index == expected).all()
        np.testing.assert_allclose(distance, np.take_along_axis(all_pairs, expected, 1))


def test_neighbours_of_equal_records_exclude_the_record() -> None:
    for index, _ in (nearest(np.zeros((40, 2)), 5), _tree(np.zeros((40, 2)), 5)):
        assert index.shape == (40, 5)
        assert (index != np.arange(40)[:, None]).all()
