"""Least squares against statsmodels, and what cannot be fitted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.utility.absent import Absent
from discreet.measure.utility.regression import Fit, least_squares

statsmodels = pytest.importorskip("statsmodels.api")


@given(st.integers(0, 1000), st.integers(1, 4), st.integers(6, 40), st.booleans(), st.sampled_from([1e-6, 1.0, 1e7]))
def test_as_statsmodels_has_it(seed: int, p: int, n: int, weighted: bool, unit: float) -> None:
    rng = np.random.default_rng(seed)
    design = np.concatenate([np.ones((n, 1)), unit * rng.normal(size=(n, p - 1))], axis=1)
    y = design @ rng.normal(size=p) + unit * rng.normal(size=n)
    weights = rng.random(n) + 0.1 if weighted else None
    found = least_squares(design, y, weights)
    assert isinstance(found, Fit) and found.rows == n
    other = statsmodels.WLS(y, design, weights=1.0 if weights is None else weights).fit()
    assert found.estimate == pytest.approx(other.params, rel=1e-7, abs=1e-7 * unit)
    low, high = other.conf_int(0.05).T
    assert found.low == pytest.approx(low, rel=1e-6, abs=1e-7 * unit)
    assert found.high == pytest.approx(high, rel=1e-6, abs=1e-7 * unit)


def test_weights_of_zero_have_no_part() -> None:
    rng = np.random.default_rng(0)
    design, y = np.c_[np.ones(20), rng.normal(size=20)], rng.normal(size=20)
    weights = np.r_[np.ones(15), np.zeros(5)]
    found, other = least_squares(design, y, weights), least_squares(design[:15], y[:15])
    assert isinstance(found, Fit) and isinstance(other, Fit) and found.rows == 15
    assert found.estimate == pytest.approx(other.estimate)


@pytest.mark.parametrize(
    ("design", "why"),
    [
        (np.ones((2, 2)), "2 complete records for 2"),
        (np.ones((9, 2)), "collinear"),
        (np.c_[np.ones(9), np.zeros(9)], "does not occur"),
        (np.c_[np.ones(9), np.arange(9), 2 * np.arange(9)], "collinear"),
    ],
)
def test_what_has_no_coefficients(design: np.ndarray, why: str) -> None:  # type: ignore[type-arg]
    found = least_squares(design, np.arange(len(design), dtype=float))
    assert isinstance(found, Absent) and why in found.why
