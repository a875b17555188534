"""A contributor to several cells, who knows his own part of each.

Where no contribution is negative, whoever contributes s to a cell knows that y ≥ s, and where nobody else contributes,
that y = s. Of a cell that he contributes to no more can be asked to be hidden from him than what the others contribute,
and nothing of a cell that is his alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.tabular.problem import PRIMARY, SECONDARY, Ints, Problem


class Holder(NamedTuple):
    """A contributor: the cells he has a part of, and the least and greatest values he must think possible of each."""

    cell: Ints
    lower: Ints
    upper: Ints

    def view(self, problem: Problem) -> Problem:
        """The problem as he sees it: narrower boxes, and levels no wider than they are."""
        cells = problem.cells
        lower, upper = cells.lower.copy(), cells.upper.copy()
        lower[self.cell] = np.maximum(lower[self.cell], self.lower)
        upper[self.cell] = np.minimum(upper[self.cell], self.upper)
        status = cells.status.copy()
        own = self.cell[(self.lower == self.upper) & (status[self.cell] == PRIMARY)]
        status[own] = SECONDARY
        levels = [cells.below.copy(), cells.above.copy(), cells.sliding.copy()]
        room = cells.value - lower, upper - cells.value, upper - lower
        for level, most in zip(levels, room):
            level[self.cell] = np.minimum(level[self.cell], most[self.cell])
        below, above, sliding = levels
        seen = cells._replace(lower=lower, upper=upper, status=status, below=below, above=above, sliding=sliding)
        return problem._replace(cells=seen)
