"""What a rounded table gives away: intervals of the true values, for someone who knows the base and that all adds up.

Someone who sees z knows |a - z| ≤ r in every cell, where r is the base less one unit (or as far as the farthest cell
went, where some had to leave), that true values add up, and that they are not negative where none is. Which cells were
multiples of the base before is not known to him.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from discreet.tabular.audit import Intervals, audit
from discreet.tabular.problem import Problem
from discreet.work import Deadline


class RoundingAudit(NamedTuple):
    """Intervals of every cell; how many are known exactly; sensitive cells proven exposed, and undecided, by number."""

    intervals: Intervals
    exact: int
    exposed: tuple[int, ...]
    undecided: tuple[int, ...]

    def told(self) -> str:
        words = f"{self.exact} cells can be inferred exactly, {len(self.exposed)} sensitive ones too closely"
        return words + (f", {len(self.undecided)} undecided" if self.undecided else "")

    def figures(self) -> dict[str, int]:
        return {"exact": self.exact, "exposed": len(self.exposed), "undecided": len(self.undecided)}


def rounding_view(original: Problem, told: Any, reach: int) -> Problem:
    """The true table with the limits that the rounded values `told` set."""
    value = original.cells.value
    lower, upper = told - reach, told + reach
    if (value >= 0).all():
        lower = np.maximum(lower, 0)
    return original._replace(cells=original.cells._replace(lower=lower, upper=upper))


def audit_rounding(original: Problem, told: Any, base: int, time_limit: float | None = None) -> RoundingAudit:
    """The audit of all cells as hidden, each within reach of its rounded value."""
    reach = max(base - 1, int(np.abs(told - original.cells.value).max(initial=0)))
    problem = rounding_view(original, told, reach)
    found = audit(problem, np.ones(told.size, np.bool_), deadline=Deadline(time_limit))
    exposed = tuple(sorted({each.cell for each in found.exposed}))
    undecided = tuple(sorted({each.cell for each in found.undecided} - set(exposed)))
    return RoundingAudit(found, int((found.lower == found.upper).sum()), exposed, undecided)
