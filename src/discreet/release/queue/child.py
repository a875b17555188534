"""What a decision process does: it reads a letter, calls what it says, sends back what came out. Over and over.

It ends when nobody is left to write to it, and by an alarm of the system when a call takes longer than it may: whoever
is to end it may be gone by then. It makes way for those who answer requests.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import Connection
from pickle import PicklingError
from typing import Any

NICE = 5
READY, REPORT, DONE, FAILED = "ready", "report", "done", "failed"


def work(connection: Connection, warm: bool, threads: int, grace: float) -> None:
    # The terminal and the system tell all processes to stop; this one is stopped by the one that started it.
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, signal.SIG_IGN)
    follow_parent()
    os.environ["DISCREET_THREADS"] = str(threads)
    if hasattr(os, "nice"):
        os.nice(NICE)
    from discreet.release import additive, engine
    from discreet.release.queue.letters import Reader

    if warm:
        engine.warm_up()
        additive.warm_up()
    reader = Reader()
    connection.send((READY, None))
    while True:
        try:
            letter = connection.recv_bytes()
        except EOFError:
            return
        function, given, seconds, reports = reader.read(letter)
        _alarm(seconds + 2 * grace)
        settings = {"progress": lambda step: connection.send((REPORT, step))} if reports else {}
        try:
            answer: tuple[str, Any] = (DONE, function(*given, **settings))
        except Exception as error:
            answer = (FAILED, error)
        _alarm(0.0)
        try:
            connection.send(answer)
        except (TypeError, AttributeError, PicklingError):
            connection.send((FAILED, RuntimeError(f"{type(answer[1]).__name__} cannot be sent")))


def follow_parent() -> None:
    """End this process when the one that started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)  # whoever is being answered must not believe that someone still supervises this


def _alarm(seconds: float) -> None:
    """Have the system end this process after so many seconds; 0 calls it off."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
