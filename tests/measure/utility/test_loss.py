from __future__ import annotations

import numpy as np
import pytest

from discreet.measure import column_losses, information_loss, linkage_risk, moments


def test_a_hand_computed_loss() -> None:
    x = np.array([[0.0, 5.0], [2.0, 5.0], [10.0, 5.0], [12.0, 5.0]])
    y = np.array([[1.0, 5.0], [1.0, 5.0], [11.0, 5.0], [11.0, 5.0]])
    # Squared errors 4 · 1, variation 36 + 16 + 16 + 36; the constant column costs nothing.
    assert information_loss(x, y) == pytest.approx(100 * 4 / 104)
    assert information_loss(x, y, "range") == pytest.approx(100 * 4 / 104)
    assert column_losses(x, y) == pytest.approx([100 * 4 / 104, 0.0])


def test_extremes() -> None:
    x = np.random.default_rng(0).normal(size=(50, 3))
    assert information_loss(x, x) == 0.0
    assert information_loss(x, np.broadcast_to(x.mean(axis=0), x.shape)) == pytest.approx(100.0)
    assert information_loss(np.ones((5, 2)), np.ones((5, 2))) == 0.0


def test_scaling_a_column_changes_nothing_under_sd() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(40, 2)), rng.normal(size=(40, 2))
    factor = np.array([1000.0, 0.001])
    assert information_loss(x * factor, y * factor) == pytest.approx(information_loss(x, y))
    assert information_loss(x * factor, y * factor, "none") != pytest.approx(information_loss(x, y, "none"))


def test_moments_of_an_unchanged_table() -> None:
    x = np.random.default_rng(2).normal(size=(30, 3))
    kept = moments(x, x)
    assert kept["sd_kept"] == pytest.approx(np.ones(3))
    assert kept["correlation_change"] == pytest.approx(np.zeros(3))


def test_linkage_risk_is_one_over_the_class_size_where_classes_are_far_apart() -> None:
    y = np.repeat(np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]]), 4, axis=0)
    x = y + np.random.default_rng(3).normal(size=y.shape)
    assert linkage_risk(x, y) == pytest.approx(0.25)
    assert linkage_risk(x, x) == pytest.approx(1.0)


def test_columns_with_gaps_and_weights() -> None:
    """Over what was known; a blank is the mean of all, and a gap that was filled costs nothing."""
    x = np.array([[0.0, 1.0], [2.0, np.nan], [10.0, 5.0], [12.0, 9.0]])
    y = np.array([[1.0, 3.0], [1.0, 3.0], [np.nan, 3.0], [np.nan, 9.0]])
    blank = (10 - 6) ** 2 + (12 - 6) ** 2
    assert column_losses(x, y) == pytest.approx([100 * (2 + blank) / 104, 100 * 8 / 32])
    w = np.array([3.0, 1.0, 1.0, 1.0])
    mean = 24 / 6
    total = 3 * mean**2 + 4 + 36 + 64
    assert column_losses(x, y, w)[0] == pytest.approx(100 * (3 + 1 + 36 + 64) / total)
    assert column_losses(np.full((3, 1), np.nan), np.full((3, 1), np.nan)) == pytest.approx([0.0])


def test_known_values_without_weight_lose_nothing() -> None:
    x = np.array([[1.0], [2.0], [np.nan]])
    assert column_losses(x, x + 1, np.array([0.0, 0.0, 1.0])).tolist() == [0.0]
