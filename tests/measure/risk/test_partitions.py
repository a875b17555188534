"""The walk over sets is tested by what rests on it (`test_suda`, `test_subsets`); here: one split."""

from __future__ import annotations

import numpy as np

from discreet.measure.risk.partitions import Rows, rooms, split
from tests.entries import entry


def test_small_classes_leave_and_single_rows_of_many_leave_silently() -> None:
    rows = Rows(np.array([[0], [0], [1], [2]], np.int32), np.array([1, 1, 1, 2], np.int32))
    level, scratch = rooms(rows)
    gone = entry(split)(rows, level, scratch, 0, 0, 2)
    assert scratch.left[:gone].tolist() == [2]
    assert level.classes[1] == 1
    assert level.order[1, level.start[1, 0] : level.start[1, 1]].tolist() == [0, 1]
