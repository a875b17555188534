"""A step of recoding in plain language: no release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.instruments.statements.common import columns
from discreet.results import Statement

if TYPE_CHECKING:
    from discreet.instruments.local_suppression.coded import Coding

_DONE = {
    "top coding": "values above a limit were replaced by the limit",
    "bottom coding": "values below a limit were replaced by the limit",
    "recoding": "values were replaced by wider labels",
}


def statement(result: Coding) -> Statement:
    return Statement(
        "A step of recoding, which is no release",
        (
            f"In {columns(result.columns)}, {_DONE[result.step]}, by one rule for all records.",
            "All other columns are as they were. Nothing was published.",
        ),
        ("Nobody by itself: a record whose values are rare after the step too is as easy to find as before.",),
        (
            "Everything that the step which follows is to protect: it takes these data for its original, and its "
            "release is what is to be checked.",
        ),
        ("What the values told within a label, or beyond a limit, is gone: means and extremes change with it.",),
    )
