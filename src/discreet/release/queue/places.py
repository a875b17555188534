"""How many tickets of a token wait and run at once, counted over all server processes of a machine.

Each is a place: a byte of one file that a process locks while its ticket has it. The system takes the locks of a
process that dies, so no place is lost, and nobody has to clean up. Without a file (one process, or a system that has no
such locks) places are counted here alone.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import Literal

try:
    import fcntl
except ImportError:  # pragma: no cover (no such system is tested)
    fcntl = None  # type: ignore[assignment]

Kind = Literal["waiting", "running"]
Place = int
# Most places of a kind that a token may have.
MOST = 512
_FIRST: dict[Kind, int] = {"waiting": 0, "running": MOST}


class Places:
    """Places by token and kind; used from many threads."""

    def __init__(self, path: str | None = None) -> None:
        self._held: set[Place] = set()
        self._guard = threading.Lock()
        shared = path is not None and fcntl is not None
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600) if shared and path is not None else None

    def take(self, token: int, kind: Kind, most: int) -> Place | None:
        """One of so many places of a token; None where all are taken, here or in another process."""
        first = 2 * MOST * token + _FIRST[kind]
        with self._guard:
            for place in range(first, first + min(most, MOST)):
                if place not in self._held and self._lock(place):
                    self._held.add(place)
                    return place
        return None

    def leave(self, place: Place) -> None:
        with self._guard:
            self._held.discard(place)
            if self._file is not None:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)

    @property
    def shared(self) -> bool:
        """Whether a place may become free without our doing."""
        return self._file is not None

    def close(self) -> None:
        """Leave all places."""
        with self._guard, suppress(OSError):
            self._held.clear()
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _lock(self, place: Place) -> bool:
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError:
            return False
        return True
