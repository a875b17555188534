"""The published rows: one record's other columns beside its set's boxes and means, fresh ids, totals by domain."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.instruments.protect.publishing import as_numbers, fresh_ids


@given(st.lists(st.integers(-1, 5)))
def test_ids_are_numbered_by_first_appearance(units: list[int]) -> None:
    found = fresh_ids(np.array(units, np.int64))
    assert [one is None for one in found] == [unit < 0 for unit in units]
    seen = list(dict.fromkeys(unit for unit in units if unit >= 0))
    assert found == [None if unit < 0 else seen.index(unit) + 1 for unit in units]


def test_whole_numbers_stay_whole_and_others_become_floats() -> None:
    assert as_numbers(["12", None, "-3"]) == [12, None, -3]
    big = str(10**25)
    assert as_numbers([big]) == [10**25], "no digit is lost"
    found = as_numbers(["0.5", None, "3"])
    assert found.dtype == float and np.isnan(found[1]) and found[[0, 2]].tolist() == [0.5, 3.0]


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    random = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "name": [f"p{i}" for i in range(36)],
            "age": random.integers(20, 60, 36),
            "sex": np.where(random.random(36) < 0.5, "f", "m"),
            "pay": random.integers(1, 99, 36) * 10,
            "rent": [f"{v:.2f}" for v in random.uniform(1, 9, 36)],
            "w": random.integers(1, 5, 36) + 0.5,
            "ill": [f"i{i}" for i in range(36)],
        }
    )


def test_a_row_shows_its_set_and_carries_its_record(frame: pd.DataFrame) -> None:
    result = dc.protect(
        frame, 3, identifiers=["name", "w"], keys=["age", "sex"], numeric=["pay", "rent"], sensitive=["ill"],
        random_state=1, accept=["ill"],
    )  # fmt: skip
    data = result.data.reset_index(drop=True)
    assert "name" not in data.columns and sorted(data["ill"]) == sorted(frame["ill"])
    drawn = result.drawn
    rows = drawn.origin[drawn.order]
    assert data["ill"].tolist() == frame["ill"].iloc[rows].tolist()
    sets = result.sets
    for place, row in enumerate(drawn.order.tolist()):
        number = sets.of_row[row]
        own = sets.records[sets.start[number] : sets.start[number + 1]]
        ages = frame["age"].iloc[own]
        low, high = int(ages.min()), int(ages.max())
        assert str(data["age"][place]) == (str(low) if low == high else f"[{low}, {high}]")
        assert abs(float(data["pay"][place]) - frame["pay"].iloc[own].mean()) < 1
        assert rows[place] in own, "a row carries what one of its set has"
    assert isinstance(data["rent"][0], str), "a column of text stays one"


def test_weighted_totals_are_there_only_with_a_weight(frame: pd.DataFrame) -> None:
    roles = {"keys": ["sex"], "numeric": ["pay"], "leave": ["ill", "rent", "age"], "accept": ["ill", "rent", "age"]}
    plain = dc.protect(frame.drop(columns="w"), 3, identifiers=["name"], random_state=1, **roles)
    assert plain.domains == ()
    found = dc.protect(frame, 3, identifiers=["name"], weight="w", random_state=1, **roles)
    told = {(one.column, one.value): one for one in found.domains}
    for value, own in frame.groupby("sex"):
        assert told["sex", value].before == pytest.approx(own["w"].sum())
    assert sum(told["sex", value].after for value in "fm") == pytest.approx(found.data["w"].astype(float).sum())
