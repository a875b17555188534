"""How much work a certificate takes: the effort levels, and the sizes from which another way is taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

# Tables of distances take 20·n² bytes while they are made.
MOST_RECORDS = 7000
# Beyond that, work by blocks takes some milliseconds a record: not unasked for where nobody set a limit of time.
MOST_UNLIMITED = 100_000


class Work(NamedTuple):
    """How much is done without a time limit.

    Starts, dives, rounds of cuts, branches a root and size (from k = 8 on, where groups are many, the second figure),
    groups to enumerate, nodes of an integer program, rounds of windows; rounds by blocks, for large files.
    """

    descents: int
    annealings: int
    proposals: float
    dives: int
    cut_rounds: int
    branches: int
    branches_large: int
    budgets: tuple[int, ...]
    nodes: int
    windows: int
    block_rounds: int


EFFORTS: Mapping[str, Work] = {
    "fast": Work(10, 2, 200.0, 0, 0, 20_000, 1000, (), 0, 0, 4),
    "default": Work(15, 6, 1500.0, 2, 60, 2_000_000, 20_000, (1000, 2000, 4000, 10_000), 2000, 40, 12),
    "best": Work(25, 16, 4000.0, 4, 120, 50_000_000, 200_000, (1000, 2000, 4000, 8000, 16000, 32000), 20_000, 200, 30),
}
