"""A measurement of utility in plain language: it protects nobody, and its loss is told to two digits."""

from __future__ import annotations

import discreet as dc
from discreet.instruments.statements.utility import statement

FRAME = dc.datasets.survey(60, seed=1)[["sex", "region", "income"]]


def test_a_measurement() -> None:
    found = statement(dc.utility(FRAME, dc.microaggregate(FRAME, 5, columns=["income"]).data))
    assert "the columns sex, region, income" in found.done[0] and "protects nobody" in found.against_whom[0]
    assert "lost about" in found.cost[0] and len(found.not_covered) == 2


def test_what_could_not_be_compared_is_told() -> None:
    found = statement(dc.utility(FRAME, FRAME.iloc[::-1], columns=["income"], rows="shuffled"))
    assert "could not be told" in found.cost[0] and "not paired" in found.not_covered[-1]
    assert "lost about 0 %" in statement(dc.utility(FRAME, FRAME)).cost[0]
    assert "Columns that were not compared." in statement(dc.utility(FRAME, FRAME[["sex"]])).not_covered
