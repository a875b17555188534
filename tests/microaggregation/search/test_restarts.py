"""Tasks until a deadline: in order, none after it, but the first whatever happens."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from discreet.microaggregation.search.restarts import Until, run_tasks
from discreet.work import Deadline


def test_results_come_in_the_order_of_the_tasks() -> None:
    def task(number: int) -> int:
        time.sleep(0.01 if number % 2 == 0 else 0.0)
        return number * number

    with ThreadPoolExecutor(3) as pool:
        found = list(run_tasks(pool, task, ((i,) for i in range(10)), Deadline(None)))
    assert found == [i * i for i in range(10)]


def test_after_the_deadline_only_the_first_task_starts() -> None:
    begun: list[int] = []
    with ThreadPoolExecutor(2) as pool:
        found = list(run_tasks(pool, lambda i: begun.append(i) or i, ((i,) for i in range(5)), Deadline(0.0)))
    assert found == begun == [0]
    with ThreadPoolExecutor(1) as pool:
        assert list(run_tasks(pool, abs, iter(()), Deadline(None))) == []


def test_a_deadline_travels_as_a_moment() -> None:
    assert Until.of(Deadline(None)) == Until(None) and not Until(None).passed
    assert Until.of(Deadline(0.0)).passed
    later = Until.of(Deadline(1000.0))
    assert not later.passed and later.moment is not None
    assert 990 < later.moment - time.time() <= 1000
    assert Until(time.time() - 1).passed
