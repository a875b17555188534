"""Whether a pattern protects every sensitive cell: the fast check, which looks for no more than the levels ask.

Components without a sensitive cell are left out, the others are decided one by one (decide.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from discreet.scale import ordered_map, workers
from discreet.tabular.audit.attackers import attacks
from discreet.tabular.audit.decide import Wanted, decide
from discreet.tabular.audit.intervals import ALONE, Intervals, gather
from discreet.tabular.audit.levels import targets
from discreet.tabular.audit.system import components, hidden_system
from discreet.tabular.problem import Ints, Problem
from discreet.work import Deadline, Reporter

Flags = NDArray[np.bool_]


def protects(
    problem: Problem,
    hidden: Flags | None = None,
    *,
    known: Sequence[Ints] = (),
    deadline: Deadline | None = None,
    reporter: Reporter | None = None,
    executor: Executor | None = None,
) -> Intervals:
    """What the levels need, and no more: `shortfalls` of the result lists every requirement that is not proven to hold.

    `known` are cells that attackers know beforehand, one array each: the levels of all other cells are asked again.
    Ends of the intervals are as wide as was needed; only `shortfalls`, proofs and witnesses are the answer.
    """
    end = Deadline(None) if deadline is None else deadline
    tell = Reporter(None) if reporter is None else reporter
    tell("relations", 0.0)
    system = hidden_system(problem, hidden)
    wanted, sliding = targets(problem, system.cell)
    parts = [part for part in components(system) if wanted[:, part.place].any() or sliding[part.place].any()]
    tasks = ((part, Wanted(wanted[:, part.place], sliding[part.place]), end) for part in parts)
    large = sum(part.n for part in parts) - max((part.n for part in parts), default=0) > ALONE
    results = []
    if large:
        with workers(executor) as pool:
            for ends in ordered_map(pool, decide, tasks):
                results.append(ends)
                tell("levels", len(results) / len(parts))
    else:
        for ends in ordered_map(None, decide, tasks):
            results.append(ends)
            tell("levels", len(results) / len(parts))
    return gather(problem, system, results, attacks(problem, system, results, known, end))
