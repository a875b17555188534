"""What one who asks is told, and what the ledger says of a decision: nothing is lost on the way there and back."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from discreet.release.answer import REASONS, answer_of, content_of, part_of
from discreet.release.decision import UNRESOLVED, Decision, Reply
from discreet.release.frontier import Frontier
from discreet.release.offers.partial import Partial
from discreet.release.people.actor import Actor
from discreet.release.unresolved import Attempt

NAMES = ("age", "sex")


@pytest.fixture
def who(analyst: Actor) -> Actor:
    return analyst


def content(who: Actor, decision: Decision, limit: float | None = None) -> dict[str, Any]:
    said = content_of(who, NAMES, 3, decision, limit)
    assert json.loads(json.dumps(said)) == said, "the ledger holds JSON"
    return said


def test_every_answer_has_a_reason() -> None:
    assert set(REASONS) == set(get_args(Reply))


def test_a_refusal_has_no_counts_and_a_receipt() -> None:
    answer = answer_of(Decision("refuse", "danger", Frontier()), NAMES, None, "f00d")
    assert (answer.margin, answer.json, answer.entry, answer.synthetic) == (None, "null", "f00d", False)
    assert answer.reason == REASONS["refuse"] and answer.variables == NAMES and answer.ground == "danger"


def test_the_ledger_says_who_asked_what_and_how_it_ended(who: Actor) -> None:
    plain = content(who, Decision("release", "safe", Frontier()))
    assert plain == {
        "what": "answer", "who": who.name, "variables": ["age", "sex"], "answer": "release", "ground": "safe",
        "version": 3,
    }  # fmt: skip
    more = content(who, Decision("release", "safe", Frontier(), evidence={"cells": 4}, total_released=True), 5.0)
    assert more == {**plain, "evidence": {"cells": 4}, "limit": 5.0, "total released": True}


def test_what_was_not_settled_says_when_it_may_be_tried_again(who: Actor) -> None:
    attempt = Attempt(2, 1700.0, 20.0)
    made = Decision("refuse", UNRESOLVED, Frontier(), attempt=attempt)
    said = content(who, made)
    assert said["attempt"] == attempt.to_dict() and "waiting" not in said
    assert content(who, Decision("refuse", UNRESOLVED, Frontier()))["waiting"] is True
    assert "waiting" not in content(who, Decision("refuse", "danger", Frontier()))


@pytest.mark.parametrize("part", [Partial(3, "suppress", (1, 4, 7)), Partial(3, "round", (), 5)])
def test_a_part_that_was_told_can_be_read_back(who: Actor, part: Partial) -> None:
    made = Decision(part.kind, "danger", Frontier(), partial=part, new=True)
    assert part_of(3, part.kind, content(who, made)["part"]) == part


def test_that_there_is_nothing_to_tell_is_fixed_too(who: Actor) -> None:
    assert content(who, Decision("refuse", "danger", Frontier(), new=True))["part"] is None
    assert "part" not in content(who, Decision("refuse", "danger", Frontier()))
