"""Moves of whole numbers for levels that fractions reach and no table of whole numbers was found to.

    minimize Σ w_i |f_i|   subject to   A f = 0,   low ≤ f ≤ high,   f whole,   side · f_p ≥ need

with w next to 0 on hidden cells and the cost of hiding on others: where the pattern has such a move nothing more is
hidden, else the cells of a cheap one are. Cells that must be published, and those that the attacker knows, do not move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.mip import Tuning, solve_mip
from discreet.tabular.problem import FIXED, Ints, Problem
from discreet.work import Deadline

Flags = NDArray[np.bool_]
# Larger numbers are far from whole in floats; among them fractions are no matter either.
_MOST = 1 << 20
_NODES = 5000
# What moving a hidden cell costs: moves are short.
_SHORT = 1e-3


class Missing(NamedTuple):
    """A level that no whole numbers were found to reach: the cell, 1 above or -1 below, how far, who knows what."""

    cell: int
    side: int
    need: int
    known: Ints


def whole_moves(
    problem: Problem, hidden: Flags, missing: Iterable[Missing], deadline: Deadline
) -> list[tuple[Ints, Ints]] | None:
    """Moves, as cells and changes, that reach every level; None where one was not found."""
    cells, relations = problem.cells, problem.relations
    signs = relations.sign.astype(np.float64)
    matrix = sp.csr_array((signs, relations.cell, relations.start), (relations.n, cells.n))
    both = sp.csc_array(sp.hstack([matrix, -matrix]))
    level = np.zeros(relations.n)
    hides, found = hidden.copy(), list[tuple[Ints, Ints]]()
    for one in sorted(missing, key=lambda each: (each.cell, each.side, -each.known.size)):
        if any(_reaches(move, one) for move in found):
            continue
        if one.need > _MOST or deadline.passed:
            return None
        still = (cells.status == FIXED) & ~hidden
        still[one.known] = True
        up, down = np.minimum(cells.upper - cells.value, _MOST), np.minimum(cells.value - cells.lower, _MOST)
        up, down = np.where(still, 0, up), np.where(still, 0, down)
        low, high = np.zeros(2 * cells.n), np.concatenate([up, down]).astype(np.float64)
        place, other = (one.cell, cells.n + one.cell)[:: one.side]
        low[place], high[other] = one.need, 0.0
        if low[place] > high[place]:
            return None
        price = np.where(hides, _SHORT, np.maximum(cells.cost, 1).astype(np.float64))
        answer = solve_mip(
            np.concatenate([price, price]),
            both,
            level,
            level,
            lower=low,
            upper=high,
            node_limit=_NODES,
            time_limit=None if deadline.limit is None else deadline.remaining,
            tuning=Tuning(relative_gap=0.1),
        )
        if answer.x is None:
            return None
        change = np.rint(answer.x[: cells.n] - answer.x[cells.n :]).astype(np.int64)
        at = np.flatnonzero(change)
        move = at, change[at]
        inside = bool(((change <= up) & (change >= -down)).all())
        if not inside or not _reaches(move, one) or (relations.residuals(change) + relations.right).any():
            return None
        hides[at] = True
        found.append(move)
    return found


def _reaches(move: tuple[Ints, Ints], one: Missing) -> bool:
    """Whether the move is one that the attacker cannot exclude and that goes as far."""
    cells, change = move
    own = change[cells == one.cell]
    return bool(own.size and one.side * own[0] >= one.need and not np.isin(one.known, cells).any())
