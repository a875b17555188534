"""What a report shows: nothing of the data but to those who hold it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc

RARE, SECRET = "Nowhere-on-Sea", 987654321


@pytest.fixture(scope="module")
def found() -> dc.Utility:
    people = dc.datasets.survey(120, seed=2)[["region", "age", "income"]]
    people.loc[0, ["region", "income"]] = [RARE, SECRET]
    noisy = people.assign(income=people["income"] + np.random.default_rng(0).integers(-9, 9, 120))
    return dc.utility(people, noisy, by="region", regression="income ~ age + region")


def test_the_figures_hold_no_value_of_the_data(found: dc.Utility) -> None:
    told = json.dumps(found.to_dict())
    assert RARE not in told and str(SECRET) not in told
    shown = found.summary() + found.to_frame().to_csv()
    assert RARE not in shown and str(SECRET) not in shown


def test_what_shows_values_or_exact_figures_is_confidential(found: dc.Utility) -> None:
    public = [section for section in found.sections() if not section.confidential]
    assert [section.title for section in public] == ["In short"]
    for section in public:
        for _, value in section.rows:
            digits = str(value).lstrip("0.").replace(".", "")
            assert len(digits.split("e")[0]) <= 3  # two digits, or 100
    whole = str(found.sections())
    assert RARE in whole  # so there is something to hide


def test_the_page(found: dc.Utility, tmp_path: Path) -> None:
    page = found.report(tmp_path / "u.html").read_text()
    for words in ("What is left, column by column", "Totals by domain", "Regression income"):
        assert words in page
    assert "<svg" in page


def test_a_dash_is_explained() -> None:
    frame = pd.DataFrame({"x": [1.0] * 30, "c": ["a", "b"] * 15})
    section = next(s for s in dc.utility(frame, frame).sections() if s.title.startswith("What is left"))
    assert "–" in str(section.rows) and "constant column" in section.text


def test_the_least_overlapping_totals_come_first(found: dc.Utility) -> None:
    table = next(s for s in found.sections() if s.title == "Totals by domain")
    overlaps = [float(str(row[-1])) for row in table.rows]
    assert overlaps == sorted(overlaps) and table.columns[0] == "region"
