"""The nearest rows by value, as sorting all distances finds them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.left.nearest import nearest

VALUES = st.lists(st.integers(-20, 20) | st.just(float("nan")), min_size=1, max_size=25)


@given(VALUES, st.integers(1, 5))
def test_distances_are_the_least(given_values: list[float], m: int) -> None:
    places = np.array(given_values, np.float64)
    held = np.flatnonzero(np.isfinite(places))
    rows, others = nearest(places, m)
    width = min(m, held.size - 1)
    if width < 1:
        assert rows.size == 0
        return
    assert sorted(rows.tolist()) == held.tolist() and others.shape == (held.size, width)
    for row, chosen in zip(rows.tolist(), others.tolist()):
        assert row not in chosen and len(set(chosen)) == width
        best = sorted(abs(places[other] - places[row]) for other in held if other != row)[:width]
        assert np.allclose(sorted(abs(places[other] - places[row]) for other in chosen), best)


def test_among_equal_values_the_order_of_the_file_does_not_choose() -> None:
    rows, others = nearest(np.zeros(300), 2)
    apart = np.abs(others - rows[:, None])
    assert (apart > 2).mean() > 0.9


def test_numbers_near_the_end_of_the_scale_have_distances() -> None:
    rows, others = nearest(np.array([-1.7e308, 1.7e308, 1.6e308]), 1)
    assert dict(zip(rows.tolist(), others[:, 0].tolist())) == {0: 2, 1: 2, 2: 1}
