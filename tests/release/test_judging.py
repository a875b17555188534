"""A decision that is made elsewhere: what it may take, and what becomes of one that was ended."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from discreet.release import judging
from discreet.release.decision import UNRESOLVED, Decision, Situation, decide, review
from discreet.release.frontier import Frontier
from discreet.release.judging import Judge
from discreet.release.policy import Policy
from discreet.release.queue.ticket import Busy, CutOff

STATE: Situation = SimpleNamespace(seconds=lambda policy, mask: policy.time_limit)  # type: ignore[assignment]


def noted(asked: list[Any], answer: object = "made") -> Callable[..., Any]:
    def call(function: Any, *given: Any, seconds: float, progress: Any = None) -> Any:
        asked.append((function, given, seconds, progress))
        return answer

    return call


@pytest.mark.parametrize(
    ("policy", "times"),
    [
        (Policy(time_limit=10), 1),
        (Policy(time_limit=10, otherwise="suppress"), 2),
        (Policy(time_limit=10, otherwise="round"), 2),
        (Policy(time_limit=10, mode="simulatable"), 4),
    ],
)
def test_a_decision_has_its_limit_and_time_for_what_may_follow(policy: Policy, times: int) -> None:
    asked: list[Any] = []
    told = lambda step: None  # noqa: E731
    assert Judge(noted(asked), told).decide(STATE, policy, 5) == "made"
    assert asked == [(decide, (STATE, policy, 5), 10 * times, told)]


def test_a_review_has_its_limit() -> None:
    asked: list[Any] = []
    assert Judge(noted(asked, "safe")).review(STATE, Policy(time_limit=7)) == "safe"
    assert asked == [(review, (STATE, Policy(time_limit=7)), 7, None)]


def ended(*_: Any, **__: Any) -> Any:
    raise CutOff


def test_what_is_ended_is_unresolved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Judge(ended).review(STATE, Policy()) == UNRESOLVED
    made = Decision("refuse", UNRESOLVED, Frontier())
    monkeypatch.setattr(judging, "cut_off", lambda state, policy, mask: made if (state, mask) == (STATE, 5) else None)
    assert Judge(ended).decide(STATE, Policy(), 5) is made


def test_where_an_answer_must_not_depend_on_time_one_has_to_come_back() -> None:
    with pytest.raises(Busy) as caught:
        Judge(ended).decide(STATE, Policy(mode="simulatable", time_limit=12.5), 5)
    assert caught.value.retry_after == 12
    with pytest.raises(Busy) as caught:
        Judge(ended).decide(STATE, Policy(mode="simulatable", time_limit=0.5), 5)
    assert caught.value.retry_after == 1


def test_other_errors_are_not_taken_for_the_limit() -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("so")

    with pytest.raises(RuntimeError, match="so"):
        Judge(broken).decide(STATE, Policy(), 5)
