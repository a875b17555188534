"""Work that a decision process does besides deciding. Each time limit begins where the work does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.release import engine
from discreet.release.engine import Carried, CellBounds, Ints, Margins, Table
from discreet.release.frontier import Frontier
from discreet.release.offers.offer import bounds_known
from discreet.release.policy import Policy
from discreet.work import Deadline

if TYPE_CHECKING:
    from discreet.release.plan import ReleasePlan


def draw(public: Margins, seed: int, sensitive: int, seconds: float) -> Ints | None:
    """A synthetic table."""
    return engine.synthesize(public, seed, Deadline(seconds), sensitive)


def look(table: Table, frontier: Frontier, cells: Ints, carried: Carried, seconds: float) -> CellBounds:
    """Bounds of chosen cells by all that is told."""
    return bounds_known(table, frontier, cells, carried, Deadline(seconds))


def propose(table: Table, policy: Policy, released: Sequence[int], seconds: float) -> ReleasePlan:
    """The margins to publish at once."""
    from discreet.release.plan import plan

    return plan(table, policy, released=released, time_limit=seconds)
