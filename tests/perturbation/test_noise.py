from __future__ import annotations

import numpy as np
import pytest

from discreet.perturbation.noise import additive, correlated, restored, root, spreads
from discreet.perturbation.randoms import Randoms


@pytest.fixture(scope="module")
def values() -> np.ndarray:
    rng = np.random.default_rng(1)
    common = rng.normal(size=50_000)
    x = np.stack([common, common + 0.5 * rng.normal(size=50_000), rng.lognormal(size=50_000)], axis=1)
    return x * [1.0, 1000.0, 1e-3] + [0.0, 5e4, 1.0]


NAMES = ["a", "b", "c"]


def test_additive_noise_has_its_size_and_no_correlation(values: np.ndarray) -> None:
    e = (additive(values, 0.3, Randoms.of(1), NAMES) - values) / values.std(axis=0, ddof=1)
    assert e.std(axis=0) == pytest.approx([0.3] * 3, rel=0.02)
    assert np.abs(np.corrcoef(e, rowvar=False) - np.eye(3)).max() < 0.02


def test_correlated_noise_keeps_correlations_and_restored_covariances(values: np.ndarray) -> None:
    noisy = correlated(values, 0.5, Randoms.of(1), NAMES)
    before = np.cov(values, rowvar=False)
    scale = np.sqrt(np.outer(np.diag(before), np.diag(before)))
    assert (np.cov(noisy, rowvar=False) / scale) == pytest.approx(1.25 * before / scale, abs=0.03)
    back = restored(values, noisy, 0.5)
    assert (np.cov(back, rowvar=False) / scale) == pytest.approx(before / scale, abs=0.03)
    assert back.mean(axis=0) == pytest.approx(values.mean(axis=0), abs=0.02 * values.std(axis=0).max())


def test_the_root_of_a_covariance_is_one(values: np.ndarray) -> None:
    rng = np.random.default_rng(2)
    half = rng.normal(size=(4, 3))
    for covariance in (half @ half.T, np.cov(values, rowvar=False), np.zeros((2, 2)), np.diag([1e12, 1e-12])):
        found = root(covariance)
        assert found.T @ found == pytest.approx(covariance, rel=1e-9, abs=1e-9 * max(np.diag(covariance).max(), 1e-9))


def test_noise_of_a_column_does_not_depend_on_the_others(values: np.ndarray) -> None:
    alone = additive(values[:, 1:2], 0.3, Randoms.of(1), ["b"])
    assert (alone[:, 0] == additive(values, 0.3, Randoms.of(1), NAMES)[:, 1]).all()


def test_what_is_missing_stays_so(values: np.ndarray) -> None:
    holes = values[:100].copy()
    holes[::7, 1] = np.nan
    for noisy in (f(holes, 0.1, Randoms.of(1), NAMES) for f in (additive, correlated)):
        assert (np.isnan(noisy[:, 1]) == np.isnan(holes[:, 1])).all()
    assert np.isfinite(additive(holes, 0.1, Randoms.of(1), NAMES)[:, 0]).all()
    assert spreads(np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, 5.0]])).tolist() == [np.sqrt(2.0), 0.0]
