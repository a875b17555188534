"""A microaggregation in plain language says what is so, and only that."""

from __future__ import annotations

import pandas as pd

import discreet as dc
from discreet.instruments.statements.grouped import lost, statement

FRAME = dc.datasets.survey(60, seed=1)[["region", "sex", "income", "spending", "savings"]]


def said(result: dc.Microaggregation) -> str:
    return " ".join(sentence for _, sentences in statement(result).questions() for sentence in sentences)


def test_the_usual() -> None:
    result = dc.microaggregate(FRAME, 3, columns=["income", "spending"], method="mdav")
    words = said(result)
    assert "in the columns income, spending, the mean of its group" in words and "3 records or more" in words
    assert "once in 3 times at most" in words and "Means and totals of the file are kept" in words
    assert "proven" not in words and "weighted" not in words and "stay within" not in words
    assert statement(result).heading == "Numbers published as means of groups of at least 3 records"


def test_what_is_said_only_where_it_is_so() -> None:
    columns = ["income", "spending"]
    assert "stay within the values of sex" in said(dc.microaggregate(FRAME, 3, columns=columns, by=["sex"]))
    assert "weighted by w." in said(dc.microaggregate(FRAME.assign(w=2.5), 3, columns=columns, weight="w"))
    sets = said(dc.microaggregate(FRAME, 3, columns=[["income"], ["spending"]]))
    assert "each set is protected by itself" in sets and sets.count("the mean of its group") == 2
    proven = dc.microaggregate(FRAME[:20], 3, columns=columns, certify=True, random_state=1)
    assert "It is proven that no grouping" in said(proven)
    whole = said(dc.microaggregate(FRAME.round(0).astype({"income": int}), 3, columns=["income"], round=True))
    assert "whole numbers" in whole and "are kept" not in whole
    assert said(dc.microaggregate(FRAME, 1, columns=columns, allow_unprotected=True)).count("Nobody") == 1


def test_gaps() -> None:
    gaps = pd.DataFrame({"x": [1.0, 2.0, None, 4.0, 5.0, 6.0, 7.0, 8.0], "y": [3.0, 1.0, 4.0, 1.5, 5.0, 9.0, 2.0, 6.0]})
    assert "class of their own" in said(dc.microaggregate(pd.concat([gaps] * 3), 3, missing="suppress"))


def test_losses_to_two_digits() -> None:
    result = dc.microaggregate(FRAME, 3, columns=["income", "spending"], method="mdav")
    rows = {name: float(text) for name, text in lost(result).rows}
    assert set(rows) == {"income", "spending"} and not lost(result).confidential
    mean = sum(rows.values()) / 2  # columns have equal weight, each scaled by its deviation
    assert abs(mean - result.information_loss) < 0.02 * result.information_loss + 0.05
