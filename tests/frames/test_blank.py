"""Single cells left blank in every kind of frame; everything else stays."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from frames.kinds import KINDS, as_lists

from discreet.frames.blank import leave_blank

COLUMNS: dict[str, list[Any]] = {
    "whole": [1, 2, 3],
    "text": ["a", None, "c"],
    "float": [1.5, 2.5, 3.5],
    "truth": [True, False, True],
    "day": [date(2020, 1, 1), date(2020, 1, 2), date(2020, 1, 3)],
}
MASK = np.array([False, False, True])


@pytest.mark.parametrize("kind", KINDS)
def test_blanks_are_null_and_the_rest_stays(kind: str) -> None:
    frame = KINDS[kind](COLUMNS)
    before = as_lists(frame)
    found = as_lists(leave_blank(frame, {name: MASK for name in COLUMNS if name != "float"}))
    assert found == {
        name: values if name == "float" else [*values[:2], None] for name, values in COLUMNS.items()
    } or found == {name: values if name == "float" else [*before[name][:2], None] for name, values in before.items()}
    assert as_lists(frame) == before, "what was given is not touched"


def test_types_are_kept_where_they_hold_null() -> None:
    table = pa.table({"whole": pa.array([1, 2], pa.int8()), "kind": pa.array(["x", "y"]).dictionary_encode()})
    table = table.replace_schema_metadata({"made": "here"})
    mask = np.array([True, False])
    found = leave_blank(table, {"whole": mask, "kind": mask})
    assert found.schema.types == table.schema.types
    assert found.schema.metadata == table.schema.metadata
    assert found.to_pydict() == {"whole": [None, 2], "kind": [None, "y"]}
    frame = pd.DataFrame({"c": pd.Categorical(["x", "y"]), "i": [1, 2], "b": [True, False]}, index=[7, 9])
    blank = leave_blank(frame, dict.fromkeys(frame.columns, mask))
    assert [str(dtype) for dtype in blank.dtypes] == ["category", "float64", "boolean"]
    assert blank.index.tolist() == [7, 9]


def test_whole_numbers_keep_all_their_digits() -> None:
    large = [2**62 + 1, 5, -(2**60) - 1]
    found = leave_blank(pd.DataFrame({"x": large}), {"x": np.array([False, True, False])})
    assert str(found["x"].dtype) == "Int64"
    assert found["x"].tolist()[::2] == large[::2]
    unsigned = leave_blank(pd.DataFrame({"x": np.array([2**63 + 1, 5], np.uint64)}), {"x": np.array([False, True])})
    assert unsigned["x"][0] == 2**63 + 1


def test_nothing_to_blank_changes_nothing() -> None:
    frame = pd.DataFrame({"x": [1, 2]})
    assert leave_blank(frame, {"x": np.zeros(2, bool)})["x"].dtype == np.int64


def test_gaps_of_objects_are_of_one_kind() -> None:
    frame = pd.DataFrame({"x": pd.Series(["a", None, float("nan"), "b"], dtype=object)})
    found = leave_blank(frame, {"x": np.array([True, False, False, False])})["x"].tolist()
    assert found == [None, None, None, "b"]
