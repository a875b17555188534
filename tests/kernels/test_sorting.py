"""Sorting in kernels, against numpy's stable sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from discreet.kernels.sorting import sort_along, stable_order


@njit
def _order(keys: np.ndarray) -> np.ndarray:
    return stable_order(keys)


@njit
def _along(value: np.ndarray, payload: np.ndarray, count: int) -> None:
    sort_along(value, payload, count)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@given(st.lists(st.integers(-5, 5), max_size=200))
def test_equal_keys_stay_in_order(dtype: type, keys: list[int]) -> None:
    array = np.array(keys, dtype)
    assert _order(array).tolist() == np.argsort(array, kind="stable").tolist()


@given(st.lists(st.integers(-50, 50).map(float), max_size=120), st.integers(0, 5))
def test_values_carry_their_payload(values: list[float], left: int) -> None:
    array, payload = np.array(values), np.arange(len(values))
    count = max(0, len(values) - left)
    _along(array, payload, count)
    assert array[:count].tolist() == sorted(values[:count])
    assert sorted(payload[:count].tolist()) == list(range(count))
    assert [values[x] for x in payload] == array.tolist()
    assert array[count:].tolist() == values[count:]
