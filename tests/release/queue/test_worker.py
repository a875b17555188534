"""One decision process, seen by whoever starts it: the processes here are threads that answer as they are told."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import pytest

from discreet.release.queue import child, worker
from discreet.release.queue.letters import Reader
from discreet.release.queue.ticket import CutOff, Left, Stopping, Ticket
from discreet.release.queue.worker import Worker

Answer = Callable[[Connection, tuple[Any, ...]], None]


class Process:
    """Its end of the pipe is its own, as that of a process is: whoever starts it may close the one it was given."""

    def __init__(self, owner: Processes, args: tuple[Any, ...]) -> None:
        self.owner, self.end, self.settings = owner, Connection(os.dup(args[0].fileno())), args[1:]
        self.killed = self.joined = 0

    def start(self) -> None:
        self.owner.started.append(self)
        if self.owner.dead_at_birth:
            self.owner.dead_at_birth -= 1
            self.end.close()
            return
        self.end.send((child.READY, None))
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        reader = Reader()
        try:
            while True:
                function, given, *_ = reader.read(self.end.recv_bytes())
                answers = self.owner.answers
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
                answer(self.end, (function, *given))
        except (EOFError, OSError):
            self.end.close()

    def kill(self) -> None:
        self.killed += 1

    def join(self) -> None:
        self.joined += 1


class Processes:
    """What `multiprocessing` would start. Each call is answered by the next of `answers`, the last one again."""

    Pipe = staticmethod(Pipe)

    def __init__(self) -> None:
        self.started: list[Process] = []
        self.answers: list[Answer] = [done]
        self.dead_at_birth = 0

    def get_context(self, kind: str) -> Processes:
        assert kind == "spawn", "a fork would copy locks that other threads hold"
        return self

    def Process(self, *, target: object, args: tuple[Any, ...], daemon: bool) -> Process:
        assert target is child.work and daemon
        return Process(self, args)


def done(end: Connection, given: tuple[Any, ...]) -> None:
    function, *rest = given
    end.send((child.DONE, function(*rest)))


def dies(_: Connection, __: tuple[Any, ...]) -> None:
    raise EOFError


def silent(_: Connection, __: tuple[Any, ...]) -> None:
    pass


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Processes:
    made = Processes()
    monkeypatch.setattr(worker.multiprocessing, "get_context", made.get_context)
    monkeypatch.setattr(worker, "PAUSE", 0.0)
    return made


def ticket() -> Ticket:
    return Ticket(1, None, lambda call: None)


def test_it_is_started_once_and_used_again(processes: Processes) -> None:
    made = Worker(warm=True, threads=3)
    assert [made.call(ticket(), abs, -number, seconds=60.0) for number in (1, 2)] == [1, 2]
    assert [one.settings for one in processes.started] == [(True, 3, worker.GRACE)]
    assert processes.started[0].killed == 0


def test_errors_come_over_and_too_much_memory_is_a_limit(processes: Processes) -> None:
    made = Worker(warm=False, threads=1)
    processes.answers = [
        lambda end, _: end.send((child.FAILED, ValueError("why"))),
        lambda end, _: end.send((child.FAILED, MemoryError())),
        done,
    ]
    with pytest.raises(ValueError, match="why"):
        made.call(ticket(), abs, -1, seconds=60.0)
    assert processes.started[0].killed == 0, "an error of the call is none of the process"
    with pytest.raises(CutOff):
        made.call(ticket(), abs, -1, seconds=60.0)
    assert made.call(ticket(), abs, -1, seconds=60.0) == 1


def test_steps_are_handed_on_where_somebody_listens(processes: Processes) -> None:
    def stepping(end: Connection, given: tuple[Any, ...]) -> None:
        for step in range(3):
            end.send((child.REPORT, step))
        done(end, given)

    processes.answers, heard = [stepping], []
    made = Worker(warm=False, threads=1)
    assert made.call(ticket(), abs, -1, seconds=60.0, progress=heard.append) == 1  # type: ignore[arg-type]
    assert heard == [0, 1, 2]
    assert made.call(ticket(), abs, -2, seconds=60.0) == 2


def test_a_process_that_dies_is_replaced_once(processes: Processes) -> None:
    """The call may have killed it: it is tried a second time and no third."""
    made = Worker(warm=False, threads=1)
    processes.answers = [dies, done]
    assert made.call(ticket(), abs, -1, seconds=60.0) == 1
    assert len(processes.started) == 2 and processes.started[0].joined == 1
    processes.answers = [dies]
    with pytest.raises(CutOff):
        made.call(ticket(), abs, -1, seconds=60.0)
    assert len(processes.started) == 3, "the second of before, and one more"
    processes.answers = [done]
    assert made.call(ticket(), abs, -3, seconds=60.0) == 3


def test_what_does_not_answer_in_time_is_ended_and_not_tried_again(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "GRACE", 0.05)
    made = Worker(warm=False, threads=1)
    processes.answers = [silent]
    with pytest.raises(CutOff):
        made.call(ticket(), abs, -1, seconds=0.0)
    assert len(processes.started) == 1 and processes.started[0].killed == processes.started[0].joined == 1
    processes.answers = [done]
    assert made.call(ticket(), abs, -1, seconds=60.0) == 1


def test_whoever_leaves_has_it_ended(processes: Processes) -> None:
    made, left = Worker(warm=False, threads=1), ticket()

    def leaving(end: Connection, given: tuple[Any, ...]) -> None:
        left.leave(Left())
        dies(end, given)

    processes.answers = [leaving, done]
    with pytest.raises(Left):
        made.call(left, abs, -1, seconds=60.0)
    assert processes.started[0].killed >= 1
    with pytest.raises(Left):
        made.call(left, abs, -1, seconds=60.0)


def test_one_that_does_not_come_up_is_started_again(processes: Processes) -> None:
    processes.dead_at_birth = 2
    assert Worker(warm=False, threads=1).call(ticket(), abs, -1, seconds=60.0) == 1
    assert len(processes.started) == 3
    assert [one.joined for one in processes.started] == [1, 1, 0]


def test_stopped_it_starts_nothing(processes: Processes) -> None:
    made = Worker(warm=False, threads=1)
    made.kill()  # before anything has been started
    made.prepare()
    made.stop()
    assert processes.started[0].killed == 1
    made.drop()
    with pytest.raises(Stopping):
        made.call(ticket(), abs, -1, seconds=60.0)
    assert len(processes.started) == 1


def test_a_stop_is_heard_while_it_waits_to_try_again(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "PAUSE", 600.0)
    processes.dead_at_birth = 10**6
    made, ended = Worker(warm=False, threads=1), threading.Event()

    def prepare() -> None:
        with pytest.raises(Stopping):
            made.prepare()
        ended.set()

    threading.Thread(target=prepare, daemon=True).start()
    while not processes.started:
        time.sleep(0.001)
    made.stop()
    assert ended.wait(60)
    assert len(processes.started) == 1
