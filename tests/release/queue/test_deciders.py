"""Decisions in real processes: made, cut off, given up and stopped; and here, in the thread that asks."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from discreet.errors import InputError
from discreet.release.decision import Situation, decide
from discreet.release.engine import Table
from discreet.release.policy import Policy, split_margin
from discreet.release.queue.deciders import Deciders, Here, give_up, wait_for
from discreet.release.queue.ticket import Busy, Call, CutOff, Left, Stopping, Ticket
from discreet.work import Progress

FOREVER = 1e5


@pytest.fixture(scope="module")
def two() -> Iterator[Deciders]:
    made = Deciders(2, warm=False, waiting=4)
    yield made
    made.stop()


def job(function: Callable[..., Any], *given: Any, seconds: float = FOREVER) -> Callable[[Call], Any]:
    return lambda call: call(function, *given, seconds=seconds)


def begun(decider: Deciders, token: int, dataset: str | None = None) -> Ticket:
    """A job that would take forever, and has begun."""
    started = threading.Event()

    def forever(call: Call) -> Any:
        started.set()
        return call(time.sleep, FOREVER, seconds=FOREVER)

    ticket = decider.submit(token, dataset, forever)
    assert started.wait(120)
    return ticket


def test_what_is_called_returns_raises_and_reports(two: Deciders, small: Table) -> None:
    steps: list[Progress] = []
    policy = Policy()

    def watched(call: Call) -> Any:
        return call(decide, Situation(small), policy, 7, seconds=FOREVER, progress=steps.append)

    assert wait_for(two, two.submit(1, "a", watched)) == decide(Situation(small), policy, 7)
    with pytest.raises(InputError, match="joined by colons"):
        wait_for(two, two.submit(1, "a", job(split_margin, "A::B")))
    assert wait_for(two, two.submit(1, "a", job(os.getpid))) != os.getpid()


def test_work_is_cut_off_at_its_limit_in_whatever_it_does(two: Deciders) -> None:
    before = wait_for(two, two.submit(1, None, job(os.getpid)))
    with pytest.raises(CutOff):
        wait_for(two, two.submit(1, None, job(time.sleep, FOREVER, seconds=0.1)))
    with pytest.raises(CutOff):  # compiled code that holds the interpreter's lock
        wait_for(two, two.submit(1, None, job(sum, range(10**12), seconds=0.1)))
    assert before
    assert wait_for(two, two.submit(1, None, job(abs, -1))) == 1


def test_a_process_that_dies_is_replaced_and_what_kills_it_is_not_tried_forever(two: Deciders) -> None:
    with pytest.raises(CutOff):
        wait_for(two, two.submit(1, None, job(signal.raise_signal, signal.SIGKILL)))
    assert wait_for(two, two.submit(1, None, job(abs, -2))) == 2


def test_the_signals_that_stop_the_server_do_not_end_a_decision(two: Deciders) -> None:
    def told_to_stop(call: Call) -> Any:
        for sign in (signal.SIGTERM, signal.SIGINT):
            call(signal.raise_signal, sign, seconds=FOREVER)
        return call(abs, -3, seconds=FOREVER)

    assert wait_for(two, two.submit(1, None, told_to_stop)) == 3


def test_whoever_leaves_frees_the_place(two: Deciders) -> None:
    running = begun(two, 1, "a")
    waiting = two.submit(1, "a", job(abs, -4))
    gone = two.submit(1, "a", job(abs, -5))
    assert wait_for(two, two.submit(2, "b", job(abs, -6))) == 6, "another token is served meanwhile"
    give_up(two, gone)
    give_up(two, running)
    with pytest.raises(Left):
        running.future.result(120)
    assert wait_for(two, waiting) == 4
    assert not gone.future.done()
    assert len(two.line) == 0


def test_too_many_of_one_token_are_sent_away(two: Deciders) -> None:
    running = begun(two, 1)
    waiting = [two.submit(1, None, job(abs, -i)) for i in range(4)]
    with pytest.raises(Busy):
        two.submit(1, None, job(abs, -7))
    assert wait_for(two, two.submit(2, None, job(abs, -8))) == 8
    give_up(two, running)
    assert [wait_for(two, ticket) for ticket in waiting] == [0, 1, 2, 3]


def test_waiting_has_an_end(two: Deciders) -> None:
    running = begun(two, 1, "a")
    with pytest.raises(Busy):
        wait_for(two, two.submit(2, "a", job(abs, -1)), patience=0.01)
    assert len(two.line) == 0
    threading.Timer(0.2, give_up, (two, running)).start()
    with pytest.raises(Left):  # what has begun is waited for
        wait_for(two, running, patience=0.01)


def test_stopping_ends_what_runs_and_sends_away_what_waits() -> None:
    decider = Deciders(1, warm=False)
    running = begun(decider, 1)
    waiting = [decider.submit(token, None, job(abs, -1)) for token in (1, 2)]
    decider.stop()
    for ticket in (running, *waiting):
        with pytest.raises(Stopping):
            ticket.future.result(120)
    with pytest.raises(Stopping):
        decider.submit(1, None, job(abs, -1))
    for thread in decider._threads:
        thread.join(120)
        assert not thread.is_alive()


def test_stopping_before_a_process_has_come_up() -> None:
    decider = Deciders(1)
    waiting = decider.submit(1, None, job(abs, -1))
    decider.stop()
    with pytest.raises(Stopping):
        waiting.future.result(120)
    decider._threads[0].join(120)
    assert not decider._threads[0].is_alive()


class TestHere:
    def test_decides_in_the_thread_that_asks(self, small: Table) -> None:
        here, steps = Here(), []
        assert wait_for(here, here.submit(1, "a", job(threading.get_ident))) == threading.get_ident()
        policy = Policy()

        def watched(call: Call) -> Any:
            return call(decide, Situation(small), policy, 7, seconds=1.0, progress=steps.append)

        assert wait_for(here, here.submit(1, "a", watched)) == decide(Situation(small), policy, 7)
        with pytest.raises(InputError):
            wait_for(here, here.submit(1, "a", job(split_margin, ":")))
        here.stop()

    def test_threads_take_turns_per_dataset(self) -> None:
        here, entered, leave = Here(patience=0.01), threading.Event(), threading.Event()

        def slow(call: Call) -> None:
            entered.set()
            assert leave.wait(120)

        thread = threading.Thread(target=here.submit, args=(1, "a", slow))
        thread.start()
        assert entered.wait(120)
        with pytest.raises(Busy):
            here.submit(2, "a", job(abs, -1))
        assert wait_for(here, here.submit(2, "b", job(abs, -1))) == 1
        leave.set()
        thread.join(120)
        assert wait_for(here, here.submit(2, "a", job(abs, -1))) == 1
