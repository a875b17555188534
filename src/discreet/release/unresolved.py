"""Margins whose question was left open at the limit: how often it was tried, and when it may be tried again.

"Unresolved" is not "dangerous". An open question closes nothing by inheritance. A custodian may have it tried again at
once, with any limit; analysts after a pause that doubles with each try, and then the try may take twice as long as the
one before, up to `PATIENCE` times the limit of the policy. Until then the same refusal is repeated without new work.

Whatever is kept here is a function of when a margin was asked and of what came of it. In mode "simulatable" what came
of it is a function of what is public, since limits are counted in work there (`work.WorkLimit`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from discreet.release.frontier import POSSIBLE, Frontier
from discreet.release.policy import LONGEST

# Seconds before analysts may have a margin tried again, the first time and at most.
PAUSE, LONGEST_PAUSE = 60.0, 86_400.0
PATIENCE = 8


@dataclass(frozen=True)
class Attempt:
    """The last of `tries` to settle a margin: its limit, and when to try again (seconds since 1970)."""

    tries: int
    until: float
    limit: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


# By margin.
Unresolved = Mapping[int, Attempt]


def waits(unresolved: Unresolved, margin: int, moment: float) -> bool:
    """Whether it is too early to try the margin again."""
    known = unresolved.get(margin)
    return known is not None and moment < known.until


def next_limit(unresolved: Unresolved, margin: int, first: float) -> float:
    """Seconds that the next try by an analyst may take; `first` is the limit of the first."""
    tries = unresolved[margin].tries if margin in unresolved else 0
    return min(first * min(1 << min(tries, 30), PATIENCE), LONGEST)


def tried(unresolved: Unresolved, margin: int, moment: float, limit: float) -> dict[int, Attempt]:
    """After one more try in vain."""
    tries = 1 + (unresolved[margin].tries if margin in unresolved else 0)
    return {**unresolved, margin: Attempt(tries, round(moment + pause_after(tries), 3), limit)}


def pause_after(tries: int) -> float:
    """Seconds before analysts may try again."""
    return min(PAUSE * 2.0 ** min(tries - 1, 30), LONGEST_PAUSE)


def still_open(unresolved: Unresolved, frontier: Frontier) -> dict[int, Attempt]:
    """Without those that the frontiers have settled since."""
    return {margin: attempt for margin, attempt in unresolved.items() if frontier.status(margin) == POSSIBLE}


def write_down(unresolved: Unresolved) -> dict[str, Any]:
    """In terms of JSON."""
    return {str(margin): attempt.to_dict() for margin, attempt in sorted(unresolved.items())}


def read_back(kept: Mapping[str, Mapping[str, Any]]) -> dict[int, Attempt]:
    return {int(m): Attempt(int(a["tries"]), float(a["until"]), float(a["limit"])) for m, a in kept.items()}
