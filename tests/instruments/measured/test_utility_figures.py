"""Figures in words and as JSON."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.measured.utility_figures import digits_of, percent, ratio_in_words, shown, within
from discreet.instruments.measured.utility_parts import Totals
from discreet.measure.utility.absent import CONSTANT
from discreet.measure.utility.domains import Estimates


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(7360512.4, 6, "7,360,510"), (99.96, 2, "100"), (0.001619, 2, "0.0016"), (-3.0, 4, "-3"), (0.0, 2, "0")],
)
def test_digits(value: float, digits: int, text: str) -> None:
    assert digits_of(value, digits) == text


def test_absent_figures_say_why() -> None:
    assert shown(CONSTANT) == percent(CONSTANT) == ratio_in_words(CONSTANT, CONSTANT) == CONSTANT.why
    assert ratio_in_words(0.5, CONSTANT) == "0.5"


def test_totals_within_the_interval() -> None:
    before = Estimates(np.array([10.0, 10.0, 10.0]), np.array([1.0, 1.0, np.nan]))
    after = Estimates(np.array([11.0, 12.0, 10.0]), np.ones(3))
    assert within(Totals("x", before, after, np.ones(3))) == pytest.approx([1, 0, np.nan], nan_ok=True)


def test_what_was_not_understood_or_replaced_is_said() -> None:
    before = pd.DataFrame({"x": range(30), "y": range(30), "c": ["a", "b"] * 15})
    after = before.assign(x=["young"] * 30, y=before["y"] + 0.5)
    words = dict(dc.utility(before, after).facts())
    assert "x" in words["not understood"] and "without 1 of 3 columns" in words["penalty (GCP)"]
    told = dc.utility(before, after, regression="y ~ c + x").to_dict()
    assert told["regression"] is None and "records" in told["absent"]["regression"]
