"""NCP: what was widened costs its share of the domain, what was replaced has none."""

from __future__ import annotations

import numpy as np
import pytest

import discreet as dc
from discreet.instruments.measured.columns import read_pairs
from discreet.measure.utility.absent import EMPTY
from discreet.measure.utility.columns import ANYTHING, MISSING, Categories, Numbers, plain_categories, plain_numbers
from discreet.measure.utility.penalty import REPLACED, ncp


def test_numbers() -> None:
    x = plain_numbers(np.array([0.0, 5.0, 10.0, np.nan]))
    assert ncp(x, x) == 0
    widened = Numbers(np.array([0.0, 5.0, -np.inf, np.nan]), np.array([5.0, 5.0, np.inf, np.nan]))
    assert ncp(x, widened) == pytest.approx((0.5 + 0 + 1 + 0) / 4)
    blank = plain_numbers(np.array([0.0, np.nan, np.nan, np.nan]))
    assert ncp(x, blank) == pytest.approx(2 / 4)  # one of the three was blank before
    assert ncp(x, plain_numbers(np.array([0.0, 5.0, 10.0, 3.0]))) == REPLACED
    assert ncp(plain_numbers(np.full(2, 3.0)), Numbers(np.array([3.0, 3.0]), np.array([3.0, 4.0]))) == 0.5
    assert ncp(x, plain_numbers(np.empty(0))) == EMPTY


def test_categories() -> None:
    c = plain_categories(np.array([0, 1, 2, 0]), 3)
    sets = Categories(np.array([0, 1, ANYTHING, MISSING]), np.array([0, 1, 3]), np.array([0, 0, 1]), 3, False)
    assert ncp(c, sets) == pytest.approx((0 + 1 / 2 + 1 + 1) / 4)
    stranger = Categories(np.array([0]), np.array([0, 1]), np.array([3]), 3, False)
    assert ncp(c, stranger) == REPLACED


def test_the_gcp_of_a_release_of_ours() -> None:
    people = dc.datasets.survey(150, seed=1)[["age", "sex", "region"]]
    release = dc.generalize(people, k=3, quasi_identifiers=["age", "sex", "region"], random_state=1)
    pairs = read_pairs(people, release.data, ["age", "sex", "region"])
    assert np.mean([ncp(pair.before, pair.after) for pair in pairs]) == pytest.approx(release.gcp)
