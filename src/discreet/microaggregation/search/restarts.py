"""Independent tasks until a deadline: what restarts share.

A task may run in another process, so its deadline travels as a moment of the wall clock. Results are
consumed in the order of the tasks: what is best does not depend on which worker was quicker.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, TypeVar

from discreet.scale import ordered_map, stopping, worker_count
from discreet.work import Deadline

T = TypeVar("T")


@dataclass(frozen=True)
class Until:
    """A deadline that can be sent to a worker; None: never. It has passed, too, once nobody waits for the result."""

    moment: float | None = None

    @classmethod
    def of(cls, deadline: Deadline) -> Until:
        return cls(None if deadline.limit is None else time.time() + deadline.remaining)

    @property
    def passed(self) -> bool:
        return stopping() or (self.moment is not None and time.time() >= self.moment)


def run_tasks(
    executor: Executor, task: Callable[..., T], tasks: Iterable[tuple[Any, ...]], deadline: Deadline
) -> Iterator[T]:
    """Results in the order of the tasks; once the deadline has passed no further task starts, but the first
    does."""

    def in_time() -> Iterator[tuple[Any, ...]]:
        for number, arguments in enumerate(tasks):
            if number > 0 and deadline.passed:
                return
            yield arguments

    yield from ordered_map(executor, task, in_time(), ahead=worker_count(executor) + 1)
