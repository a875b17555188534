"""Feed every command files and option values that nobody would give it, for as long as one likes.

What must hold is in `tests/fed.py`: exit codes 0, 1 and 2, no value told, no traceback, nothing left behind.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fed import Table


def run(seconds: float, seed: int) -> str:
    """Alternate malformed files, each given to all commands, and edge values; a hole is an AssertionError."""
    end = time.monotonic() + seconds
    rng = random.Random(seed)
    files = edges = 0
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)  # relative names among the edge values stay in here
        try:
            table = Table(Path(place))
            lines = list(table.spice())
            rng.shuffle(lines)
            while time.monotonic() < end:
                for words, wrong in table.feed(seed * 1_000_000 + files):
                    raise AssertionError(f"malformed({seed * 1_000_000 + files}): {wrong}; {words}")
                files += 1
                for words in lines[edges % len(lines) :][:20]:
                    wrong = table.serve(words, b"")
                    assert wrong is None, f"{wrong}; {words}"
                    edges += 1
        finally:
            os.chdir(before)
    return f"{files} malformed files, each to every command, and {edges} edge values"
