"""Threads of this process: the engine that needs nothing else.

At most `AT_ONCE` tasks run at a time, whatever the number of cores: blocks are sized so that so many fit into the
memory that is given. Within a task there are threads for every core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from typing import Any

from discreet.scale.engines import Task
from discreet.scale.executors import workers
from discreet.scale.memory import AT_ONCE


class Threads:
    def __init__(self, pool: Executor) -> None:
        self._pool = pool

    def run(self, tasks: Sequence[Task], done: Callable[[int], None]) -> list[dict[str, Any]]:
        futures = {self._pool.submit(task.function, *task.arguments): i for i, task in enumerate(tasks)}
        results: list[dict[str, Any]] = [{} for _ in tasks]
        try:
            for future in as_completed(futures):
                i = futures[future]
                results[i] = future.result()
                done(i)
        finally:
            for future in futures:
                future.cancel()
        return results


@contextmanager
def open_threads() -> Iterator[Threads]:
    with workers(None, most=AT_ONCE) as pool:
        yield Threads(pool)
