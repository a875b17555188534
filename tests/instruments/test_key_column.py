"""Keys as what they are: dates and orders in boxes, caps and least levels, confirmed by the checker."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.generalization.calendar import by_age
from discreet.generalization.hierarchy import by_interval

DAYS = [datetime.date(1950, 1, 3) + datetime.timedelta(days=37 * (i * 7 % 30)) for i in range(30)]
AGES = [(i * 11) % 60 + 40 for i in range(30)]


def people() -> pd.DataFrame:
    words = pd.Categorical([("low", "mid", "high")[i % 3] for i in range(30)], ["low", "mid", "high"], ordered=True)
    return pd.DataFrame({"born": pd.to_datetime(DAYS), "age": AGES, "school": words, "sick": ["a", "b", "c"] * 10})


def boxes(result: Any, name: str) -> list[list[int]]:
    """Per published row the originals that its box was made to cover."""
    assert name in result.quasi_identifiers
    return [result.matches[box].tolist() for box in result.boxes.tolist()]


@pytest.mark.parametrize("kind", ["timestamps", "dates", "objects", "text", "polars"])
def test_dates_are_widened_to_ranges_of_dates(kind: str) -> None:
    texts = [day.isoformat() for day in DAYS]
    frame: Any = {
        "timestamps": people()[["born"]],
        "dates": pa.table({"born": DAYS}),
        "objects": pd.DataFrame({"born": DAYS}),
        "text": pd.DataFrame({"born": texts}),
        "polars": pl.DataFrame({"born": DAYS}),
    }[kind]
    result = dc.generalize(frame, 3, quasi_identifiers=["born"], random_state=1)
    for rows, text in zip(
        boxes(result, "born"), result.data["born"].to_list() if kind != "dates" else result.data["born"].to_pylist()
    ):
        found = sorted(texts[row] for row in rows)
        assert text == f"[{found[0]}, {found[-1]}]"
    span = (max(DAYS) - min(DAYS)).days
    widths = [(max(DAYS[r] for r in rows) - min(DAYS[r] for r in rows)).days / span for rows in boxes(result, "born")]
    assert result.gcp == pytest.approx(np.mean(widths))
    assert result.verify().safe
    assert not dc.verify(frame, result.data, k=4, quasi_identifiers=["born"], guarantee="matchings").safe


def test_an_order_costs_its_steps_and_survives_where_nothing_is_widened() -> None:
    frame = people()
    result = dc.generalize(frame[["school"]], 3, quasi_identifiers=["school"], random_state=1)
    assert result.data["school"].dtype == frame["school"].dtype
    few = (
        frame[["school"]].iloc[[0, 0, 0, 0, 2, 2, 2, 1]].reset_index(drop=True)
    )  # a lone "mid" lies between the others
    result = dc.generalize(few, 4, quasi_identifiers=["school"], random_state=1)
    assert "{high, low}" not in set(result.data["school"])
    assert (
        result.gcp
        < dc.generalize(few.astype({"school": str}), 4, quasi_identifiers=["school"], random_state=1).gcp + 1e-12
    )
    enum = pl.DataFrame({"x": pl.Series(["b", "a"] * 4, dtype=pl.Enum(["b", "a"]))})
    assert dc.generalize(enum, 4, quasi_identifiers=["x"]).data["x"].dtype == enum["x"].dtype


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 120), min_size=6, max_size=20), st.integers(0, 120), st.integers(0, 120))
def test_nothing_beyond_a_cap_is_published(ages: list[int], one: int, other: int) -> None:
    bottom, top = sorted((one, other))
    frame = pd.DataFrame({"age": ages})
    result = dc.generalize(frame, 2, quasi_identifiers=["age"], caps={"age": (bottom, top)}, random_state=1)
    capped = [min(max(age, bottom), top) for age in ages]
    for rows, text in zip(boxes(result, "age"), result.data["age"]):
        found = sorted(capped[row] for row in rows)
        assert text == (f"[{found[0]}, {found[-1]}]" if found[0] < found[-1] else str(found[0]))
    assert result.claim()["caps"] == {"age": {"bottom": str(bottom), "top": str(top)}}
    if min(ages) < bottom or max(ages) > top:
        plain = {**result.claim(), "caps": None}
        assert not dc.verify(frame, result.data, **plain).safe


def test_a_least_level_is_never_undercut() -> None:
    frame = pd.DataFrame({"age": AGES, "sick": ["a", "b", "c"] * 10})
    tree = by_interval(AGES, [5, 10, 20])
    result = dc.generalize(
        frame, 2, quasi_identifiers=["age"], hierarchies={"age": tree}, levels={"age": 2}, random_state=1
    )
    coarse = {label for row in tree.rows() for label in row[2:]}
    assert set(result.data["age"]) <= coarse
    assert result.widened == {"age": 30}
    assert result.verify().safe
    with pytest.raises(dc.InputError, match="no hierarchy"):
        dc.generalize(frame, 2, quasi_identifiers=["age"], levels={"age": 1})
    with pytest.raises(dc.InputError, match="whole number"):
        dc.generalize(frame, 2, quasi_identifiers=["age"], hierarchies={"age": tree}, levels={"age": -1})


def test_birth_dates_are_published_as_ages() -> None:
    frame = people().assign(born=DAYS)
    on = datetime.date(2024, 12, 31)
    tree = by_age([day.isoformat() for day in DAYS], on, [5, 10])
    result = dc.generalize(
        frame, 3, quasi_identifiers=["born"], hierarchies={"born": tree}, levels={"born": 1}, random_state=1
    )
    assert not any("-" in text for text in result.data["born"])
    assert result.verify().safe


def test_missing_values_and_levels() -> None:
    frame = pd.DataFrame({"x": ["a", "b", "c", None] * 3})
    rows = [("a", "ab", "*"), ("b", "ab", "*"), ("c", "rest", "*"), ("", "rest", "*")]
    for missing, texts in (("value", {"ab", "rest"}), ("wildcard", {"ab", "rest"})):
        result = dc.generalize(
            frame, 2, quasi_identifiers=["x"], hierarchies={"x": rows}, levels={"x": 1}, missing=missing, random_state=1
        )
        assert set(result.data["x"].dropna()) <= {*texts, "*"}
        assert result.verify().safe


def test_a_cap_and_a_hierarchy_go_together() -> None:
    frame = pd.DataFrame({"age": [40, 85, 91, 104] * 3})
    tree = by_interval([40, 85, 91, 104], [10])
    result = dc.generalize(frame, 3, quasi_identifiers=["age"], hierarchies={"age": tree}, caps={"age": 85})
    assert set(result.data["age"]) <= {"40", "85", "*"}
    assert result.verify().safe


def test_digits_of_text_are_categories_unless_named(tmp_path: Path) -> None:
    frame = pd.DataFrame({"zip": [f"{i % 6:03d}" for i in range(12)]})
    result = dc.generalize(frame, 3, quasi_identifiers=["zip"], random_state=1)
    assert any(text.startswith("{0") for text in result.data["zip"])
    named = dc.generalize(frame, 3, quasi_identifiers=["zip"], numeric=["zip"], random_state=1)
    assert any(text.startswith("[") for text in named.data["zip"])
    assert result.verify().safe
    assert named.verify().safe
    with pytest.raises(dc.InputError, match="holds other text"):
        dc.generalize(frame.assign(zip="x"), 3, quasi_identifiers=["zip"], numeric=["zip"])


def test_l_is_over_what_is_known() -> None:
    frame = pd.DataFrame({"x": range(12), "sick": ["flu", None, "cold", "flu", "cold", None] * 2})
    result = dc.generalize(frame, 4, quasi_identifiers=["x"], sensitive="sick", l=2, random_state=1)
    assert result.verify().safe
    for person in range(12):
        rows = [q for q, covered in enumerate(boxes(result, "x")) if person in covered]
        assert len({result.data["sick"][q] for q in rows} - {None, np.nan}) >= 2
    with pytest.raises(dc.InfeasibleError, match="too many are missing"):
        dc.generalize(frame, 2, quasi_identifiers=["x"], sensitive="sick", l=2)
    one = dc.generalize(frame, 3, quasi_identifiers=["x"], sensitive="sick", l=1, random_state=1)
    assert one.verify().safe
    blank = pd.DataFrame({"x": range(4), "sick": ["flu", "cold", None, None]})
    with pytest.raises(dc.InfeasibleError):
        dc.generalize(blank, 2, quasi_identifiers=["x"], sensitive="sick", l=2)
