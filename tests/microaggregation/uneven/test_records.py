"""Records with weights and gaps: what a partition of them loses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.uneven import losses, published

from discreet.microaggregation.problem import sse, sst, standardize
from discreet.microaggregation.uneven.records import blanks, coordinates, uneven_records, uneven_sse, uneven_sst


def drawn(seed: int, n: int = 9, d: int = 2, gaps: float = 0.3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((n, d)) < gaps, np.nan, rng.integers(0, 9, (n, d)).astype(float))
    return values, rng.integers(1, 6, n) / 4, rng.integers(0, 3, n)


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_losses_are_those_of_the_definition(seed: int, k: int) -> None:
    values, weights, labels = drawn(seed)
    labels = np.unique(labels, return_inverse=True)[1]
    records = uneven_records(values, weights, "sd")[0]
    error, total = losses(values, weights, labels.tolist(), k)
    assert uneven_sse(records, labels, k) == pytest.approx(error, rel=1e-9, abs=1e-12)
    assert uneven_sst(records) == pytest.approx(total, rel=1e-9, abs=1e-12)
    shown = published(values, weights, labels.tolist(), k)
    assert blanks(records, labels, k).tolist() == [[y is None for y in row] for row in shown]


@pytest.mark.parametrize("scale", ["sd", "range", "none"])
def test_without_gaps_and_with_equal_weights_nothing_is_new(scale: str) -> None:
    rng = np.random.default_rng(1)
    values = rng.lognormal(size=(40, 3))
    labels = np.arange(40) // 5
    points = standardize(values, scale)
    records = uneven_records(values, np.full(40, 7.0), scale)[0]
    assert uneven_sse(records, labels, 5) == pytest.approx(sse(points, labels), rel=1e-9)
    assert uneven_sst(records) == pytest.approx(sst(points), rel=1e-9)
    assert coordinates(records).shape == (40, 3)


def test_very_large_and_very_small_numbers() -> None:
    values = np.array([[1e308, 1e-300], [-1e308, 2e-300], [5e307, np.nan], [1e308, 7e-300]])
    records = uneven_records(values, np.array([1e300, 2e300, 1e300, 1e300]), "sd")[0]
    assert np.isfinite(records.values).all() and records.weights.mean() == pytest.approx(1)


def test_records_with_a_gap_stand_apart() -> None:
    values = np.array([[0.0, 1.0], [0.0, np.nan], [0.0, 3.0], [0.0, np.nan]])
    points = coordinates(uneven_records(values, None, "sd")[0])
    assert points.shape == (4, 3)
    np.testing.assert_array_equal(points[1], points[3])
    assert points[1, 2] > 0 == points[0, 2]
