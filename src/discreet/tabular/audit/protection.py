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
from discreet.tabular.audit.component import Ends
from discreet.tabular.audit.decide import Wanted, decide
from discreet.tabular.audit.intervals import ALONE, Intervals, gather
from discreet.tabular.audit.levels import targets
from discreet.tabular.audit.system import Component, System, components, hidden_system
from discreet.tabular.problem import Ints, Problem
from discreet.work import Deadline, Reporter

Flags = NDArray[np.bool_]


def protects(
    problem: Problem,
    hidden: Flags | None = None,
    *,
    known: Sequence[Ints] = (),
    moves: Sequence[tuple[Ints, Ints]] = (),
    deadline: Deadline | None = None,
    reporter: Reporter | None = None,
    executor: Executor | None = None,
) -> Intervals:
    """What the levels need, and no more: `shortfalls` of the result lists every requirement that is not proven to hold.

    `known` are cells that attackers know beforehand, one array each: the levels of all other cells are asked again.
    `moves` are cells and by how much they move, from whoever made the pattern: those that keep all relations count.
    Ends of the intervals are as wide as was needed; only `shortfalls`, proofs and witnesses are the answer.
    """
    end = Deadline(None) if deadline is None else deadline
    tell = Reporter(None) if reporter is None else reporter
    tell("relations", 0.0)
    system = hidden_system(problem, hidden)
    wanted, sliding = targets(problem, system.cell)
    parts = [part for part in components(system) if wanted[:, part.place].any() or sliding[part.place].any()]
    begun = _begun(system, parts, moves)
    tasks = (
        (part, Wanted(wanted[:, part.place], sliding[part.place]), end, begun.get(at)) for at, part in enumerate(parts)
    )
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


def _begun(system: System, parts: Sequence[Component], moves: Sequence[tuple[Ints, Ints]]) -> dict[int, Ends]:
    """The ends of components after the moves that are told beforehand, each checked where it belongs."""
    if not len(moves):
        return {}
    column = np.full(int(system.cell.max(initial=-1)) + 1, -1, np.int64)
    column[system.cell] = np.arange(system.cell.size)
    owner, local = np.full(system.cell.size, -1, np.int64), np.zeros(system.cell.size, np.int64)
    for at, part in enumerate(parts):
        owner[part.place], local[part.place] = at, np.arange(part.n)
    found: dict[int, Ends] = {}
    for cells, change in moves:
        inside = cells < column.size
        columns, much = column[cells[inside]], change[inside]
        columns, much = columns[columns >= 0], much[columns >= 0]
        for at in np.unique(owner[columns]).tolist():
            if at >= 0:
                ends = found.setdefault(at, Ends(parts[at]))
                own = owner[columns] == at
                whole = np.zeros(parts[at].n, np.int64)
                whole[local[columns[own]]] = much[own]
                ends.keep(whole)
    return found
