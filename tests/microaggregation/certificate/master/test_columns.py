"""The pool of groups: no repetition, costs, partitions as rows."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.problem import renumber


def test_columns_are_kept_once_with_their_cost() -> None:
    points = np.random.default_rng(0).standard_normal((12, 3))
    columns = Columns(measure(points, 3), 5)
    assert list(columns.add(np.array([[3, 1, 2, -1, -1], [0, 4, 5, 6, -1]], np.int32), np.array([3, 4], np.int32))) == [
        0,
        1,
    ]
    assert list(columns.add(np.array([[2, 3, 1]], np.int32), np.array([3], np.int32))) == []
    assert columns.members[0].tolist() == [1, 2, 3, -1, -1]
    assert columns.costs[0] == pytest.approx(np.square(points[1:4] - points[1:4].mean(axis=0)).sum())
    labels = renumber(np.array([0, 1, 2] * 4))
    assert columns.add_partition(labels).size == 3
    assert len(columns.rows_of(labels)) == 3
    for kept, row in zip(columns.subset([1]), columns.groups):
        assert (kept[0] == row[1]).all()
