"""A row counts for the values of its box, in equal parts: against counting by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd

from discreet.errors import Faults
from discreet.frames import adopt
from discreet.frames.exact import entries
from discreet.instruments.protect.totals import boxed_totals, left_totals, shares
from discreet.instruments.quasi_identifiers import Treatment, read

FRAME = pd.DataFrame({"set": list("abcab"), "order": list("lmhlm"), "tree": list("xyzzy"), "number": [1, 2, 4, 1, 2]})
TREE = {"all": {"xy": ["x", "y"], "z": ["z"]}}


def reading() -> object:
    treatment = Treatment(
        hierarchies={"tree": TREE},
        categorical=[],
        ordered={"order": ["l", "m", "h"]},
        importance={},
        ncp="distinct",
        missing="error",
        sensitive=None,
    )
    return read(adopt(FRAME), list(FRAME.columns), treatment, Faults())


def test_shares_of_every_kind_of_box() -> None:
    found = reading()
    members = np.array([[0, 3], [0, 1], [0, 2], [1, 2]])
    third, half = 1 / 3, 1 / 2
    for place, expected in enumerate(
        (
            [[1, 0, 0], [half, half, 0], [half, 0, half], [0, half, half]],
            [[1, 0, 0], [half, half, 0], [third, third, third], [0, half, half]],
            [[third, third, third], [half, half, 0], [third, third, third], [third, third, third]],
            [[1, 0, 0], [half, half, 0], [third, third, third], [0, half, half]],
        )
    ):
        assert np.allclose(shares(found.domain, place, members), expected)  # type: ignore[attr-defined]


def test_values_that_few_have_are_pooled_and_not_what_the_others_lack() -> None:
    found = reading()
    attribute, weights = found.domain.attributes[0], np.arange(1.0, 6.0)  # type: ignore[attr-defined]
    own = shares(found.domain, 0, np.arange(5)[:, None])  # type: ignore[attr-defined]
    told = boxed_totals(attribute, ["a", "b", "c"], own, weights, weights, 2)
    assert [(one.value, one.before, one.after) for one in told] == [("b", 7.0, 7.0), ("(others)", 8.0, 8.0)]
    told = boxed_totals(attribute, ["a", "b", "c"], own, weights, weights, 3)
    assert [(one.value, one.before) for one in told] == [("(others)", 15.0)]


def test_missing_values_and_lost_records_are_in_no_line_of_few() -> None:
    weights = np.array([1.0, 1.5, 2.0, 2.5, 4.0, 8.0, 0.0])
    held = pd.DataFrame({"illness": ["flu", "flu", "flu", "cold", "cold", None, "cold"]})
    column = entries(adopt(held), "illness", categories=True)
    told = left_totals("illness", column, np.arange(7), weights, weights, 2)
    assert [(one.value, one.before, one.after) for one in told] == [("flu", 4.5, 4.5), ("(others)", 14.5, 14.5)]
    told = left_totals("illness", column, np.arange(7), weights, weights, 3)
    assert [(one.value, one.before) for one in told] == [("flu", 4.5), ("(others)", 14.5)]
