from __future__ import annotations

import numpy as np
import pytest
from oracles.microaggregation import sse_of_labels

from discreet.errors import InputError
from discreet.microaggregation import problem


def test_standardize_by_standard_deviation() -> None:
    values = np.array([[1.0, 7.0, -2.0], [2.0, 7.0, 0.0], [6.0, 7.0, 5.0]])
    points = problem.standardize(values, "sd")
    np.testing.assert_allclose(points[:, [0, 2]].std(axis=0, ddof=1), 1.0)
    np.testing.assert_allclose(points.mean(axis=0), 0.0, atol=1e-15)
    assert not points[:, 1].any()


def test_standardize_by_range_and_not_at_all() -> None:
    values = np.array([[1.0, 7.0], [2.0, 7.0], [6.0, 7.0]])
    assert problem.standardize(values, "range")[:, 0].tolist() == [0.0, 0.2, 1.0]
    assert problem.standardize(values, "none")[:, 0].tolist() == [1.0, 2.0, 6.0]
    with pytest.raises(InputError, match="sd, range, none"):
        problem.standardize(values, "variance")


@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_extreme_values_neither_overflow_nor_vanish(factor: float) -> None:
    values = np.array([[1.0], [2.0], [4.0]])
    np.testing.assert_allclose(problem.standardize(values * factor), problem.standardize(values), rtol=1e-12)


def test_loss_equals_its_definition() -> None:
    random = np.random.default_rng(1)
    points, labels = random.normal(size=(30, 4)), random.integers(0, 5, 30)
    assert problem.sse(points, labels) == pytest.approx(sse_of_labels(points, labels))
    assert problem.sst(points) == pytest.approx(sse_of_labels(points, np.zeros(30, int)))


def test_members_of_a_group_get_identical_bits_and_constants_survive() -> None:
    values = np.array([[0.1, 3.0], [0.1, 1.0], [0.1, 2.0], [9.0, 0.3], [9.0, 0.1]])
    labels = np.array([1, 1, 1, 0, 0])
    means = problem.centroids(values, labels)
    assert len(np.unique(means, axis=0)) == 2
    assert (means[:3] == [0.1, 2.0]).all()
    assert (means == problem.centroids(values, 1 - labels)).all()


def test_renumber_by_first_appearance() -> None:
    assert problem.renumber(np.array([5, 2, 5, 0])).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("labels", [[0, 0, 1], [0, 0, 0, 0], [0, 0, -1, 0], [0, 0, 0]])
def test_wrong_sizes_are_noticed(labels: list[int]) -> None:
    if labels == [0, 0, 0]:
        problem.check_partition(np.array(labels), 3, 2)
        return
    with pytest.raises(AssertionError):
        problem.check_partition(np.array(labels), len(labels), 2)
