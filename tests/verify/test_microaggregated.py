"""What a microaggregation claims beyond its classes: means of known values, weights, several sets of columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from verify.microaggregations import gaps, release

import discreet as dc


def test_values_that_are_not_means_are_found() -> None:
    original, published = release()
    published.loc[published["x"] == published["x"].iloc[0], "x"] += 0.01
    verdict = dc.verify(original, published, k=3)
    assert verdict.outcome == "unsafe" and "3 rows are published with a value that is not" in verdict.failures[0]
    assert dc.verify(original, published, k=3, guarantee="classes", quasi_identifiers=["x", "y"])


def test_rounded_means_of_integers_are_accepted_and_rounded_more_are_not() -> None:
    original, published = release()
    published["y"] = published["y"].round().astype(int)
    assert dc.verify(original, published, k=3)
    published["y"] = (published["y"] / 10).round().astype(int) * 10
    assert not dc.verify(original, published, k=3)


def test_means_of_known_values() -> None:
    original, published = gaps()
    verdict = dc.verify(original, published, k=3, quasi_identifiers=["x", "y"], guarantee="microaggregation")
    assert verdict.safe and verdict.figures["filled"] == 2 and verdict.figures["blanked"] == 2
    assert any("means of 3 or more known values" in statement for statement in verdict.proven)
    few = published.copy()
    few.loc[10:14, "x"] = original.loc[10:14, "x"].mean()
    verdict = dc.verify(original, few, k=3, quasi_identifiers=["x", "y"], guarantee="microaggregation")
    assert "5 rows are published with a number though fewer than 3 values" in verdict.failures[0]
    wrong = published.copy()
    wrong.loc[0:4, "x"] = original.loc[0:4, "x"].fillna(0).mean()
    assert not dc.verify(original, wrong, k=3, quasi_identifiers=["x", "y"], guarantee="microaggregation")
    shown = published.copy()
    shown.loc[0, "x"] = np.nan  # whose value is missing tells rows apart
    verdict = dc.verify(original, shown, k=3, quasi_identifiers=["x", "y"], guarantee="microaggregation")
    assert "classes of fewer than 3" in verdict.failures[0]


def test_blanks_are_lost_and_fills_are_not() -> None:
    original, published = gaps()
    names = {"quasi_identifiers": ["x"], "guarantee": "microaggregation"}
    found = dc.verify(original[["x"]], published[["x"]], k=3, **names).figures["information_loss"]
    x, y = original["x"].to_numpy(), published["x"].to_numpy()
    known = ~np.isnan(x)
    mean = x[known].mean()
    lost = ((x[known] - np.where(np.isnan(y[known]), mean, y[known])) ** 2).sum()
    assert found == pytest.approx(100 * lost / ((x[known] - mean) ** 2).sum(), rel=1e-9)


def test_weighted_means() -> None:
    original, _ = release()
    original["w"] = np.arange(30) % 4 + 1.0
    group = np.arange(30) // 3
    published = original.copy()
    for name in ("x", "y"):
        total = (original[name] * original["w"]).groupby(group).transform("sum")
        published[name] = total / original["w"].groupby(group).transform("sum")
    asked = {"k": 3, "quasi_identifiers": ["x", "y"], "guarantee": "microaggregation"}
    verdict = dc.verify(original, published, weight="w", **asked)
    assert verdict.safe and any("weighted by w" in statement for statement in verdict.proven)
    assert any("weigh far more" in words for words in verdict.limits)
    assert not dc.verify(original, published, **asked)
    assert not dc.verify(original.assign(w=original["w"].where(original.index > 0)), published, weight="w", **asked)
    with pytest.raises(dc.InputError, match="no column named v"):
        dc.verify(original, published, weight="v", **asked)
    with pytest.raises(dc.InputError, match="more than one role"):
        dc.verify(original, published, weight="x", **asked)
    # For classes the weight is published as the mean of each class, and here it was left as it is.
    assert not dc.verify(original, published, k=3, quasi_identifiers=["x"], guarantee="classes", weight="w")


def test_several_sets_of_columns() -> None:
    original, published = release()
    order = np.argsort(original["y"].to_numpy(), kind="stable")
    group = np.empty(30, int)
    group[order] = np.arange(30) // 3
    published["y"] = original["y"].groupby(group).transform("mean")
    asked = {"k": 3, "guarantee": "microaggregation"}
    verdict = dc.verify(original, published, quasi_identifiers=[["x"], ["y"]], **asked)
    assert "someone who knows the columns of all 2 sets" in verdict.failures[0]
    assert verdict.figures["alone_together"] > 0
    accepted = dc.verify(original, published, quasi_identifiers=[["x"], ["y"]], accept=["y"], **asked)
    assert accepted.safe and any("all 2 sets" in limit for limit in accepted.limits)
    assert len([words for words in accepted.proven if "is shared by 3 rows" in words]) == 2
    assert not dc.verify(original, published, quasi_identifiers=["x", "y"], **asked)
    with pytest.raises(dc.InputError, match="more than one set"):
        dc.verify(original, published, quasi_identifiers=[["x"], ["x", "y"]], **asked)


def test_means_at_an_end_of_their_column_are_counted() -> None:
    original = pd.DataFrame({"x": [0, 0, 0, 1, 2, 3, 9, 9, 9], "y": [5] * 9})
    published = pd.DataFrame({"x": [0, 0, 0, 2, 2, 2, 9, 9, 9], "y": [5] * 9})
    claim = {"quasi_identifiers": ["x", "y"], "guarantee": "microaggregation"}
    verdict = dc.verify(original, published, k=3, **claim)
    assert verdict.safe and verdict.figures["extremes"] == 6  # the 2 in the middle may be of any 1, 2, 3
    assert any(words.startswith("6 values that stand as they were") for words in verdict.limits)
    original["x"], published["x"] = [0, 0, 1, 2, 2, 2, 3, 9, 9], [1 / 3] * 3 + [2.0] * 3 + [7.0] * 3
    inner = dc.verify(original, published, k=3, **claim)
    assert inner.safe and "extremes" not in inner.figures
