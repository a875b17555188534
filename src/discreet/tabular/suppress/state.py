"""What the stages of the search share: the model, the rows, the best pattern and the bound so far."""

from __future__ import annotations

import math

import numpy as np

from discreet.tabular.problem import Ints, Problem
from discreet.tabular.suppress.attack import check
from discreet.tabular.suppress.master import Master
from discreet.tabular.suppress.model import Flags, Floats, Model
from discreet.tabular.suppress.repair import Repaired, repair
from discreet.tabular.suppress.requirements import Requirements
from discreet.work import Deadline, Reporter


class State:
    """`hard` are the requirements that cells which must be hidden do not meet among themselves; `own` are the others.

    `bound` is on the whole cost, by the linear programs' word; `x` is the last solution of the master program.
    """

    def __init__(self, problem: Problem, requirements: Requirements, deadline: Deadline, reporter: Reporter) -> None:
        self.deadline, self._reporter = deadline, reporter
        self.model = Model(problem, requirements)
        own = check(self.model, self.model.forced)
        self.own = own.support
        self.hard: Ints = np.array([unmet.requirement for unmet in own.unmet], np.int64)
        self.master = Master(self.model)
        self.best: Repaired | None = None
        self.bound = float(self.model.constant)
        self.x: Floats = self.model.forced.astype(np.float64)

    @property
    def cost(self) -> float:
        return math.inf if self.best is None else self.best.cost

    @property
    def closed(self) -> bool:
        """Whether bound and cost meet, costs being whole."""
        return self.best is not None and math.ceil(min(self.bound, self.cost) - 1e-6) >= self.cost

    def raise_bound(self, bound: float) -> None:
        """`bound` is on the cost of what is chosen. Fixing may leave only patterns dearer than the incumbent."""
        self.bound = max(self.bound, min(bound + self.model.constant, self.cost))

    def report(self, stage: str) -> None:
        if self.best is not None:
            self._reporter(stage, None, cost=float(self.cost), bound=float(min(self.bound, self.cost)))

    def offer(self, found: Repaired | None) -> bool:
        """Keep a pattern that is cheaper than the best."""
        if found is None or found.cost >= self.cost:
            return False
        self.best = found
        return True

    def keep_forced(self) -> None:
        """The cells that must be hidden protect themselves: nothing more is needed."""
        self.offer(Repaired(self.model.forced.copy(), self.model.constant, self.own))

    def repair(self, start: Flags, guide: Floats | None = None) -> bool:
        """Make a pattern of `start`, cells that `guide` favors being cheaper, and offer it."""
        prices = None if guide is None else self.model.cost * (1.001 - np.clip(guide, 0.0, 1.0))
        return self.offer(repair(self.model, start, self.deadline, prices=prices, known=self.own))
