"""Whether a pattern protects every sensitive cell: the fast check, which looks for no more than the levels ask.

For each side that a level is about, in this order: the narrowed box (too narrow: exposed); moves found for other cells;
a small move of +1 and -1 (circuits.py); the linear program of the component, or of a large component first integer
programs over growing neighborhoods (neighborhood.py). A move of the size of the level suffices, so that no program has
to find the end of an interval, except for sliding levels, where both ends count.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.scale import ordered_map, stopping, workers
from discreet.tabular.audit import circuits, neighborhood
from discreet.tabular.audit.component import DOWN, SIDE, UP, Ends
from discreet.tabular.audit.intervals import ALONE, Intervals, gather
from discreet.tabular.audit.levels import targets
from discreet.tabular.audit.system import Component, components, hidden_system
from discreet.tabular.problem import Ints, Problem
from discreet.work import Deadline, Reporter

Flags = NDArray[np.bool_]
# In larger components a linear program is the last resort.
LARGE = 1500
# So many that settle nothing, since their vertices are fractions, say that others will not either.
VAIN = 3


class Wanted(NamedTuple):
    """Of one component: how far its columns must move, (2, n), and how far apart the ends of some must be (else 0)."""

    move: Ints
    sliding: Ints


def protects(
    problem: Problem,
    hidden: Flags | None = None,
    *,
    deadline: Deadline | None = None,
    reporter: Reporter | None = None,
    executor: Executor | None = None,
) -> Intervals:
    """What the levels need, and no more: `shortfalls` of the result lists every requirement that is not proven to hold.

    Ends of the intervals are as wide as was needed; only `shortfalls`, proofs and witnesses are the answer.
    """
    end = Deadline(None) if deadline is None else deadline
    tell = Reporter(None) if reporter is None else reporter
    tell("relations", 0.0)
    system = hidden_system(problem, hidden)
    wanted, slides = targets(problem, system.cell)
    sliding = np.where(slides, problem.cells.sliding[system.cell], 0)
    parts = [part for part in components(system) if wanted[:, part.place].any() or sliding[part.place].any()]
    tasks = ((part, Wanted(wanted[:, part.place], sliding[part.place]), end) for part in parts)
    large = sum(part.n for part in parts) - max((part.n for part in parts), default=0) > ALONE
    results = []
    if large:
        with workers(executor) as pool:
            for ends in ordered_map(pool, _levels, tasks):
                results.append(ends)
                tell("levels", len(results) / len(parts))
    else:
        for ends in ordered_map(None, _levels, tasks):
            results.append(ends)
            tell("levels", len(results) / len(parts))
    return gather(problem, system, results)


def _levels(component: Component, wanted: Wanted, deadline: Deadline) -> Ends:
    """Decide every level of one component, as far as time allows."""
    ends = Ends(component)
    _circuits(ends, wanted.move)
    if component.n <= LARGE:
        _programs(ends, wanted.move, deadline)
    else:
        _programs(ends, wanted.move, deadline, vain=VAIN)
        _near(ends, wanted.move, deadline)
        _programs(ends, wanted.move, deadline)
    for column in np.flatnonzero(wanted.sliding).tolist():
        for side in (UP, DOWN):
            apart = ends.inner[UP, column] - ends.inner[DOWN, column]
            if apart < wanted.sliding[column] and not ends.met(column, side) and _time(ends, deadline):
                ends.solve(column, side, None if deadline.limit is None else deadline.remaining)
    ends.forget()
    return ends


def _time(ends: Ends, deadline: Deadline) -> bool:
    """Whether there is time left; what is left undone then is noted."""
    if deadline.passed or stopping():
        ends.complete = False
    return ends.complete


def _programs(ends: Ends, move: Ints, deadline: Deadline, vain: int | None = None) -> None:
    """The linear program of each side that is missing; no further once `vain` of them settled nothing."""
    for column, side in _missing(ends, move):
        if _reached(ends, move, column, side):
            continue
        if vain == 0 or not _time(ends, deadline):
            return
        limit = None if deadline.limit is None else deadline.remaining
        ends.solve(column, side, limit, target=int(move[side, column]))
        possible = SIDE[side] * (ends.outer[side, column] - move[side, column]) >= 0
        if vain is not None and possible and not _reached(ends, move, column, side):
            vain -= 1


def _missing(ends: Ends, move: Ints) -> list[tuple[int, int]]:
    """Sides whose level no move reaches yet and the boxes do not rule out, sensitive cells in their order."""
    out = []
    for side in (UP, DOWN):
        sign = SIDE[side]
        short = (sign * ends.inner[side] < sign * move[side]) & (sign * ends.outer[side] >= sign * move[side])
        out += [(int(column), side) for column in np.flatnonzero(short)]
    return sorted(out)


def _reached(ends: Ends, move: Ints, column: int, side: int) -> bool:
    return bool(SIDE[side] * ends.inner[side, column] >= SIDE[side] * move[side, column])


def _circuits(ends: Ends, move: Ints) -> None:
    known, work = circuits.graph(ends.component), circuits.scratch(ends.component)
    for column, side in _missing(ends, move):
        if not _reached(ends, move, column, side):
            found = circuits.circuit(known, work, column, SIDE[side], abs(int(move[side, column])))
            if found is not None:
                ends.take(found)


def _near(ends: Ends, move: Ints, deadline: Deadline) -> None:
    own = ends.component
    known = circuits.graph(own)
    shape = own.row.size, own.n
    matrix = sp.csr_matrix((own.sign.astype(np.int64), own.column, own.start), shape=shape).tocsc()
    for size in neighborhood.SIZES:
        for column, side in _missing(ends, move):
            if not _time(ends, deadline):
                return
            if not _reached(ends, move, column, side):
                need = abs(int(move[side, column]))
                found = neighborhood.local_move(known, matrix, column, SIDE[side], need, size)
                if found is not None:
                    ends.take(found)
