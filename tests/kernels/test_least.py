"""The t least values, against sorting all of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from discreet.kernels.least import insert, insert_copies, insert_item, least_sum

VALUES = st.lists(st.integers(-3, 8).map(float), max_size=30)


@njit
def _one_by_one(values: np.ndarray, t: int) -> np.ndarray:
    least, held = np.empty(t), 0
    for value in values:
        held = insert(least, held, value)
    return least[:held]


@njit
def _with_copies(values: np.ndarray, copies: np.ndarray, t: int) -> np.ndarray:
    least, held = np.empty(t), 0
    for x in range(values.size):
        held = insert_copies(least, held, values[x], copies[x])
    return least[:held]


@njit
def _with_items(values: np.ndarray, t: int) -> tuple[np.ndarray, np.ndarray]:
    least, items, held = np.empty(t), np.empty(t, np.int32), 0
    for x in range(values.size):
        held = insert_item(least, items, held, values[x], x)
    return least[:held], items[:held]


@njit
def _sum(values: np.ndarray, t: int) -> tuple[float, np.ndarray]:
    least = np.empty(t)
    return least_sum(values, values.size, least), least


@given(VALUES, st.integers(0, 6))
def test_one_by_one(values: list[float], t: int) -> None:
    assert _one_by_one(np.array(values), t).tolist() == sorted(values)[:t]


@given(st.lists(st.tuples(st.integers(-3, 8).map(float), st.integers(-1, 4)), max_size=12), st.integers(0, 9))
def test_with_copies(pairs: list[tuple[float, int]], t: int) -> None:
    values, copies = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs], np.int64)
    expected = sorted(value for value, times in pairs for _ in range(times))[:t]
    assert _with_copies(values, copies, t).tolist() == expected


@given(VALUES, st.integers(0, 6))
def test_with_items(values: list[float], t: int) -> None:
    order = sorted(range(len(values)), key=values.__getitem__)[:t]
    least, items = _with_items(np.array(values), t)
    assert items.tolist() == order
    assert least.tolist() == [values[x] for x in order]


@given(VALUES, st.integers(0, 6))
def test_their_sum(values: list[float], t: int) -> None:
    t = min(t, len(values))
    total, least = _sum(np.array(values), t)
    assert least.tolist() == sorted(values)[:t]
    assert total == sum(sorted(values)[:t])
