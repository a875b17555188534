"""How much memory a run may take, and how many records a task may hold then.

Of the limit, the interpreter and its libraries take a part that does not depend on the data. The rest is shared by
`AT_ONCE` tasks. Under a cluster the limit is that of each worker. The number of workers plays no part: the same limit
means the same blocks everywhere.
"""

from __future__ import annotations

import re

from discreet.errors import InputError

AT_ONCE = 4
DEFAULT = 2_000_000_000
LEAST = 50_000_000
LIBRARIES = 320_000_000
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}


def memory_limit(given: str | int | None) -> int:
    """A limit such as "1.5GB", "800 MiB" or a number of bytes, in bytes; the same everywhere where none is given."""
    if given is None:
        return DEFAULT
    size: float | None = None
    if isinstance(given, int) and not isinstance(given, bool):
        size = given
    elif isinstance(given, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]I?|)B?\s*", given.upper())
        size = None if found is None else float(found[1]) * _UNITS[found[2]]
    if size is None:
        raise InputError("a limit of memory (memory, --memory) is written as 2GB, 1.5GB or 800MB")
    if not LEAST <= size < 2**63:
        raise InputError(f"the memory (memory, --memory) must be at least {LEAST // 10**6}MB")
    return int(size)


def rows_within(memory: int, row_bytes: float) -> int:
    """How many records of so many bytes a task may hold."""
    room = memory - min(LIBRARIES, memory // 2)
    return max(1, int(room / AT_ONCE / row_bytes))
