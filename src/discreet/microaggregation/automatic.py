"""`method="auto"`: which method suits the number of records, the columns that vary, and the effort asked for.

One varying column is solved to optimality. Above 20 000 records the work is done in blocks. In between,
`fast` is MDAV and local search, `default` annealing, `best` annealing with pooling.
"""

from __future__ import annotations

import numpy as np

from discreet.microaggregation.methods import REGISTRY, Call, Outcome
from discreet.microaggregation.problem import Floats

BLOCKS_FROM = 20_000


def pick(points: Floats, effort: str) -> str:
    """The name of the method that `auto` runs."""
    if np.count_nonzero(np.ptp(points, axis=0) > 0) <= 1:
        return "univariate"
    if len(points) > BLOCKS_FROM:
        return "blocks"
    return "pool" if effort == "best" else "annealing"


def run(call: Call) -> Outcome:
    return REGISTRY.run(pick(call.problem.points, call.effort or "default"), call)
