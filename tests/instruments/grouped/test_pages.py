"""What the report says of means and totals is so, for the file at hand."""

from __future__ import annotations

from math import fsum

import numpy as np
import pandas as pd
import pytest

import discreet as dc

MONEY = ["income", "spending"]


def people() -> pd.DataFrame:
    return dc.datasets.survey(90, seed=8)[["region", "sex", *MONEY]].assign(w=np.arange(90) % 7 + 1.0)


def kept(result: dc.Microaggregation) -> str:
    return result.sections()[0].text.split(". ")[0]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "Means and totals are kept"),
        ({"weight": "w"}, "Means and totals, weighted by w, are kept"),
        ({"by": "sex"}, "within each sex too"),
        ({"round": True}, "whole numbers"),
    ],
)
def test_means_and_totals(asked: dict[str, object], words: str) -> None:
    frame = people()
    result = dc.microaggregate(frame, 4, columns=MONEY, method="mdav", **asked)
    assert words in kept(result)
    weights = frame["w"] if "weight" in asked else 1.0
    for name in MONEY:
        before, after = (fsum((table[name] * weights).tolist()) for table in (frame, result.data))
        if "exactly" in kept(result):
            assert before == after
        elif "round" not in asked:
            assert before == pytest.approx(after, rel=1e-12)
    if "round" in asked:
        assert "income" in kept(result) and "spending" not in kept(result).split("not kept")[0]


def test_where_they_are_not_kept_it_is_said_why() -> None:
    frame = people()
    frame["income"] = frame["income"].astype(float).where(frame.index % 9 > 0)
    known = dc.microaggregate(frame, 4, columns=MONEY, method="mdav", missing="known")
    assert "income are not kept" in kept(known) and "hold their group's mean" in kept(known)
    blank = dc.microaggregate(frame, 4, columns=MONEY, method="mdav", missing="suppress")
    assert "spending are not kept" in kept(blank) and "10 known values are blank" in kept(blank)
    assert "80 persons without a gap" in blank.sections()[1].text
    for result in (known, blank):
        change = (result.data["spending"].mean() - frame["spending"].mean()) / frame["spending"].abs().mean()
        told = result.sections()[0].text
        assert ("less than" in told and abs(change) < 0.1) or "10 % or more" in told
        assert result.plot().axes and result.plot("sizes").axes


def test_nothing_tells_a_blanked_value() -> None:
    """The exact change of a total, beside the published file, would be the one value that was blanked."""
    frame = people()
    frame["income"] = frame["income"].astype(float).where(frame.index < 80)
    texts = [s.text for s in dc.microaggregate(frame, 4, columns=MONEY, missing="suppress").sections()]
    total = frame["income"].sum()
    assert not any(f"{total:.0f}" in text for text in texts)


def test_several_sets_and_a_heavy_record() -> None:
    frame = people()
    frame.loc[0, "w"] = 1e6
    result = dc.microaggregate(frame, 4, columns=[["income"], ["spending"]], weight="w", accept=["spending"])
    words = result.sections()[1].text
    assert "columns of all sets" in words and "one record has 100 % of the weight" in words
    labels = pd.Series(list(map(tuple, result.labels.tolist())))
    few = int((labels.groupby(labels).transform("size") < 4).sum())
    assert f"{few} of 90 records" in words


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_numbers_near_the_end_of_the_scale_have_a_page(sign: float) -> None:
    """Their sum is no number; what is said of totals is about parts of them."""
    values = np.linspace(1e307, 1.7e308, 30) * np.where(np.arange(30) % 2, sign, 1.0)
    with np.errstate(all="ignore"):
        sections = dc.microaggregate(pd.DataFrame({"x": values, "y": np.arange(30.0)}), 3).sections()
    assert any("Means and totals are kept" in section.text for section in sections)
