from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from discreet.solvers.assignment import FORBIDDEN, assign, column_minima, whole

NOTHING_HELD = np.empty(0, np.int32)


def _cost(n: int, top: int, seed: int, forbidden: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    cost = rng.integers(0, top, (n, n)).astype(np.int32)
    block = rng.random((n, n)) < forbidden
    block[np.arange(n), np.arange(n)] = False
    cost[block] = FORBIDDEN
    return cost


def _optimum(cost: np.ndarray) -> int:
    rows, columns = linear_sum_assignment(cost.astype(np.float64))
    return int(cost[rows, columns].astype(np.int64).sum())


@settings(max_examples=150, deadline=None)
@given(
    n=st.integers(1, 40),
    top=st.sampled_from([2, 5, 100, 1 << 24]),
    seed=st.integers(0, 10**6),
    forbidden=st.sampled_from([0.0, 0.3, 0.8]),
    keep=st.booleans(),
)
def test_agrees_with_scipy_and_proves_it(n: int, top: int, seed: int, forbidden: float, keep: bool) -> None:
    cost = _cost(n, top, seed, forbidden)
    v = np.random.default_rng(seed).integers(-top, top, n).astype(np.int32)
    if not keep:
        column_minima(cost, v)
    column = assign(cost, v, np.arange(n if keep else 0, dtype=np.int32))
    assert sorted(column) == list(range(n))
    total = cost[np.arange(n), column].astype(np.int64).sum()
    assert total == _optimum(cost)
    u = cost[np.arange(n), column].astype(np.int64) - v[column]
    assert (u[:, None] + v[None, :] <= cost).all()  # the duals are feasible, so the total is a lower bound


def test_a_row_keeps_its_column_where_nothing_is_better() -> None:
    cost = np.full((6, 6), 7, np.int32)
    assert assign(cost, np.zeros(6, np.int32), np.arange(6, dtype=np.int32)).tolist() == list(range(6))


@pytest.mark.parametrize("n", [300, 700])
def test_larger_blocks(n: int) -> None:
    cost = _cost(n, 50, n)
    v = np.empty(n, np.int32)
    column_minima(cost, v)
    column = assign(cost, v, NOTHING_HELD)
    assert cost[np.arange(n), column].sum() == _optimum(cost)


def test_whole_keeps_the_order_of_real_costs() -> None:
    cost = np.random.default_rng(0).random((20, 20))
    scaled, unit = whole(cost)
    assert np.abs(scaled * unit - cost).max() <= unit
    assert whole(np.zeros((2, 2)))[1] == 1.0
