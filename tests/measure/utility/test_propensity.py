"""pMSE: nothing to tell in a copy, everything in a file of its own kind; and what chance gives."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.utility.absent import Absent
from discreet.measure.utility.columns import MISSING, Numbers, plain_categories, plain_numbers
from discreet.measure.utility.propensity import FEW, SAME, null_pmse, pmse, propensity


def test_by_hand() -> None:
    assert pmse(np.array([0.5, 0.5]), 0.5) == 0
    assert pmse(np.array([0.0, 1.0]), 0.5) == 0.25
    assert null_pmse(5, 0.5, 1000) == pytest.approx(4 * 0.25 / 1000)


def test_a_copy_cannot_be_told_apart_by_regression_nor_another_sample_by_either() -> None:
    rng = np.random.default_rng(0)
    one, two = ([plain_numbers(rng.normal(size=600)), plain_categories(rng.integers(0, 5, 600), 5)] for _ in range(2))
    copy = propensity(one, one, seed=0)
    assert copy.logistic == pytest.approx(0, abs=1e-9) and copy.rows == (600, 600)
    other = propensity(one, two, seed=0)
    assert not isinstance(other.logistic_ratio, Absent) and 0.1 < other.logistic_ratio < 2.5
    assert not isinstance(other.tree_ratio, Absent) and 0.5 < other.tree_ratio < 1.5


def test_the_expected_pmse_is_that_of_random_halves() -> None:
    """So the mean ratio over random halves is about 1."""
    rng = np.random.default_rng(1)
    ratios = []
    for seed in range(30):
        halves = [[plain_numbers(rng.normal(size=300)), plain_numbers(rng.normal(size=300))] for _ in range(2)]
        found = propensity(*halves, seed=seed).logistic_ratio
        assert not isinstance(found, Absent)
        ratios.append(found)
    assert np.mean(ratios) == pytest.approx(1, abs=0.25)


def test_what_is_shifted_or_repeated_is_told_apart() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=1000)
    shifted = propensity([plain_numbers(x)], [plain_numbers(x + 10)], seed=0)
    assert shifted.logistic == pytest.approx(0.25, abs=0.01) and shifted.tree == pytest.approx(0.25, abs=0.01)
    groups = np.repeat(np.sort(x).reshape(-1, 100).mean(axis=1), 100)
    means = propensity([plain_numbers(np.sort(x))], [plain_numbers(groups)], seed=0)
    assert means.tree > 5 * means.logistic  # type: ignore[operator]


def test_blanks_are_told_and_ranges_are_drawn_from() -> None:
    rng = np.random.default_rng(3)
    x = rng.random(800)
    blank = plain_numbers(np.where(rng.random(800) < 0.5, np.nan, x))
    assert propensity([plain_numbers(x)], [blank], seed=0).logistic > 0.04  # type: ignore[operator]
    wide = Numbers(np.floor(x * 10) / 10, np.floor(x * 10) / 10 + 0.1)
    found = propensity([plain_numbers(x)], [wide], seed=0)
    assert not isinstance(found.tree_ratio, Absent) and found.tree_ratio < 1.5
    c = plain_categories(rng.integers(0, 3, 800), 3)
    gone = c._replace(codes=np.full(800, MISSING))
    assert propensity([c], [gone], seed=0).tree == pytest.approx(0.25)


def test_edges() -> None:
    few = plain_numbers(np.arange(19.0))
    assert propensity([few], [few], seed=0).tree == FEW
    constant = plain_numbers(np.full(50, 3.0))
    found = propensity([constant], [constant], seed=0)
    assert found.logistic == 0 and isinstance(found.logistic_ratio, Absent) and isinstance(found.tree_ratio, Absent)
    alike = plain_categories(np.zeros(50, np.int64), 1)
    assert propensity([alike], [alike], seed=0)[:4] == (0.0, SAME, 0.0, SAME)
    nothing = plain_numbers(np.full(50, np.nan))
    assert propensity([nothing], [nothing], seed=0).logistic == 0
    huge = plain_numbers(1e308 * np.linspace(-1, 1, 50))
    assert np.isfinite(propensity([huge], [huge], seed=0).logistic)
    many = plain_categories(np.arange(300), 300)
    assert np.isfinite(propensity([many], [many], seed=0).tree)


def test_the_seed_fixes_it() -> None:
    x = plain_numbers(np.random.default_rng(4).normal(size=300))
    y = Numbers(x.low - 1, x.high + 1)
    assert propensity([x], [y], seed=7) == propensity([x], [y], seed=7)
    assert propensity([x], [y], seed=7) != propensity([x], [y], seed=8)
