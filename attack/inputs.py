"""Feed every command files and option values that nobody would give it, for as long as one likes.

What must hold is in `tests/fed.py`: exit codes 0, 1 and 2, no value told, no traceback, nothing left behind.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fed import Table

# No file here has more than some dozen rows: a command that takes longer does not end.
ENDLESS = 30.0


def run(seconds: float, seed: int) -> str:
    """Alternate malformed files, each given to all commands, and edge values; a hole is an AssertionError."""
    end = time.monotonic() + seconds
    rng = random.Random(seed)
    files = edges = 0
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as place, _ended():
        os.chdir(place)  # relative names among the edge values stay in here
        try:
            table = Watched(Path(place))
            lines = list(table.spice())
            rng.shuffle(lines)
            while time.monotonic() < end:
                for words, wrong in table.feed(seed * 1_000_000 + files, end=end):
                    raise AssertionError(f"malformed({seed * 1_000_000 + files}): {wrong}; {words}")
                files += 1
                for words in lines[edges % len(lines) :][:20]:
                    if time.monotonic() > end:
                        break
                    wrong = table.serve(words, b"")
                    assert wrong is None, f"{wrong}; {words}"
                    edges += 1
        finally:
            os.chdir(before)
    return f"{table.meals_served} commands: {files} malformed files, each to every command, and {edges} edge values"


class Watched(Table):
    """A table at which no meal may last for ever."""

    meals_served = 0

    def serve(self, words: tuple[object, ...], content: bytes, spare: Path | None = None) -> str | None:
        self.meals_served += 1
        signal.setitimer(signal.ITIMER_REAL, ENDLESS)
        try:
            return super().serve(words, content, spare)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)


@contextlib.contextmanager
def _ended() -> Iterator[None]:
    """An alarm ends what runs, as a defect would: so it is reported."""

    def ring(*_: object) -> None:
        raise RuntimeError(f"no end within {ENDLESS:.0f} s")

    earlier = signal.signal(signal.SIGALRM, ring)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, earlier)
