"""What is told of a margin in part, and what may be concluded from it alone."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.release.offers.partial import Partial


@pytest.mark.parametrize("base", [1, 2, 3, 5, 10])
def test_boxes_of_rounded_counts_are_exactly_what_rounds_so(base: int) -> None:
    counts = np.arange(0, 40)
    partial = Partial(1, "round", (), base)
    low, high = partial.boxes(counts, 99)
    told = partial.told(counts)
    assert (np.abs(told - counts) <= base / 2).all()
    for at in range(counts.size):
        same = counts[told == told[at]]
        assert low[at] == same.min()
        assert high[at] == same.max() or high[at] >= counts[-1]


def test_hidden_counts_are_neither_told_nor_bounded() -> None:
    counts, partial = np.array([4, 1, 7]), Partial(0b11, "suppress", (1,))
    assert partial.told(counts).tolist() == [4, 0, 7]
    low, high = partial.boxes(counts, 12)
    assert (low.tolist(), high.tolist()) == ([4, 0, 7], [4, 12, 7])


@pytest.mark.parametrize("partial", [Partial(3, "suppress", (0, 2)), Partial(5, "round", (), 5)])
def test_written_down_and_read_back(partial: Partial) -> None:
    assert Partial.from_dict(partial.to_dict()) == partial
