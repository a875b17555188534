"""Weighted amounts and places among the largest, against fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.tabular.weighting import largest_places, place_weights, weighted
from tests.oracles.tabular import Tally


@given(
    st.lists(st.tuples(st.integers(-(10**17), 10**17), st.integers(0, 10**16)), min_size=1, max_size=6),
    st.integers(0, 6),
    st.integers(0, 12),
)
def test_weighted_amounts_are_exact_or_rounded_at_the_last_digits(
    pairs: list[tuple[int, int]], decimals: int, weight_decimals: int
) -> None:
    value, weight = (np.array(column, np.int64) for column in zip(*pairs))
    exact = sum(abs(v) * w for v, w in pairs)
    if exact // 10 ** (decimals + weight_decimals) >= 1 << 59:
        return  # too large whatever is rounded: the sum is refused later
    found = weighted(value, decimals, weight, weight_decimals)
    unit = Fraction(1, 10**found.decimals)
    assert found.decimals <= decimals + weight_decimals
    for got, (v, w) in zip(found.amount.tolist(), pairs):
        true = Fraction(v * w, 10 ** (decimals + weight_decimals))
        assert abs(got * unit - true) <= unit / 2
        assert found.decimals < decimals + weight_decimals or got * unit == true


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 10**17), st.integers(0, 3 * 10**6)), min_size=1, max_size=5),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 4),
)
def test_places_are_filled_by_weight(runs: list[list[tuple[int, int]]], top: int) -> None:
    """Amounts so large that products with weights pass 64 bits are among them."""
    runs = [sorted(run, reverse=True) for run in runs]
    size, weight = (np.array(column, np.int64) for column in zip(*(pair for run in runs for pair in run)))
    first = np.cumsum([0] + [len(run) for run in runs])[:-1].astype(np.int64)
    found = largest_places(size, weight, 10**6, first, top)
    for run, got in zip(runs, found.tolist()):
        tally = Tally()
        tally.entries = [(Fraction(x), Fraction(w, 10**6), "") for x, w in run]
        assert got == tally.largest(top, False, Fraction(1))


def test_weights_of_many_decimals_are_compared_to_six() -> None:
    weight, unit = place_weights(np.array([1_234_567_499, 1_234_567_500], np.int64), 9)
    assert (weight.tolist(), unit) == ([1_234_567, 1_234_568], 10**6)
    assert place_weights(np.array([15], np.int64), 1)[1] == 10


def test_a_weight_below_one_takes_a_place_of_its_own() -> None:
    weight, unit = place_weights(np.array([0, 1, 5, 10, 15], np.int64), 1)
    assert (weight.tolist(), unit) == ([0, 10, 10, 10, 15], 10)
