"""Compiling in the background: the server answers at once, and decisions wait until everything they need is compiled.

A decision has a time limit, which compiling would eat up; so it waits for `done` before its clock starts.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger("discreet.release")


class Warmth:
    """Whether what decisions need is compiled. Nothing to do means warm from the start."""

    def __init__(self, work: Callable[[], None] | None = None) -> None:
        self.done = threading.Event()
        self.failed = False
        if work is None:
            self.done.set()
        else:
            threading.Thread(target=self._run, args=(work,), name="warming", daemon=True).start()

    @property
    def warm(self) -> bool:
        return self.done.is_set() and not self.failed

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:
            # Decisions go on: each compiles what it needs, slowly. The server does not call itself ready.
            self.failed = True
            log.error("warming up failed: %s", type(error).__name__)
        finally:
            self.done.set()
