from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.risk.intervals import interval_disclosure


def test_by_hand() -> None:
    published = np.array([[0.0, 0.0], [10.0, 1.0], [20.0, 2.0]])  # standard deviations 10 and 1
    original = published + np.array([[0.4, 0.0], [0.6, 0.0], [0.0, 0.06]])
    found = interval_disclosure(original, published)
    assert found.together == pytest.approx(1 / 3)
    assert found.by_column == pytest.approx([2 / 3, 2 / 3])
    assert interval_disclosure(original, published, width=0.1).together == 1


def test_one_record_is_told_only_by_itself() -> None:
    assert interval_disclosure(np.array([[1.0]]), np.array([[1.0]])).together == 1
    assert interval_disclosure(np.array([[1.0]]), np.array([[1.1]])).together == 0
