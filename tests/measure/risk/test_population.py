from __future__ import annotations

import numpy as np
import pytest

from discreet.measure.risk.frequencies import classes
from discreet.measure.risk.population import expected_counts, population_uniques


def test_expected_counts_are_products_of_margins() -> None:
    keys = np.array([[0, 0], [0, 0], [0, 1], [1, 0], [-1, 1]])
    found = classes(keys)
    by_row = expected_counts(keys, found)[found.of]
    assert by_row == pytest.approx([9 / 5, 9 / 5, 6 / 5, 3 / 5, 2 / 5])


def test_all_drawn_leaves_every_unique_unique() -> None:
    keys = np.array([[0, 0], [0, 0], [0, 1], [1, 0]])
    assert population_uniques(keys, classes(keys), np.ones(4)) == (2.0, 2.0)
    found = population_uniques(keys, classes(keys), np.full(4, 3.0))
    v = np.array([3 * 1 / 4, 1 * 3 / 4]) * 2
    assert found.uniques == pytest.approx(np.exp(-v).sum())
    assert found.matches == pytest.approx(((1 - np.exp(-v)) / v).sum())
