"""The levels of one component: small moves, linear programs, integer programs over neighborhoods, in this order.

For each side that a level is about: the narrowed box (too narrow: exposed); moves found for other cells; a small move
of +1 and -1 (circuits.py); the linear program of the component. In a large component whose vertices are fractions,
integer programs over growing neighborhoods come before most linear programs (neighborhood.py). A move of the size of
the level suffices, so that no program has to find the end of an interval, except for sliding levels, where both count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from discreet.scale import stopping
from discreet.tabular.audit import circuits, neighborhood
from discreet.tabular.audit.component import DOWN, SIDE, UP, Ends
from discreet.tabular.audit.system import Component
from discreet.tabular.problem import Ints
from discreet.work import Deadline

# In larger components a linear program is the last resort.
LARGE = 1500
# So many that settle nothing, since their vertices are fractions, say that others will not either.
VAIN = 3


class Wanted(NamedTuple):
    """Of one component: how far its columns must move, (2, n), and how far apart the ends of some must be (else 0)."""

    move: Ints
    sliding: Ints


def decide(component: Component, wanted: Wanted, deadline: Deadline, ends: Ends | None = None) -> Ends:
    """Decide every level of one component, as far as time allows; from `ends` on, where some are known already."""
    ends = Ends(component) if ends is None else ends
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
    for column, side in missing(ends, move):
        if _reached(ends, move, column, side):
            continue
        if vain == 0 or not _time(ends, deadline):
            return
        limit = None if deadline.limit is None else deadline.remaining
        ends.solve(column, side, limit, target=int(move[side, column]))
        possible = SIDE[side] * (ends.outer[side, column] - move[side, column]) >= 0
        if vain is not None and possible and not _reached(ends, move, column, side):
            vain -= 1


def missing(ends: Ends, move: Ints) -> list[tuple[int, int]]:
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
    for column, side in missing(ends, move):
        if not _reached(ends, move, column, side):
            found = circuits.circuit(known, work, column, SIDE[side], abs(int(move[side, column])))
            if found is not None:
                ends.take(found)


def _near(ends: Ends, move: Ints, deadline: Deadline) -> None:
    own = ends.component
    known = circuits.graph(own)
    shape = own.row.size, own.n
    matrix = sp.csr_matrix((own.sign.astype(np.int64), own.column, own.start), shape=shape).tocsc()
    for plan in neighborhood.PLAN:
        for column, side in missing(ends, move):
            if not _time(ends, deadline):
                return
            if not _reached(ends, move, column, side):
                need = abs(int(move[side, column]))
                found = neighborhood.local_move(known, matrix, column, SIDE[side], need, plan)
                if found is not None:
                    ends.take(found)
