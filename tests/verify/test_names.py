"""Names among the arguments of `verify`: every mistake is told, by what was to be named."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from discreet.errors import Faults, InputError
from discreet.verify.names import check_strata, names_of, sets_of
from discreet.verify.readers import open_table


def heard(faults: Faults) -> list[str]:
    try:
        faults.raise_if_any()
    except InputError as error:
        return list(error.faults)
    return []


def test_a_list_of_names_holds_each_once() -> None:
    faults = Faults()
    assert names_of(["b", "a", "b"], "keys", faults) == ("b", "a")
    assert names_of((name for name in "xy"), "keys", faults) == ("x", "y")
    assert heard(faults) == []


@pytest.mark.parametrize(
    ("given", "words"), [("ab", "not one text"), (b"ab", "not one text"), (3, "list of names"), ([1], "not text")]
)
def test_what_is_no_list_of_names_is_said(given: Any, words: str) -> None:
    faults = Faults()
    assert names_of(given, "keys", faults) == ()
    (fault,) = heard(faults)
    assert fault.startswith("keys must be") and words in fault


@pytest.mark.parametrize("given", [None, "ab", ["a", "b"], [["a", "b"]], {"a"}])
def test_one_list_is_no_several_sets(given: Any) -> None:
    faults = Faults()
    assert sets_of(given, faults) is None and heard(faults) == []


def test_several_sets_are_disjoint_and_not_empty() -> None:
    faults = Faults()
    assert sets_of([["a"], ("b", "c")], faults) == (("a",), ("b", "c")) and heard(faults) == []
    sets_of([["a"], ["a"]], faults)
    sets_of([["a"], []], faults)
    assert heard(faults) == [
        "a column is in more than one set of quasi-identifiers",
        "a set of quasi-identifiers is empty",
    ]


def test_strata_are_there_and_not_examined() -> None:
    table = open_table(pd.DataFrame({"a": [1], "s": [1]}), "data")
    faults = Faults()
    check_strata(table, table, faults, ["a"], ["s"])
    check_strata(None, table, faults, ["a"], ["s"])
    assert heard(faults) == []
    check_strata(table, table, faults, ["a"], ["a", "t"])
    assert heard(faults) == [
        "the original has no column named t (by)",
        "the published data has no column named t (by)",
        "both examined and by: a; choose one",
    ]
