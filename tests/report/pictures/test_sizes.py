"""Group sizes: every group is in one step, and few sizes are steps of their own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.report.pictures.sizes import MOST_SIZES, sizes, steps

pytest.importorskip("matplotlib")


@given(st.lists(st.one_of(st.integers(1, 30), st.integers(1, 10**6)), min_size=1, max_size=300))
def test_every_group_is_counted_in_the_step_of_its_size(members: list[int]) -> None:
    names, counts = steps(np.array(members))
    ends = [(int(name.split("-")[0]), int(name.split("-")[-1])) for name in names]
    assert counts.tolist() == [sum(low <= size <= high for size in members) for low, high in ends]
    assert counts.sum() == len(members) and len(names) <= MOST_SIZES


def test_few_sizes_are_drawn_one_by_one() -> None:
    axis = sizes(np.array([3, 3, 4, 9])).axes[0]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["3", "4", "9"]
    assert [bar.get_height() for bar in axis.patches] == [2, 1, 1]
