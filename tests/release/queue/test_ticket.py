"""A ticket: its job's answer or failure reaches whoever waits, and one that was given up is not begun."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.release.queue.ticket import Busy, Left, Stopping, Ticket


def _call(*_: Any, **__: Any) -> Any:
    raise AssertionError


def test_the_answer_reaches_whoever_waits() -> None:
    ticket = Ticket(1, "d", lambda call: 7 if call is _call else None)
    ticket.run(_call)
    assert ticket.future.result(timeout=0) == 7


def test_so_does_a_failure() -> None:
    def job(_: Any) -> None:
        raise Busy(3)

    ticket = Ticket(1, None, job)
    ticket.run(_call)
    error = ticket.future.exception(timeout=0)
    assert isinstance(error, Busy) and error.retry_after == 3


def test_what_was_given_up_is_not_begun_and_the_first_reason_counts() -> None:
    begun: list[bool] = []
    ticket = Ticket(1, "d", lambda _: begun.append(True))
    ticket.check()
    ticket.leave(Left())
    ticket.leave(Stopping())
    ticket.run(_call)
    assert begun == []
    assert isinstance(ticket.future.exception(timeout=0), Left)
    with pytest.raises(Left):
        ticket.check()


def test_leaving_ends_what_runs_and_nothing_after_that() -> None:
    ended: list[str] = []
    ticket = Ticket(1, "d", lambda _: None)
    with ticket.ended_by(lambda: ended.append("first")):
        pass
    with ticket.ended_by(lambda: ended.append("second")):
        ticket.leave(Left())
    assert ended == ["second"]
    with pytest.raises(Left), ticket.ended_by(lambda: ended.append("third")):
        raise AssertionError  # not reached: it was given up before
    assert ended == ["second"]
