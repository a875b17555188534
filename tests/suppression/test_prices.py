"""Prices: the bound is what the definition says for any prices at all, and steps never make it worse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.suppression import least_classes, price_bound

from discreet.suppression.cover import cover
from discreet.suppression.patterns import patterns_of
from discreet.suppression.prices import PRICE_SCALE, improve_prices, proven
from discreet.suppression.tuples import tuples_of
from discreet.work import Deadline


@given(seed=st.integers(0, 10**6), k=st.integers(2, 4), spread=st.floats(0.0, 5.0))
@settings(deadline=None, max_examples=60)
def test_any_prices_give_a_bound(seed: int, k: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (8, 3))
    cost = rng.integers(1, 4, 3)
    tuples = tuples_of(codes)
    price = np.rint(rng.normal(2.0, spread, tuples.size.size) * PRICE_SCALE).astype(np.int64)
    bound = Fraction(proven(tuples, cost, k, price), PRICE_SCALE)
    named = {tuple(row): Fraction(int(p), PRICE_SCALE) for row, p in zip(tuples.codes.tolist(), price, strict=True)}
    assert bound == price_bound(codes, cost, k, named)
    assert bound <= least_classes(codes, cost, k)


def test_steps_raise_the_bound_above_the_cover() -> None:
    codes = np.random.default_rng(3).integers(0, 4, (200, 4))
    cost = np.ones(4, np.int64)
    tuples = tuples_of(codes)
    start = cover(tuples, cost, 4).cost
    floor = int(tuples.size @ start)
    found = improve_prices(
        patterns_of(tuples, cost, 4), tuples.size, 4, start.astype(np.float64), 1.3 * floor, Deadline(None)
    )
    assert found.bound > floor
    assert (
        abs(proven(tuples, cost, 4, np.rint(found.price * PRICE_SCALE).astype(np.int64)) / PRICE_SCALE - found.bound)
        < 1
    )
