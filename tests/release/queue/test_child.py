"""A decision process from inside: what it answers, what it lets pass, how it ends. Here it is a thread of the test."""

from __future__ import annotations

import operator
import os
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import pytest

from discreet.release.queue import child
from discreet.release.queue.letters import Sender


class Process:
    """`child.work` in a thread, with what it does to its process written down instead of done."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self.ignored: list[tuple[int, Any]] = []
        self.alarms: list[float] = []
        self.nice: list[int] = []
        self.followed = 0
        patched.setattr(signal, "signal", lambda sign, what: self.ignored.append((sign, what)))
        patched.setattr(os, "nice", self.nice.append)
        patched.setattr(os, "environ", os.environ.copy())
        patched.setattr(child, "_alarm", self.alarms.append)
        patched.setattr(child, "follow_parent", self._follow)
        self.ours, theirs = Pipe()
        self.sender = Sender()
        self.thread = threading.Thread(target=child.work, args=(theirs, False, 3, 1.0), daemon=True)
        self.thread.start()
        assert self.ours.recv() == (child.READY, None)

    def _follow(self) -> None:
        self.followed += 1

    def call(self, function: Callable[..., Any], *given: Any, reports: bool = False) -> list[tuple[str, Any]]:
        """Everything that is told until it has ended."""
        self.ours.send_bytes(self.sender.write(function, given, seconds=7.0, reports=reports))
        told = [self.ours.recv()]
        while told[-1][0] == child.REPORT:
            told.append(self.ours.recv())
        return told


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    made = Process(monkeypatch)
    yield made
    made.ours.close()
    made.thread.join(60)
    assert not made.thread.is_alive(), "nobody is left to write to it: it ends"


def failing(what: str) -> None:
    raise {"memory": MemoryError, "value": ValueError}[what]("why")


def steps(number: int, progress: Callable[[int], None]) -> str:
    for step in range(number):
        progress(step)
    return "end"


def unsendable() -> Any:
    return threading.Lock()


def badly_failing() -> None:
    raise ValueError(threading.Lock())


def test_it_gives_way_and_leaves_signals_to_whoever_started_it(process: Process) -> None:
    assert process.ignored == [(signal.SIGINT, signal.SIG_IGN), (signal.SIGTERM, signal.SIG_IGN)]
    assert process.nice == [child.NICE] and child.NICE > 0
    assert process.followed == 1
    assert os.environ["DISCREET_THREADS"] == "3"


def test_what_is_called_returns_raises_and_reports(process: Process) -> None:
    assert process.call(operator.add, 2, 3) == [(child.DONE, 5)]
    assert process.call(steps, 2, reports=True) == [(child.REPORT, 0), (child.REPORT, 1), (child.DONE, "end")]
    for what, kind in (("value", ValueError), ("memory", MemoryError)):
        (told,) = process.call(failing, what)
        assert told[0] == child.FAILED and type(told[1]) is kind
    assert process.call(operator.add, 2, 4) == [(child.DONE, 6)]


def test_what_cannot_be_sent_is_a_fault_without_what_was_in_it(process: Process) -> None:
    for function in (unsendable, badly_failing):
        (told,) = process.call(function)
        assert told[0] == child.FAILED and "cannot be sent" in str(told[1]) and "lock" not in str(told[1]).split()[1:]
    assert process.call(operator.neg, 1) == [(child.DONE, -1)]


def test_the_alarm_is_set_beyond_the_limit_and_called_off(process: Process) -> None:
    """Whoever is to end it may be gone: the system does, at the call's limit and twice the grace."""
    process.call(operator.neg, 1)
    process.call(failing, "value")
    assert process.alarms == [9.0, 0.0, 9.0, 0.0]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such alarm")
def test_the_alarm_is_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, float]] = []
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds: seen.append((which, seconds)))
    child._alarm(2.5)
    child._alarm(0.0)
    assert seen == [(signal.ITIMER_REAL, 2.5), (signal.ITIMER_REAL, 0.0)]


def test_it_ends_with_the_process_that_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Parent:
        def join(self) -> None:
            order.append("joined")

    order: list[object] = []
    monkeypatch.setattr(os, "_exit", order.append)
    child._follow(Parent())  # type: ignore[arg-type]
    assert order == ["joined", 1]
    monkeypatch.setattr(child.multiprocessing, "parent_process", lambda: None)
    before = threading.active_count()
    child.follow_parent()
    assert threading.active_count() == before, "nobody started this one"


def test_a_pipe_that_is_closed_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Process(monkeypatch)
    assert isinstance(made.ours, Connection)
    made.ours.close()
    made.thread.join(60)
    assert not made.thread.is_alive()
