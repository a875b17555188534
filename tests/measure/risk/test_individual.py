from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.risk.individual import individual
from tests.oracles import risk as oracle

SHARES = (1e-6, 1e-4, 0.01, 0.1, 0.3, 0.49, 0.4999999, 0.5, 0.51, 0.7, 0.9, 0.99, 0.999999)


@pytest.mark.parametrize("f", [1, 2, 3, 5, 10, 20, 50, 120, 199, 200, 201, 202, 1000, 10**6])
@pytest.mark.parametrize("p", SHARES)
def test_exact_risk_to_twelve_digits(f: int, p: float) -> None:
    F = f / p
    expected = oracle.individual_by_steps(f, F) if p < 0.01 and f <= 200 else oracle.individual(f, F)
    found = individual(np.array([float(f)]), np.array([F]), exact=True)[0]
    assert found == pytest.approx(expected, rel=1e-12)
    assert 0 < found <= 1


@pytest.mark.parametrize("f", [1, 2, 7, 60])
def test_both_slow_forms_agree(f: int) -> None:
    assert oracle.individual_by_steps(f, f / 0.2) == pytest.approx(oracle.individual(f, f / 0.2), rel=1e-14)


@given(f=st.floats(1, 400), p=st.floats(1e-5, 1))
def test_always_a_probability_and_never_below_one_in_all(f: float, p: float) -> None:
    for exact in (False, True):
        found = individual(np.array([f]), np.array([f / p]), exact=exact)[0]
        assert 0 < found <= 1
        assert found >= 0.999999 * min(1.0, p / f), "1/F at least, as 1/x is convex"


def test_counted_where_all_were_drawn_and_clamped_where_weights_are_below_one() -> None:
    f = np.array([1.0, 2.0, 7.0, 1.0])
    assert individual(f, np.array([1.0, 2.0, 7.0, 0.5]), exact=True).tolist() == [1, 0.5, 1 / 7, 1]


def test_the_approximation_is_at_most_four_percent_too_high() -> None:
    f, p = np.meshgrid(np.arange(1.0, 60.0), np.linspace(0.001, 1.0, 200))
    f, F = f.ravel(), (f / p).ravel()
    ratio = individual(f, F) / individual(f, F, exact=True)
    assert ratio.min() > 1 - 1e-12
    assert 1.03 < ratio.max() < 1.045


def test_a_match_that_counts_in_part_lies_between_whole_ones() -> None:
    f = np.array([1.0, 1.5, 2.0, 2.5, 3.0])
    found = individual(f, f / 0.05, exact=True)
    assert (np.diff(found) < 0).all()
