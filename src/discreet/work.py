"""What long work shares: a time limit, progress and the number of threads."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import Any, NamedTuple, TypeVar, cast

from discreet.errors import InputError, whole

F = TypeVar("F", bound=Callable[..., Any])

SEED_FAULT = "random_state must be a whole number from 0 to 2^63 - 1, or None"


def is_seed(value: object) -> bool:
    """Whether `value` is a seed that every generator here takes."""
    number = 0 if value is None else whole(value)
    return number is not None and 0 <= number < 2**63


@dataclass(frozen=True, slots=True)
class Progress:
    """A step of long work: which stage, how much of it is done (0 to 1, or None), and its best figures so far.

    `left` is an estimate of the seconds that remain, where there is one.
    """

    stage: str
    done: float | None = None
    figures: tuple[tuple[str, float], ...] = ()
    left: float | None = None


ProgressCallback = Callable[[Progress], None]


class Moment(NamedTuple):
    """What a search knew so many seconds after its start: its best value and its bound, NaN where it had none."""

    seconds: float
    value: float
    bound: float


# Under which names searches report their best value; a bound is "bound" everywhere.
VALUES = ("sse", "loss", "cost", "value")


class Reporter:
    """Calls the user's progress callback, if there is one, at most every `interval` seconds and at stage changes.

    `trace` keeps the moments at which the best value or the bound that is reported changed, for a picture of the
    search. It is written here and read by nobody who searches: what is found does not depend on it.
    """

    def __init__(self, callback: ProgressCallback | None, interval: float = 0.1) -> None:
        self._callback = callback
        self._interval = interval
        self._stage: str | None = None
        self._last = 0.0
        self._start = time.monotonic()
        self.trace: list[Moment] = []

    def silent(self) -> Reporter:
        """One that calls nobody and keeps the same trace, for a search within a search."""
        other = Reporter(None)
        other._start, other.trace = self._start, self.trace
        return other

    def _keep(self, figures: dict[str, float]) -> None:
        value = next((float(figures[name]) for name in VALUES if name in figures), float("nan"))
        bound = float(figures.get("bound", float("nan")))
        known = self.trace[-1][1:] if self.trace else ()
        if not (value != value and bound != bound) and repr(known) != repr((value, bound)):
            self.trace.append(Moment(time.monotonic() - self._start, value, bound))

    def __call__(self, stage: str, done: float | None = None, **figures: float) -> None:
        if figures:
            self._keep(figures)
        if self._callback is None:
            return
        now = time.monotonic()
        if stage != self._stage or now - self._last >= self._interval or done == 1.0:
            self._stage, self._last = stage, now
            self._callback(Progress(stage, done, tuple(figures.items())))


def with_bar(function: F) -> F:
    """An instrument that draws a bar in a notebook, unless it is given a `progress` of its own."""

    @wraps(function)
    def shown(*values: Any, **settings: Any) -> Any:
        with shown_progress(settings.pop("progress", None)) as callback:
            return function(*values, progress=callback, **settings)

    return cast(F, shown)


@contextmanager
def shown_progress(given: ProgressCallback | None) -> Iterator[ProgressCallback | None]:
    """The callback to use: the one that is given, in a notebook one that draws a bar below the cell, else none."""
    if given is not None or not in_notebook():
        yield given
        return
    shown: Any = import_module("IPython.display")
    handle = shown.display(shown.HTML(_bar(Progress("starting"))), display_id=True)
    try:
        yield lambda step: handle.update(shown.HTML(_bar(step)))
    finally:
        handle.update(shown.HTML(""))


def in_notebook() -> bool:
    """Whether what is displayed goes to a notebook: IPython runs, with a kernel and not in a terminal."""
    module = sys.modules.get("IPython")
    shell = None if module is None else module.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def _bar(step: Progress) -> str:
    from html import escape

    figures = "  ".join(f"{name} {value:.6g}" for name, value in step.figures)
    value = "" if step.done is None else f' value="{step.done:.4f}"'
    return f'<progress max="1"{value}></progress> {escape(step.stage)} {escape(figures)}'


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

    def spend(self, work: int) -> None:
        """So much work has been done, in cells evaluated. A moment does not care; `WorkLimit` does."""

    def until(self, share: float) -> Deadline:
        """A deadline for the next piece of the work: it ends when this share of the whole time is over."""
        return Deadline(None if self.limit is None else max(0.0, share * self.limit - self.elapsed))

    @property
    def passed(self) -> bool:
        return self.remaining <= 0


class WorkLimit(Deadline):
    """A limit counted in work instead of time, so that the same work always ends at the same point.

    Work is cells evaluated, as the searches report it by `spend`; so many of them stand for a second.
    """

    PER_SECOND = 20_000_000

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self._spent = 0

    def spend(self, work: int) -> None:
        self._spent += work

    @property
    def elapsed(self) -> float:
        return self._spent / self.PER_SECOND


def thread_count() -> int:
    """Threads to use: `DISCREET_THREADS`, else every core this process may run on."""
    given = os.environ.get("DISCREET_THREADS", "")
    if given:
        if not given.isdigit() or int(given) < 1:
            raise InputError("the environment variable DISCREET_THREADS must be a whole number, 1 or more")
        return int(given)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
