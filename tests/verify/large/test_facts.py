"""What one pass tells: the same moments, losses and spellings in any parts, and those of numpy on the whole."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.verify.groups import extremes
from discreet.verify.large.facts import Column, Moments

NAN = float("nan")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-50, 50).map(float), st.integers(1, 5).map(float)), min_size=1, max_size=30),
    st.lists(st.integers(0, 30), max_size=4),
    st.booleans(),
)
def test_moments_in_parts_are_those_of_the_whole(
    rows: list[tuple[float, float]], cuts: list[int], weighted: bool
) -> None:
    x, w = (np.array(side) for side in zip(*rows))
    if not weighted:
        w = np.ones_like(x)
    found = Moments()
    ends = [0, *sorted(cuts), len(rows)]
    for a, b in pairwise(ends):
        found.add(x[a:b], w[a:b] if weighted else None)
    mean = np.average(x, weights=w)
    assert found.count == len(rows) and found.weight == w.sum()
    assert found.mean == pytest.approx(mean, abs=1e-12)
    assert found.squares == pytest.approx((w * (x - mean) ** 2).sum(), rel=1e-9, abs=1e-9)
    assert found.about(3.0) == pytest.approx((w * (x - 3.0) ** 2).sum(), rel=1e-9, abs=1e-9)


def test_nothing_has_no_moments() -> None:
    empty = Moments()
    empty.add(np.empty(0), None)
    empty.join(Moments())
    assert empty == Moments() and empty.about(5.0) == 0.0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("parts", [1, 4])
def test_the_loss_is_that_of_the_definition(parts: int, weighted: bool) -> None:
    """Blanked values lose their distance to the mean, filled ones nothing, blank rows count in SST."""
    random = np.random.default_rng(1)
    x = random.normal(size=40)
    y = np.repeat(x.reshape(-1, 4).mean(axis=1), 4)
    x[[5, 6]] = NAN
    y[8:12] = NAN
    away = np.zeros(40, bool)
    away[20:24] = True
    y[away] = NAN
    w = random.integers(1, 4, 40).astype(float) if weighted else np.ones(40)
    found = Column()
    for rows in np.array_split(np.arange(40), parts):
        found.add(x[rows], y[rows], away[rows], w[rows] if weighted else None)
    known, inside = ~np.isnan(x), ~np.isnan(x) & ~away
    mean = np.average(x[inside], weights=w[inside])
    spread = (w[inside] * (x[inside] - mean) ** 2).sum() / w[inside].sum() * inside.sum() / (inside.sum() - 1)
    both = known & ~np.isnan(y)
    lost = (w[both] * (x[both] - y[both]) ** 2).sum() + (w * (x - mean) ** 2)[known & np.isnan(y)].sum()
    total = (w[known] * (x[known] - mean) ** 2).sum()
    assert found.loss(outside=True) == pytest.approx((lost / spread, total / spread), rel=1e-12)
    assert (found.blanked, found.filled) == (8, 2)


def test_columns_say_what_they_hold() -> None:
    found = Column()
    found.add(np.array([1.0, 4.0]), np.array([2.5, 2.5]), None, None)
    assert not found.whole and not found.infinite and (found.low, found.high, found.largest) == (1.0, 4.0, 4.0)
    whole = Column()
    whole.add(np.array([-7.0, NAN]), np.array([2.0, NAN]), None, None)
    assert whole.whole and (whole.low, whole.high, whole.largest) == (-7.0, -7.0, 7.0)
    whole.add(np.array([1.0]), np.array([np.inf]), None, None)
    assert whole.infinite
    constant = Column()
    constant.add(np.full(3, 2.0), np.full(3, 2.0), None, None)
    assert constant.loss(outside=False) == (0.0, 0.0)


def test_spellings_of_zero_and_of_nothing() -> None:
    def noted(*parts: pa.Array) -> tuple[int, int]:
        column = Column()
        for part in parts:
            column.note_signs(part)
        return len(column.zeros), len(column.gaps)

    other = np.array([0x7FF8000000000001], np.uint64).view(np.float64)
    assert noted(pa.array([0.0, 1.0]), pa.array([0.0])) == (1, 0)
    assert noted(pa.array([0.0, 1.0]), pa.array([-0.0])) == (2, 0)
    assert noted(pa.array([NAN, 1.0], from_pandas=False)) == (0, 1)
    assert noted(pa.array([NAN, None], from_pandas=False)) == (0, 2)
    assert noted(pa.array([NAN], from_pandas=False), pa.array(other, from_pandas=False)) == (0, 2)
    assert noted(pa.array([0, None])) == (0, 0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=20), st.integers(1, 20))
def test_numbers_at_an_end_are_counted_in_parts(rows: list[tuple[int, int]], size: int) -> None:
    x, y = (np.array([NAN if value == 4 else value for value in side], float) for side in zip(*rows))
    column = Column()
    for a in range(0, len(rows), size):
        column.add(x[a : a + size], y[a : a + size], None, None)
    assert column.extremes == extremes(x, y)
