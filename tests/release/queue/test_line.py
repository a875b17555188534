"""The line is fair: compared with a plain one that looks at everyone who waits, and tried with a greedy token."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.fair_line import PlainLine

from discreet.release.queue.line import Line
from discreet.release.queue.ticket import Busy, Stopping, Ticket


def ticket(token: int, dataset: str | None = None) -> Ticket:
    return Ticket(token, dataset, lambda call: None)


steps = st.lists(
    st.one_of(
        st.tuples(st.just("join"), st.integers(0, 3), st.sampled_from([None, 0, 1, 2])),
        st.tuples(st.just("take")),
        st.tuples(st.sampled_from(["leave", "done"]), st.integers(0, 20)),
    ),
    max_size=60,
)


@given(steps, st.integers(1, 3))
def test_gives_turns_as_the_plain_line_does(taken: list[tuple], limit: int) -> None:
    line, plain, made = Line(limit, 100), PlainLine(limit), []
    for step in taken:
        if step[0] == "join":
            _, token, dataset = step
            made.append(ticket(token, None if dataset is None else str(dataset)))
            line.join(made[-1])
            plain.join(len(made) - 1, token, dataset)
        elif step[0] == "take":
            expected = plain.take()
            with line._changed:
                found = line._next()
                if found is not None:
                    line._running.add(found)
            assert found is (None if expected is None else made[expected])
        elif made:
            number = step[1] % len(made)
            waits = any(number == other for other, _, _ in plain.waiting)
            if step[0] == "leave":
                assert line.leave(made[number]) == waits
                plain.leave(number)
            else:
                line.done(made[number])
                plain.done(number)
        assert len(line) == len(plain.waiting)
        assert {made.index(t) for t in line.running} == {number for number, _, _ in plain.running}


def test_one_request_is_served_next_however_many_another_token_sent() -> None:
    line = Line(1, 256)
    for _ in range(256):
        line.join(ticket(1))
    first = line.take()
    assert first is not None
    alone = ticket(2)
    line.join(alone)
    assert line.take() is alone, "a place is left to others"
    line.done(first)
    later = ticket(2)
    line.join(later)
    assert [t.token for t in (line.take(),) if t] == [1]
    line.done(alone)
    assert line.take() is later


def test_a_dataset_is_worked_on_once_at_a_time() -> None:
    line = Line(2, 9)
    tickets = [ticket(1, "a"), ticket(1, "a"), ticket(1, "b")]
    for made in tickets:
        line.join(made)
    assert [line.take(), line.take()] == [tickets[0], tickets[2]]
    line.done(tickets[0])
    assert line.take() is tickets[1]


def test_too_many_of_one_token_are_sent_away_and_others_are_not() -> None:
    line = Line(2, 4, crowd=6)
    for _ in range(4):
        line.join(ticket(1))
    with pytest.raises(Busy) as told:
        line.join(ticket(1))
    assert told.value.retry_after == 2
    for token in (2, 3):
        line.join(ticket(token))
    with pytest.raises(Busy):
        line.join(ticket(4))


def test_stopping_wakes_those_who_wait_for_work_and_sends_the_others_away() -> None:
    line, found = Line(1, 4), []
    waiting = threading.Thread(target=lambda: found.append(line.take()))
    waiting.start()
    assert line.stop() == []
    waiting.join(60)
    assert found == [None]
    with pytest.raises(Stopping):
        line.join(ticket(1))
    crowded = Line(1, 4)
    tickets = [ticket(1), ticket(2)]
    for made in tickets:
        crowded.join(made)
    assert crowded.stop() == tickets
    assert crowded.take() is None
    assert crowded.idle(0.0)
