"""Quantiles of mixtures of plain values and ranges: the least t with F(t) ≥ p."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.utility import distribution

from discreet.measure.utility.columns import Numbers, plain_numbers
from discreet.measure.utility.quantiles import LEVELS, quantiles

ENTRY = st.tuples(st.integers(-9, 9), st.integers(0, 6), st.integers(1, 3))


@given(st.lists(ENTRY, min_size=1, max_size=10))
def test_the_least_that_reaches_the_level(rows: list[tuple[int, int, int]]) -> None:
    entries = [(float(low), float(low + width), float(w)) for low, width, w in rows]
    low, high, w = np.array(entries).T
    found = quantiles(Numbers(low, high), w)
    assert found is not None
    for level, t in zip(LEVELS, found.tolist()):
        assert distribution(entries, t) >= level - 1e-9
        assert distribution(entries, t - 1e-6) < level + 1e-9


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60))
def test_plain_values_as_numpy_has_them(values: list[int]) -> None:
    x = np.array(values, float)
    found = quantiles(plain_numbers(x), np.ones(x.size))
    # Half a level up or down where n·p is whole: rounding decides there.
    lower, higher = (np.quantile(x, np.clip(np.array(LEVELS) + s, 0, 1), method="inverted_cdf") for s in (-1e-9, 1e-9))
    assert ((lower <= found) & (found <= higher)).all()


def test_nothing_known() -> None:
    assert quantiles(plain_numbers(np.array([np.nan])), np.ones(1)) is None
    assert quantiles(plain_numbers(np.array([1.0])), np.zeros(1)) is None
    one = quantiles(Numbers(np.array([2.0]), np.array([4.0])), np.ones(1), [0.0, 0.5, 1.0])
    assert one == pytest.approx([2.0, 3.0, 4.0])
