"""Overlap of confidence intervals."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.utility.overlap import interval_overlap


@pytest.mark.parametrize(
    ("one", "two", "overlap"),
    [
        ((0, 2), (0, 2), 1.0),
        ((0, 2), (1, 3), 0.5),
        ((0, 4), (1, 2), (1 / 4 + 1) / 2),
        ((0, 1), (2, 3), 0.0),
        ((0, 1), (1, 2), 0.0),
        ((5, 5), (5, 5), 1.0),
        ((5, 5), (6, 6), 0.0),
        ((5, 5), (4, 6), 0.5),
        ((np.nan, np.nan), (0, 1), np.nan),
    ],
)
def test_by_hand(one: tuple[float, float], two: tuple[float, float], overlap: float) -> None:
    ends = [np.array([end], float) for end in (*one, *two)]
    assert interval_overlap(*ends) == pytest.approx([overlap], nan_ok=True)
    assert interval_overlap(*ends[2:], *ends[:2]) == pytest.approx([overlap], nan_ok=True)
