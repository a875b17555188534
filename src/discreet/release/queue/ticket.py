"""A decision that someone waits for: it can be waited for in a thread or without one, and given up at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Protocol

from discreet.work import ProgressCallback


class Call(Protocol):
    """Calls a function on behalf of a ticket, wherever that is: a pure one of a module, with what it is given.

    `CutOff` where it takes longer than `seconds`.
    """

    def __call__(
        self,
        function: Callable[..., Any],
        *given: Any,
        seconds: float,
        progress: ProgressCallback | None = None,
    ) -> Any: ...


Job = Callable[[Call], Any]


class Busy(Exception):
    """Too many decisions are waiting: come back after so many seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


class Stopping(Exception):
    """The server is being stopped and decides nothing more."""


class Left(Exception):
    """Whoever asked is gone."""


class CutOff(Exception):
    """The work was ended at its time limit, or because it took more memory than there is."""


class Ticket:
    """A job in line. `token` is whose it is; a `dataset` is worked on by one job at a time, None by any number."""

    def __init__(self, token: int, dataset: str | None, job: Job) -> None:
        self.token, self.dataset, self.job = token, dataset, job
        self.future: Future[Any] = Future()
        self._guard = threading.Lock()
        self._reason: Exception | None = None
        self._end: Callable[[], None] | None = None

    def leave(self, reason: Exception) -> None:
        """Give it up: what runs for it is ended, and whoever still waits is told the reason."""
        with self._guard:
            self._reason = self._reason or reason
            if self._end is not None:
                self._end()

    def check(self) -> None:
        """Raise the reason where it has been given up."""
        if self._reason is not None:
            raise self._reason

    @contextmanager
    def ended_by(self, end: Callable[[], None]) -> Iterator[None]:
        """While this lasts, leaving calls `end`."""
        with self._guard:
            self.check()
            self._end = end
        try:
            yield
        finally:
            with self._guard:
                self._end = None

    def run(self, call: Call) -> None:
        """Do the job and tell whoever waits how it ended."""
        try:
            self.check()
            made = self.job(call)
        except BaseException as error:
            self.fail(error)
        else:
            self.future.set_result(made)

    def fail(self, error: BaseException) -> None:
        self.future.set_exception(error)
