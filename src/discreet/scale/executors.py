"""Executors: threads by default, anything with the interface of `concurrent.futures.Executor` otherwise.

Work given to an executor is a function at the top level of a module and arrays, so that it can travel to another
process; what it draws at random comes from a seed in its arguments, so that the result depends neither on the
number of workers nor on the order in which they finish.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from discreet.errors import InputError
from discreet.work import thread_count

T = TypeVar("T")

_pool = threading.local()  # of a thread that works for a pool: `stop`, set once nobody waits for results any more


def stopping() -> bool:
    """Whether an error or Ctrl-C is closing the pool this thread works for: long work then ends at its next check."""
    stop = getattr(_pool, "stop", None)
    return stop is not None and stop.is_set()


def _join(stop: threading.Event) -> None:
    _pool.stop = stop


@contextmanager
def workers(executor: Executor | None, *, most: int | None = None) -> Iterator[Executor]:
    """The executor that was given, or a pool of threads, `most` at most, for the length of the block."""
    if executor is not None:
        if not callable(getattr(executor, "submit", None)):
            raise InputError(
                "executor must have the interface of concurrent.futures.Executor (for Dask, pass client.get_executor())"
            )
        yield executor
        return
    stop = threading.Event()
    count = thread_count() if most is None else min(most, thread_count())
    pool = ThreadPoolExecutor(count, "discreet", initializer=_join, initargs=(stop,))
    try:
        yield pool
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def worker_count(executor: Executor | None) -> int:
    """How many pieces of work the executor runs at once, where it tells; else the number of threads here."""
    count = getattr(executor, "_max_workers", None)
    return count if isinstance(count, int) and count > 0 else thread_count()


def ordered_map(
    pool: Executor | None, task: Callable[..., T], arguments: Iterable[tuple[Any, ...]], *, ahead: int | None = None
) -> Iterator[T]:
    """Results of `task(*a)` in the order of `arguments`, with at most `ahead` submitted but not yet consumed.

    The bound keeps memory down when the arguments are blocks of a large array that are made on the fly. Without a pool
    each task is done here when its result is asked for.
    """
    if pool is None:
        yield from (task(*a) for a in arguments)
        return
    limit = ahead if ahead is not None else 4 * worker_count(pool)
    queue = iter(arguments)
    waiting: list[Future[T]] = [pool.submit(task, *a) for a in islice(queue, limit)]
    try:
        while waiting:
            result = waiting.pop(0).result()
            for a in islice(queue, 1):
                waiting.append(pool.submit(task, *a))
            yield result
    finally:
        for future in waiting:
            future.cancel()
