"""A comparison and a proposal in plain language: neither protects anybody, and neither is for everybody."""

from __future__ import annotations

import pytest

import discreet as dc
from discreet.instruments.statements.compared import proposal, statement

FRAME = dc.datasets.survey(80, seed=1)[["income", "savings"]]
NAMES = ["income", "savings"]


@pytest.fixture(scope="module")
def advice() -> dc.Recommendation:
    return dc.recommend(FRAME, numeric=NAMES, most_risk=0.25, random_state=1)


def test_releases_side_by_side() -> None:
    compared = dc.compare([dc.microaggregate(FRAME, k, columns=NAMES) for k in (3, 5)])
    found = statement(compared)
    assert "the columns income, savings of everybody" in found.done[0] and "protects nobody" in found.against_whom[0]
    assert all(section.confidential for section in compared.sections()) and not compared.public_sections()


def test_what_is_no_release_of_records() -> None:
    table = dc.Table.from_frame(dc.datasets.survey(80, seed=1), variables=["sex", "region"])
    found = statement(dc.compare([dc.bounds(table.margins([["sex"], ["region"]]))]))
    assert "each by its own figures" in found.done[0]


def test_a_proposal(advice: dc.Recommendation) -> None:
    found = proposal(advice)
    assert "at most 25 % of the people" in found.done[0] and f"k = {advice.k}" in found.done[1]
    assert "A proposal protects nobody" in found.against_whom[0] and "would lose about" in found.cost[0]
    assert "guessed" not in " ".join(found.not_covered)
    assert not advice.public_sections()


def test_nothing_that_was_tried_keeps_to_it() -> None:
    advice = dc.recommend(FRAME.assign(name=range(80)), most_loss=1e-6, random_state=1)
    found = proposal(advice)
    assert not advice.met and "Nothing that was tried" in found.done[1]
    assert "guessed wrongly" in found.not_covered[0] and "would lose" not in found.cost[0]
