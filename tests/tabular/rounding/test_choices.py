"""What rounding may do to each cell against the multiples next to its value, one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.tabular.rounding.choices import all_cells, small_counts

VALUES = st.lists(st.integers(-20, 20), min_size=1, max_size=8)


@given(VALUES, st.integers(2, 7))
def test_every_cell_goes_to_a_multiple_next_to_it(values: list[int], base: int) -> None:
    value = np.array(values, np.int64)
    found = all_cells(value, base, np.ones_like(value))
    for a, low, high, free in zip(values, found.low.tolist(), found.high.tolist(), found.free.tolist()):
        near = sorted({m for m in range(-30, 31) if m % base == 0 and abs(m - a) < base})
        assert sorted({a + low, a + high}) == near
        assert free == (len(near) == 2)


@given(VALUES, st.integers(2, 7), st.data())
def test_only_small_innermost_counts_turn(values: list[int], base: int, data: st.DataObject) -> None:
    value = np.array(values, np.int64)
    inner = np.array(data.draw(st.lists(st.booleans(), min_size=value.size, max_size=value.size)))
    reach = np.full(value.size, -9), np.full(value.size, 9)
    plain = small_counts(value, base, np.ones_like(value), inner)
    wide = small_counts(value, base, np.ones_like(value), inner, reach)
    for at, a in enumerate(values):
        small = bool(inner[at]) and 0 < abs(a) < base
        expected = ({0, base} if a > 0 else {-base, 0}) if small else {a}
        assert {a + plain.low[at], a + plain.high[at]} == expected
        assert plain.free[at] == small
        assert (wide.low[at], wide.high[at]) == ((plain.low[at], plain.high[at]) if inner[at] else (-9, 9))


def test_weighted_distance_is_exact_beyond_machine_numbers_and_outside_names_cells() -> None:
    choices = all_cells(np.array([7, 10, 13]), 5, np.array([1 << 62, 1, 1 << 62]))
    assert choices.distance(np.array([-2, 0, 2])) == 4
    assert choices.weighted(np.array([-2, 0, 2])) == 1 << 64
    assert choices.outside(np.array([-7, 0, 2])).tolist() == [0]
    assert choices.outside(np.array([3, 5, -3])).tolist() == [1]
