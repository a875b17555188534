"""Columns of the household: what its members shared, they must go on sharing."""

from __future__ import annotations

import pandas as pd

from discreet.verify.readers import open_table
from discreet.verify.units.level import uneven_columns
from discreet.verify.units.unit import units


def told(before: dict[str, list[str]], after: dict[str, list[str]]) -> list[str]:
    old, new = (open_table(pd.DataFrame(data), "data") for data in (before, after))
    return uneven_columns(old, new, (units(old, "h"), units(new, "h")), [n for n in before if n != "h"], "household")


BEFORE = {"h": ["1", "1", "2", "2"], "region": ["a", "a", "b", "b"], "age": ["4", "5", "6", "6"]}


def test_a_column_that_agreed_must_agree() -> None:
    good = {"h": ["7", "8", "7", "8"], "region": ["{a, b}"] * 4, "age": ["[4, 6]", "4", "5", "6"]}
    assert told(BEFORE, good) == []
    (failure,) = told(BEFORE, {**good, "region": ["{a, b}", "{a, b}", "a", "{a, b}"]})
    assert failure.startswith("region agree within every household")


def test_a_column_that_never_agreed_need_not() -> None:
    assert told(BEFORE, {**BEFORE, "age": ["4", "6", "5", "6"]}) == []


def test_spelling_in_the_original_does_not_part_members() -> None:
    before = {"h": ["1", "1"], "size": ["2", "2.0"]}
    assert told(before, {"h": ["1", "1"], "size": ["2", "3"]}) == [
        "size agree within every household of the original and not within every published one"
    ]


def test_single_persons_have_nothing_to_share() -> None:
    alone = {"h": ["1", "2"], "region": ["a", "b"]}
    assert told(alone, {"h": ["1", "1"], "region": ["a", "b"]}) == []
