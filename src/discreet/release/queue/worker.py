"""One decision process, seen by the one who starts it: warm before it is used, ended where it takes too long."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from discreet.release.queue import child
from discreet.release.queue.letters import Sender
from discreet.release.queue.ticket import CutOff, Stopping, Ticket
from discreet.work import ProgressCallback

# Seconds beyond its limit after which a call is ended: it may look at the clock late.
GRACE = 1.0
PAUSE = 1.0


class Worker:
    """A process that is started again whenever it is gone."""

    def __init__(self, *, warm: bool, threads: int) -> None:
        self.warm, self.threads = warm, threads
        self._stopped = threading.Event()
        self._guard = threading.Lock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._sender = Sender()

    def prepare(self) -> Connection:
        """The way to a process that is ready to be written to."""
        while self._connection is None:
            if not self._start():
                self._stopped.wait(PAUSE)  # it did not come up: not over and over without a breath
        return self._connection

    def _start(self) -> bool:
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        given = (theirs, self.warm, self.threads, GRACE)
        with self._guard:
            if self._stopped.is_set():
                raise Stopping
            process = spawn.Process(target=child.work, args=given, daemon=True)
            process.start()
            self._process = process
        theirs.close()
        self._sender = Sender()
        try:
            ours.recv()
        except (EOFError, OSError):
            ours.close()
            self.drop()
            return False
        self._connection = ours
        return True

    def call(
        self,
        ticket: Ticket,
        function: Callable[..., Any],
        *given: Any,
        seconds: float,
        progress: ProgressCallback | None = None,
    ) -> Any:
        """What the function returns or raises; `CutOff` after the time, or where the process dies of it twice."""
        with ticket.ended_by(self.kill):
            for _ in range(2):
                connection = self.prepare()
                ticket.check()
                try:
                    return self._answer(connection, function, given, seconds, progress)
                except (EOFError, OSError):
                    self.drop()
                    ticket.check()
                except CutOff:
                    self.drop()
                    raise
        raise CutOff

    def _answer(
        self,
        connection: Connection,
        function: Callable[..., Any],
        given: tuple[Any, ...],
        seconds: float,
        progress: ProgressCallback | None,
    ) -> Any:
        connection.send_bytes(self._sender.write(function, given, seconds=seconds, reports=progress is not None))
        end = time.monotonic() + seconds + GRACE
        while True:
            if not connection.poll(max(0.0, end - time.monotonic())):
                raise CutOff
            kind, told = connection.recv()
            if kind == child.REPORT and progress is not None:
                progress(told)
            elif kind == child.FAILED:
                raise CutOff if isinstance(told, MemoryError) else told
            elif kind == child.DONE:
                return told

    def kill(self) -> None:
        """End the process at once; may be called from any thread."""
        with self._guard:
            if self._process is not None:
                self._process.kill()

    def drop(self) -> None:
        """End the process and forget it: the next call starts another."""
        with self._guard:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def stop(self) -> None:
        """End the process for good."""
        self._stopped.set()
        self.kill()
