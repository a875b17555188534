"""Where decisions are made: in the thread that asks (`Here`), or in processes of their own behind a line (`Deciders`).

A server uses `Deciders`. Each of them is a thread that owns a process: it takes a ticket from the line, does the job
(which reads the state, has the process decide, and writes down), and takes the next. A request that waits holds no
thread, so however many do, pages and answers from released margins go on. A decision is a pure function, so its process
can be ended at any moment: at its time limit, when whoever asked leaves, when the server stops.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from discreet.release.queue.line import Line
from discreet.release.queue.places import Places
from discreet.release.queue.ticket import Busy, Job, Left, Stopping, Ticket
from discreet.release.queue.worker import Worker
from discreet.work import ProgressCallback, thread_count

# Tickets of one token that may wait.
WAITING = 16
# Seconds that a ticket waits for its turn, and that decisions have to finish when the server stops.
PATIENCE = 300.0
LAST_SECONDS = 0.5


class Decider(Protocol):
    def submit(self, token: int, dataset: str | None, job: Job) -> Ticket:
        """Have a job done; `Busy` where that token has too many."""

    def withdraw(self, ticket: Ticket) -> bool:
        """Take a ticket out of the line; False where its turn has come already."""

    def stop(self) -> None:
        """Finish soon: whoever waits is sent away."""


class Here:
    """Decides in the thread that asks; threads take turns per dataset."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._turns: dict[str | None, threading.Lock] = {}
        self._guard = threading.Lock()

    def submit(self, token: int, dataset: str | None, job: Job) -> Ticket:
        with self._guard:
            turn = self._turns.setdefault(dataset, threading.Lock())
        if not turn.acquire(timeout=self.patience):
            raise Busy(1)
        ticket = Ticket(token, dataset, job)
        try:
            ticket.run(_call)
        finally:
            turn.release()
        return ticket

    def withdraw(self, ticket: Ticket) -> bool:
        return False

    def stop(self) -> None:
        """There is nothing that waits."""


def _call(function: Callable[..., Any], *given: Any, seconds: float, progress: ProgressCallback | None = None) -> Any:
    """In this thread nothing can be ended: the function has to keep its time limit itself."""
    return function(*given) if progress is None else function(*given, progress=progress)


class Deciders:
    """So many processes that decide, and the line before them.

    Where several `servers` have so many each, they share out what a token may have by a file, `places`.
    """

    def __init__(
        self, number: int, *, warm: bool = True, waiting: int = WAITING, servers: int = 1, places: str | None = None
    ) -> None:
        everywhere = max(1, number * servers - 1)
        self.line = Line(max(1, number - 1), waiting, everywhere=everywhere, places=Places(places))
        threads = max(1, thread_count() // number)
        self.ready = threading.Event()  # one of them is warm
        self._workers = [Worker(warm=warm, threads=threads) for _ in range(number)]
        self._threads = [threading.Thread(target=self._serve, args=(w,), daemon=True) for w in self._workers]
        for thread in self._threads:
            thread.start()

    def wait_ready(self) -> None:
        """Until one of them is warm."""
        self.ready.wait()

    def submit(self, token: int, dataset: str | None, job: Job) -> Ticket:
        ticket = Ticket(token, dataset, job)
        self.line.join(ticket)
        return ticket

    def withdraw(self, ticket: Ticket) -> bool:
        return self.line.leave(ticket)

    def _serve(self, worker: Worker) -> None:
        try:
            if worker is not self._workers[0]:
                self.ready.wait()  # what the first compiles, the others find
            worker.prepare()
            self.ready.set()
            while (ticket := self.line.take()) is not None:
                try:
                    ticket.run(partial(worker.call, ticket))
                    worker.prepare()  # within the turn: whoever had the process ended waits for the next
                finally:
                    self.line.done(ticket)
        except Stopping:
            return

    def stop(self) -> None:
        """What runs may finish within a moment; then it is ended."""
        for ticket in self.line.stop():
            ticket.fail(Stopping())
        if not self.line.idle(LAST_SECONDS):
            for ticket in self.line.running:
                ticket.leave(Stopping())
        for worker in self._workers:
            worker.stop()
        self.ready.set()  # for those that have not begun
        for thread in self._threads:
            thread.join(LAST_SECONDS)
        self.line.places.close()


def wait_for(decider: Decider, ticket: Ticket, patience: float = PATIENCE) -> Any:
    """What the job returns or raises; `Busy` where its turn does not come within `patience` seconds."""
    try:
        return ticket.future.result(patience)
    except TimeoutError:
        if not ticket.future.done() and decider.withdraw(ticket):
            raise Busy(1) from None
        return ticket.future.result()


def give_up(decider: Decider, ticket: Ticket) -> None:
    """Whoever asked is gone: the ticket leaves the line, or what runs for it is ended."""
    if not decider.withdraw(ticket):
        ticket.leave(Left())
