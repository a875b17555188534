"""The check of a drawn table against the slow sum over its cells."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.cells.drawn import verify_drawn


@given(st.lists(st.integers(0, 4), min_size=12, max_size=12), st.integers(0, 11), st.integers(-1, 1))
def test_a_change_of_one_cell_is_seen(numbers: list[int], cell: int, change: int) -> None:
    counts = np.array(numbers, np.int64).reshape(2, 3, 2)
    margins = {(0, 1): counts.sum(axis=2), (2,): counts.sum(axis=(0, 1))}
    places = np.argwhere(np.ones(counts.shape, np.bool_))
    moved = counts.reshape(-1).copy()
    moved[cell] += change
    assert verify_drawn(counts.shape, margins, places, moved).safe == (change == 0)


def test_margins_alone_decide() -> None:
    """A swap that keeps all margins is as good; negative counts are not."""
    counts = np.array([[1, 2], [3, 4]])
    margins = {(0,): counts.sum(axis=1), (1,): counts.sum(axis=0)}
    places = np.argwhere(np.ones((2, 2), np.bool_))
    assert verify_drawn((2, 2), margins, places, np.array([2, 1, 2, 5])).safe
    assert not verify_drawn((2, 2), margins, places, np.array([-1, 4, 5, 2])).safe
