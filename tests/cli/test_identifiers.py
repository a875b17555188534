"""Columns that are left out, accepted or pointed at: by one error, and by their names alone."""

from __future__ import annotations

import pandas as pd
import pytest

from discreet.cli.identifiers import check_accepted, chosen, notice, without
from discreet.errors import InputError

FRAME = pd.DataFrame({"name": ["Eve", "Bo", "Al"], "zip": ["01", "02", "02"], "age": [30, 30, 41], "pay": [1, 2, 3]})


def test_columns_are_left_out() -> None:
    assert list(without(FRAME, ["zip", "name"]).columns) == ["age", "pay"]
    assert without(FRAME, None) is FRAME
    assert without(FRAME, []) is FRAME


def test_one_error_names_all_that_is_wrong_with_dropping() -> None:
    with pytest.raises(InputError) as error:
        without(FRAME, ["age", "nobody"], ["age", "pay"])
    assert len(error.value.faults) == 2
    assert "nobody" in str(error.value) and "both dropped and used: age" in str(error.value)


def test_something_must_be_left() -> None:
    with pytest.raises(InputError, match="every column is dropped"):
        without(FRAME, list(FRAME.columns))


def test_what_is_accepted_must_be_there_and_not_protected() -> None:
    check_accepted(FRAME, [], ["age"])
    check_accepted(FRAME, ["name"], ["age"])
    with pytest.raises(InputError) as error:
        check_accepted(FRAME, ["age", "nobody"], ["age"])
    assert len(error.value.faults) == 2
    assert "both accepted as they are and protected: age" in str(error.value)


def test_columns_that_nobody_named_are_told() -> None:
    words = chosen(FRAME, ["age", "pay"])
    assert "the numeric ones, age, pay." in words
    assert "Published as they are: name, zip." in words
    assert "Published as they are" not in chosen(FRAME[["age", "pay"]], ["age", "pay"])


def test_what_differs_in_every_row_is_pointed_at_by_name_alone() -> None:
    words = notice(FRAME, ["pay"])
    assert words is not None
    assert "name" in words and "Eve" not in words and "zip" not in words
    assert notice(FRAME, ["name", "pay"]) is None
