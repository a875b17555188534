"""A step of recoding in plain language: it protects nobody, and is no release."""

from __future__ import annotations

import pytest

import discreet as dc
from discreet.instruments.statements.recoded import statement

FRAME = dc.datasets.survey(40, seed=2)[["age", "sex", "income"]]
MADE = {
    "values above a limit": dc.top_code(FRAME, {"age": 60}),
    "values below a limit": dc.bottom_code(FRAME, {"age": 20}),
    "wider labels": dc.recode(FRAME, "age", cuts=[30, 60]),
}


@pytest.mark.parametrize("words", MADE)
def test_what_was_done_and_that_it_is_no_release(words: str) -> None:
    found = statement(MADE[words])
    assert words in found.done[0] and "the column age" in found.done[0] and "60" not in " ".join(found.done)
    assert "no release" in found.heading and "Nobody" in found.against_whom[0]
