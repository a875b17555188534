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

    | field | what it says |
    |---|---|
    | descents | start partitions by MDAV and local search |
    | annealings | start partitions by annealing |
    | proposals | changes that each of these proposes, a record |
    | dives | into the relaxation; twice as many annealings follow |
    | cut_rounds | rounds of pricing and cuts in turn; none: no cuts |
    | branches | branches of pricing, a root and size |
    | branches_large | the same from k = 8 on, where groups are many |
    | budgets | groups to enumerate below a target, one try after the other; none: no targets |
    | nodes | nodes of an integer program |
    | windows | rounds of windows |
    | block_rounds | quick passes of pricing by blocks, for large files |
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


_DEFAULT = Work(
    descents=15,
    annealings=6,
    proposals=1500.0,
    dives=2,
    cut_rounds=60,
    branches=2_000_000,
    branches_large=20_000,
    budgets=(1000, 2000, 4000, 10_000),
    nodes=2000,
    windows=40,
    block_rounds=12,
)

EFFORTS: Mapping[str, Work] = {
    # No cuts, and nothing that needs them.
    "fast": _DEFAULT._replace(
        descents=10, annealings=2, proposals=200.0, dives=0, cut_rounds=0, branches=20_000, branches_large=1000,
        budgets=(), nodes=0, windows=0, block_rounds=4,
    ),
    "default": _DEFAULT,
    "best": _DEFAULT._replace(
        descents=25, annealings=16, proposals=4000.0, dives=4, cut_rounds=120, branches=50_000_000,
        branches_large=200_000, budgets=(1000, 2000, 4000, 8000, 16000, 32000), nodes=20_000, windows=200,
        block_rounds=30,
    ),
}  # fmt: skip
