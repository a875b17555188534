"""Tasks on threads: answers in the order of the tasks, all told, and a failure ends the rest."""

from __future__ import annotations

import os
from threading import Barrier, Lock

import pytest

from discreet.scale.engines import Task
from discreet.scale.engines.threads import open_threads
from discreet.scale.memory import AT_ONCE


def test_answers_stand_in_the_order_of_the_tasks() -> None:
    told: list[int] = []
    with open_threads() as engine:
        found = engine.run([Task(f"square-{i}", lambda x: {"is": x * x}, (i,)) for i in range(20)], told.append)
        assert engine.run([], told.append) == []
    assert [answer["is"] for answer in found] == [i * i for i in range(20)]
    assert sorted(told) == list(range(20))


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core, one thread")
def test_no_more_run_at_once_than_memory_is_meant_for() -> None:
    lock, running, most = Lock(), 0, 0
    meet = Barrier(2)

    def task(number: int) -> dict[str, int]:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        if number < 2:
            meet.wait(timeout=60)  # two at least run at the same time
        with lock:
            running -= 1
        return {}

    with open_threads() as engine:
        engine.run([Task(str(i), task, (i,)) for i in range(40)], lambda _: None)
    assert 2 <= most <= AT_ONCE


def test_what_fails_is_raised() -> None:
    def fails() -> dict[str, int]:
        raise ZeroDivisionError

    with open_threads() as engine, pytest.raises(ZeroDivisionError):
        engine.run([Task("fails", fails, ()), *(Task(str(i), dict, ()) for i in range(5))], lambda _: None)
