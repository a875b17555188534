"""Correlations before and after; collinear and constant columns say so."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.utility.absent import Absent
from discreet.measure.utility.correlations import COLLINEAR, FEW, INCOMPLETE, correlation, correlations


def test_as_numpy_has_them_and_weights_repeat_records() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 3)) * [1e9, 1, 1e-9]
    assert correlation(x, np.ones(40)) == pytest.approx(np.corrcoef(x.T))
    times = rng.integers(1, 4, 40)
    assert correlation(x, times.astype(float)) == pytest.approx(np.corrcoef(np.repeat(x, times, axis=0).T))


def test_by_hand() -> None:
    x = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 1.0]])
    y = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.5]])
    ones = np.ones(3)
    found = correlations(x, y, ones, ones)
    r = np.corrcoef(y.T)[0, 1]
    assert found.largest == found.mean == pytest.approx(r)
    assert found.eigenvalues == pytest.approx(2 * r)  # 1 and 1 become 1 + r and 1 − r
    assert found.il_correl == pytest.approx(0)  # both have equal entries on the diagonal of the inverse


def test_nothing_changed() -> None:
    x, ones = np.random.default_rng(1).normal(size=(30, 4)), np.ones(30)
    assert correlations(x, x, ones, ones)[:4] == (0, 0, 0, 0)


def test_columns_that_tell_nothing() -> None:
    rng = np.random.default_rng(2)
    x, ones = rng.normal(size=(20, 3)), np.ones(20)
    flat = x.copy()
    flat[:, 1] = 7.0
    assert correlations(x, flat, ones, ones).columns.tolist() == [0, 2]
    assert correlations(x[:, :2], flat[:, :2], ones, ones)[:4] == (FEW,) * 4
    assert correlations(x[:, :1], x[:, :1], ones, ones).largest == FEW
    twice = np.stack([x[:, 0], 2 * x[:, 0]], axis=1)
    found = correlations(twice, x[:, :2], ones, ones)
    assert found.eigenvalues == COLLINEAR and not isinstance(found.largest, Absent)
    gaps = x.copy()
    gaps[2:, 0] = np.nan
    assert correlations(x, gaps, ones, ones).largest == INCOMPLETE
    assert correlations(x, x, ones, np.r_[np.ones(2), np.zeros(18)]).largest == INCOMPLETE
