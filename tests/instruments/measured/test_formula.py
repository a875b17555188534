"""Formulas of regressions: what they may say, and the designs they stand for, against statsmodels' own reading."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from discreet.errors import InputError
from discreet.instruments.measured.columns import Pair, read_pairs
from discreet.instruments.measured.formula import designs, parse


def pairs(before: pd.DataFrame, after: pd.DataFrame) -> dict[str, Pair]:
    return {pair.name: pair for pair in read_pairs(before, after, list(before.columns))}


def test_parts() -> None:
    found = parse(" log(income) ~ age + C(sex)+spending per head ")
    assert found.response == ("log", "income")
    assert found.terms == (("", "age"), ("C", "sex"), ("", "spending per head"))
    assert found.columns == ["income", "age", "sex", "spending per head"]


@pytest.mark.parametrize("text", ["", "income", "income ~", "~ age", "a ~ b ~ c", "a ~ b +", "C(a) ~ b", "a ~ b + b"])
def test_what_is_no_regression(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_as_statsmodels_reads_it() -> None:
    formula = pytest.importorskip("statsmodels.formula.api")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.random(60) + 1, "g": rng.choice(list("bca"), 60), "k": rng.integers(1, 4, 60)})
    frame["y"] = frame["x"] * 2 + frame["k"] + rng.normal(size=60)
    frame.loc[3, "x"] = np.nan
    ours, same = designs(parse("y ~ log(x) + g + C(k)"), pairs(frame, frame))
    other = formula.ols("y ~ C(g) + C(k) + np.log(x)", frame)
    order = [0, 5, 1, 2, 3, 4]
    assert ours.matrix[ours.complete] == pytest.approx(other.exog[:, order])
    assert ours.names == ("intercept", "log(x)", "C(g)[b]", "C(g)[c]", "C(k)[2]", "C(k)[3]")
    assert ours.complete.sum() == 59
    assert np.array_equal(ours.matrix, same.matrix, equal_nan=True)


def test_ranges_sets_and_blanks() -> None:
    before = pd.DataFrame({"y": [1.0, 2, 3, 4, 5], "x": [1, 2, 3, 4, 5], "g": list("abcab")})
    after = pd.DataFrame(
        {"y": [1.0, 2, 3, 4, 5], "x": ["[1, 3]", "2", "*", "", "5"], "g": ["{a, b}", "b", "c", "a", "z"]}
    )
    _, found = designs(parse("y ~ x + g"), pairs(before, after))
    assert found.complete.tolist() == [True, True, False, False, False]
    assert found.matrix[:2].tolist() == [[1, 2, 0.5, 0], [1, 2, 1, 0]]


@pytest.mark.parametrize("text", ["g ~ x", "y ~ log(g)"])
def test_columns_that_do_not_fit(text: str) -> None:
    frame = pd.DataFrame({"y": [1.0, 2], "x": [1, 2], "g": ["a", "b"]})
    with pytest.raises(InputError):
        designs(parse(text), pairs(frame, frame))


def test_too_many_coefficients() -> None:
    frame = pd.DataFrame({"y": np.arange(600.0), "g": [str(i) for i in range(600)]})
    with pytest.raises(InputError, match="coefficients"):
        designs(parse("y ~ g"), pairs(frame, frame))
