"""What a rounded table gives away: intervals of the true values, for someone who knows the base and that all adds up.

Someone who sees z knows |a - z| ≤ r in every cell, where r is the base less one unit (where some had to leave, in
totals as far as the farthest went), that true values add up, and that they are not negative where none is. Which cells
were multiples of the base before is not known to him. That is what intervals are from. Sensitive cells are judged
against all who attack hidden cells: they know the limits stated for each cell besides, and single respondents and
holdings what is theirs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.instruments.totals.audit import Audit
from discreet.instruments.totals.audit import audit as audit_table
from discreet.instruments.totals.audit_knowledge import RING, tells_in_ring
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.audit import Intervals, audit
from discreet.tabular.audit.knowledge import controlled_boxes
from discreet.tabular.problem import PRIMARY, Ints, Problem
from discreet.work import Deadline


class RoundingAudit(NamedTuple):
    """Intervals of every cell; how many are known exactly; sensitive cells proven exposed, and undecided, by number.

    `levels` is the audit of the sensitive cells; None where there are none. `ring`: linked tables may tell more.
    """

    intervals: Intervals
    exact: int
    exposed: tuple[int, ...]
    undecided: tuple[int, ...]
    levels: Audit | None
    ring: bool = False

    def told(self) -> str:
        words = f"{self.exact} cells can be inferred exactly, {len(self.exposed)} sensitive ones too closely"
        return words + (f", {len(self.undecided)} undecided" if self.undecided else "")

    @property
    def attackers(self) -> list[str]:
        """Against whom sensitive cells were judged, and who may infer more."""
        if self.levels is not None:
            return self.levels.knowledge.told()
        return [f"is not taken for {RING}"] if self.ring else []

    def figures(self) -> dict[str, object]:
        counts = {"exact": self.exact, "exposed": len(self.exposed), "undecided": len(self.undecided)}
        return {**counts, "attackers": self.attackers}


def rounding_view(original: Problem, told: Ints, base: int) -> Problem:
    """The true table with the limits that the rounded values `told` set.

    Where no cell of zero is listed, zeros are left out: whoever sees a cell knows that it is none.
    """
    value = original.cells.value
    lower, upper = controlled_boxes(value, told, np.full_like(value, base), original.totals)
    if (value >= 0).all():
        lower = np.maximum(lower, int(value.min(initial=1) > 0))
    return original._replace(cells=original.cells._replace(lower=lower, upper=upper))


def audit_rounding(
    original: AdditiveTable, rounded: AdditiveTable, base: int, time_limit: float | None = None
) -> RoundingAudit:
    """The audit of all cells as hidden, each in its box around the rounded value; then of the sensitive ones."""
    told = rounded.problem.cells.value
    problem = rounding_view(original.problem, told, base)
    found = audit(problem, np.ones(told.size, np.bool_), deadline=Deadline(time_limit))
    levels = None
    if (original.problem.cells.status == PRIMARY).any():
        known = dict.fromkeys(range(told.size), base), rounded
        levels = audit_table(original, rounding=known, levels_only=True, time_limit=time_limit)
    exact = int((found.lower == found.upper).sum())
    short = (levels.exposed, levels.undecided) if levels else ((), ())
    return RoundingAudit(found, exact, *short, levels, tells_in_ring(original))
