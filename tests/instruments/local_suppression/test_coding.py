"""Top and bottom coding and recoding: what values become, in every kind of frame, and what is refused."""

from __future__ import annotations

from datetime import date
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discreet as dc

FRAME = pd.DataFrame({"age": [3, 40, 85, 97], "income": [-1.5, 0.0, 2.5, 9e9], "region": ["N", "S", None, "W"]})


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_caps_keep_kind_and_type(kind: Any) -> None:
    frame = kind(FRAME)
    top = dc.top_code(frame, {"age": 85, "income": 100})
    assert type(top.data) is type(frame)
    found = {name: list(pd.Series(top.data[name])) if kind is not pa.Table.from_pandas else top.data[name].to_pylist()
             for name in ("age", "income")}  # fmt: skip
    assert found == {"age": [3, 40, 85, 85], "income": [-1.5, 0.0, 2.5, 100.0]}
    assert top.changed == {"age": 1, "income": 1}
    assert top.kinds == {"age": (4, 3), "income": (4, 4)}
    bottom = dc.bottom_code(top.data, {"income": 0})
    assert bottom.changed == {"income": 1}
    assert "int" in str(pd.DataFrame(top.data.to_pandas() if hasattr(top.data, "to_pandas") else top.data)["age"].dtype)


def test_dates_and_text_are_capped_exactly() -> None:
    frame = pd.DataFrame({"born": ["1901-05-03", "1950-01-01"], "code": ["9" * 30, "2"]})
    assert dc.bottom_code(frame, {"born": date(1920, 1, 1)}).data["born"].tolist() == ["1920-01-01", "1950-01-01"]
    assert dc.top_code(frame, {"code": 5}).data["code"].tolist() == ["5", "2"]


def test_a_cap_that_nothing_reaches_changes_nothing() -> None:
    found = dc.top_code(FRAME, {"age": 200})
    assert found.data.equals(FRAME)
    assert found.changed == {"age": 0}


def test_categories_merge_by_a_mapping() -> None:
    found = dc.recode(FRAME, "region", {"N": "north", "W": "other", "S": "other"})
    assert found.data["region"].fillna("").tolist() == ["north", "other", "", "other"]
    assert found.kinds == {"region": (3, 2)}
    some = dc.recode(FRAME, "age", {97: "old"})
    assert some.data["age"].tolist() == ["3", "40", "85", "old"]
    truth = dc.recode(pd.DataFrame({"x": [True, False]}), "x", {True: "yes", False: "no"})
    assert truth.data["x"].tolist() == ["yes", "no"]


def test_labels_of_a_level() -> None:
    rows = [("N", "land", "*"), ("S", "land", "*"), ("W", "sea", "*")]
    found = dc.recode(FRAME, "region", hierarchy=rows)
    assert found.data["region"].dropna().tolist() == ["land", "land", "sea"]
    assert dc.recode(FRAME, "region", hierarchy=rows, level=0).changed == {"region": 0}


def test_numbers_and_dates_are_cut() -> None:
    found = dc.recode(FRAME, "age", cuts=[18, 65, 85])
    assert found.data["age"].tolist() == ["< 18", "[18, 65)", ">= 85", ">= 85"]
    days = pd.DataFrame({"born": ["1901-05-03", "1950-01-01"]})
    cut = dc.recode(days, "born", cuts=[date(1950, 1, 1)])
    assert cut.data["born"].tolist() == ["< 1950-01-01", ">= 1950-01-01"]


def test_what_comes_out_goes_on() -> None:
    frame = dc.datasets.survey(300, seed=2)[["age", "sex"]]
    wide = dc.recode(dc.top_code(frame, {"age": 80}).data, "age", cuts=range(10, 80, 10)).data
    fine, coarse = (dc.suppress_locally(one, 3, keys=["age", "sex"]).suppressed for one in (frame, wide))
    assert coarse < fine


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dc.top_code(FRAME, {}), "mapping"),
        (lambda: dc.top_code(FRAME, 5), "mapping"),  # type: ignore[arg-type]
        (lambda: dc.top_code(FRAME, {"hat": 5}), "hat"),
        (lambda: dc.top_code(FRAME, {"region": 5}), "caps are for numbers"),
        (lambda: dc.top_code(FRAME, {"age": "old"}), "does not fit the column"),
        (lambda: dc.recode(FRAME, "age"), "one of mapping"),
        (lambda: dc.recode(FRAME, "age", {3: "x"}, cuts=[1]), "one of mapping"),
        (lambda: dc.recode(FRAME, "age", {4: "x"}), "1 values that the column does not have"),
        (lambda: dc.recode(FRAME, "age", {3: ""}), "must not be empty"),
        (lambda: dc.recode(FRAME, "age", cuts=[]), "cuts of 'age' must be"),
        (lambda: dc.recode(FRAME, "age", cuts=[60, 20]), "rising"),
        (lambda: dc.recode(FRAME, "region", cuts=[60]), "cuts of 'region' must be"),
        (lambda: dc.recode(FRAME, "region", hierarchy=[("N", "n", "*"), ("S", "s", "*")]), "misses 1 values"),
        (lambda: dc.recode(FRAME, "region", hierarchy=[("N", "*"), ("S", "*"), ("W", "*")], level=7), "levels"),
        (lambda: dc.recode(FRAME, "region", hierarchy=[("N", "*"), ("S", "*"), ("W", "*")], level=-1), "level"),
        (lambda: dc.recode(FRAME, "hat", {3: "x"}), "hat"),
    ],
)
def test_faults(call: Any, words: str) -> None:
    with pytest.raises(dc.InputError, match=words):
        call()
