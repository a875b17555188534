"""What long work shares: a time limit, progress and the number of threads."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from discreet.errors import InputError, whole

SEED_FAULT = "random_state must be a whole number from 0 to 2^63 - 1, or None"


def is_seed(value: object) -> bool:
    """Whether `value` is a seed that every generator here takes."""
    number = 0 if value is None else whole(value)
    return number is not None and 0 <= number < 2**63


@dataclass(frozen=True, slots=True)
class Progress:
    """A step of long work: which stage, how much of it is done (0 to 1, or None), and its best figures so far."""

    stage: str
    done: float | None = None
    figures: tuple[tuple[str, float], ...] = ()


ProgressCallback = Callable[[Progress], None]


class Reporter:
    """Calls the user's progress callback, if there is one, at most every `interval` seconds and at stage changes."""

    def __init__(self, callback: ProgressCallback | None, interval: float = 0.1) -> None:
        self._callback = callback
        self._interval = interval
        self._stage: str | None = None
        self._last = 0.0

    def __call__(self, stage: str, done: float | None = None, **figures: float) -> None:
        if self._callback is None:
            return
        now = time.monotonic()
        if stage != self._stage or now - self._last >= self._interval or done == 1.0:
            self._stage, self._last = stage, now
            self._callback(Progress(stage, done, tuple(figures.items())))


class Deadline:
    """The moment at which work must stop; never, where the limit is None."""

    def __init__(self, time_limit: float | None) -> None:
        if time_limit is not None and not time_limit >= 0:
            raise InputError("time_limit must be a number of seconds, 0 or more, or None")
        self.limit = time_limit
        self.start = time.monotonic()

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.start

    @property
    def remaining(self) -> float:
        """Seconds left; 0 once the moment has passed, so that what is left can be a time limit itself."""
        return float("inf") if self.limit is None else max(0.0, self.limit - self.elapsed)

    def until(self, share: float) -> Deadline:
        """A deadline for the next piece of the work: it ends when this share of the whole time is over."""
        return Deadline(None if self.limit is None else max(0.0, share * self.limit - self.elapsed))

    @property
    def passed(self) -> bool:
        return self.remaining <= 0


def thread_count() -> int:
    """Threads to use: `DISCREET_THREADS`, else every core this process may run on."""
    given = os.environ.get("DISCREET_THREADS", "")
    if given:
        if not given.isdigit() or int(given) < 1:
            raise InputError("the environment variable DISCREET_THREADS must be a whole number, 1 or more")
        return int(given)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
