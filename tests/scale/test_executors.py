from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from discreet.errors import InputError
from discreet.scale import ordered_map, stopping, worker_count, workers


def slow_square(x: int) -> int:
    time.sleep(0.001 * (5 - x % 5))
    return x * x


def test_results_come_in_order() -> None:
    with workers(None) as pool:
        assert list(ordered_map(pool, slow_square, ((i,) for i in range(40)))) == [i * i for i in range(40)]


def test_no_more_than_asked_is_under_way() -> None:
    made = []

    def arguments():
        for i in range(20):
            made.append(i)
            yield (i,)

    with ThreadPoolExecutor(2) as pool:
        results = ordered_map(pool, slow_square, arguments(), ahead=3)
        next(results)
        assert len(made) <= 4
        results.close()


def test_errors_reach_the_caller() -> None:
    with workers(None) as pool, pytest.raises(ZeroDivisionError):
        list(ordered_map(pool, divmod, [(1, 0)]))


def test_a_given_executor_is_left_open() -> None:
    with ThreadPoolExecutor(3) as pool:
        with workers(pool) as same:
            assert same is pool and worker_count(pool) == 3
        assert pool.submit(slow_square, 2).result() == 4


def test_something_else_is_refused() -> None:
    with pytest.raises(InputError, match="get_executor"), workers(object()):  # type: ignore[arg-type]
        pass


def test_threads_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCREET_THREADS", "3")
    assert worker_count(None) == 3
    monkeypatch.setenv("DISCREET_THREADS", "none")
    with pytest.raises(InputError, match="DISCREET_THREADS"):
        worker_count(None)


def wait_for_the_end(started: threading.Event) -> None:
    started.set()
    while not stopping():
        time.sleep(0.001)


def test_an_error_stops_what_runs() -> None:
    started = threading.Event()

    def cancelled() -> None:
        with workers(None) as pool:
            pool.submit(wait_for_the_end, started)
            assert started.wait(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cancelled()
    assert not stopping()
