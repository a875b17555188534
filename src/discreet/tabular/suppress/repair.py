"""From any set of hidden cells to a pattern that protects: route what is missing, then publish what is not needed.

Routing: for each unmet requirement the cheapest move that reaches it, in units of need,

    minimize Σ price_i |g_i|   subject to   A g = 0,  side·g_p = 1,  −Lo_i/need ≤ g_i ≤ Up_i/need

with price 0 on hidden cells; a second round divides prices by what moved, which leads from many small moves to few
large ones (reweighted L1). Cells that move are hidden. A move whose opposite stays within the boxes meets both sides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.solvers.warm_lp import Box, WarmLp
from discreet.tabular.problem import Ints
from discreet.tabular.suppress.attack import WIDE, Attack, check, covered, reversible
from discreet.tabular.suppress.model import Flags, Model
from discreet.tabular.suppress.prune import prune
from discreet.work import Deadline

Floats = NDArray[np.float64]
_ROUNDS = 2
_LEAST = 1e-3


class Repaired(NamedTuple):
    """A pattern that protects, what it costs, the cells that move for each requirement, and the work it took."""

    hidden: Flags
    cost: int
    support: dict[int, Ints]


def repair(
    model: Model,
    start: Flags,
    deadline: Deadline,
    *,
    prices: Floats | None = None,
    known: dict[int, Ints] | None = None,
    order: Ints | None = None,
) -> Repaired | None:
    """A pattern that contains `start` before pruning; None where time ran out or where routes could not be found.

    `prices` are used in place of costs to choose routes. Requirements that need most come first, and each program goes
    on from the last one's basis; where an `order` is given, each begins from the slack basis: with prices that chance
    has shaken few steps lead from there to a route, with equal ones many.
    """
    hidden = start | model.forced
    router = _Router(model, hidden, model.cost if prices is None else prices, anew=order is not None)
    needs = model.requirements
    done = np.zeros(needs.n, np.bool_)
    support = check(model, hidden, known).support
    done[list(support)] = True
    for r in np.lexsort((np.arange(needs.n), -needs.need)) if order is None else order:
        if done[r]:
            continue
        if deadline.passed:
            return None
        for _ in range(1 if needs.side[r] else 3):
            move = router.route(int(r))
            if move is None:
                return None
            uses = router.cells[np.abs(move) > 1e-7]
            hidden[uses] = True
            move = move * float(needs.need[r])
            for way in (move, -move) if reversible(model, router.cells, move) else (move,):
                for q in covered(model, way, router.place, ~done).tolist():
                    done[q] = True
                    support[q] = uses
        done[r] = True
    found = check(model, hidden, support)
    if found.unmet:
        return None
    prune(model, hidden, found.support, deadline)
    return Repaired(hidden, model.cost_of(hidden), found.support)


class _Router:
    """The routing program over the cells that may move: a column up and a column down for each."""

    def __init__(self, model: Model, hidden: Flags, prices: Floats, *, anew: bool) -> None:
        self.model, self._hidden, self._anew = model, hidden, anew
        self.cells = np.flatnonzero((model.open & model.candidate) | hidden)
        self.place = np.full(model.count, -1, np.int64)
        self.place[self.cells] = np.arange(self.cells.size)
        matrix = model.matrix[:, self.cells].tocsr()
        matrix = matrix[np.flatnonzero(np.diff(matrix.indptr))]
        nothing, level = np.zeros(2 * self.cells.size), np.zeros(matrix.shape[0])
        both = sp.csr_matrix(sp.hstack([matrix, -matrix]))
        self._lp = WarmLp(both, nothing, Box(nothing, nothing), Box(level, level))
        self._price = np.maximum(prices[self.cells], _LEAST)
        reach = model.up[self.cells], model.down[self.cells]
        self._reach = np.concatenate(reach).astype(np.float64)

    def route(self, requirement: int) -> Floats | None:
        """The move of a requirement in units of its need; for a sliding one what is missing is asked of one side."""
        needs = self.model.requirements
        need, side = float(needs.need[requirement]), int(needs.side[requirement])
        if side:
            return self._route(requirement, side, 1.0, need)
        attack = Attack(self.model, np.flatnonzero(self._hidden))
        reach = attack.solve(requirement, WIDE)
        if reach.enough:
            return np.zeros(self.cells.size)
        p = int(attack.place[needs.cell[requirement]])
        up, down = (abs(float(move[p])) for move in reach.moves)
        p = int(self.place[needs.cell[requirement]])
        room = self._reaches(requirement)[[p, p + self.cells.size]] / need
        for s, other in ((1, down), (-1, up)):
            wanted = 1.0 - other
            if wanted <= room[0 if s == 1 else 1] * (1 + 1e-12):
                move = self._route(requirement, s, wanted, need)
                if move is not None:
                    return move
        # Neither side alone: all of one, so that the next call asks the rest of the other.
        s = 1 if room[0] >= room[1] else -1
        return self._route(requirement, s, float(room.max()), need)

    def _reaches(self, requirement: int) -> Floats:
        """How far each column may go for the attacker of a requirement."""
        needs, k = self.model.requirements, self.cells.size
        if not needs.attacker[requirement]:
            return self._reach
        reach = self._reach.copy()
        cells, up, down = needs.reach_of(int(needs.attacker[requirement]))
        place = self.place[cells]
        here = place >= 0
        reach[place[here]], reach[place[here] + k] = up[here], down[here]
        return reach

    def _route(self, requirement: int, side: int, wanted: float, need: float) -> Floats | None:
        needs, k = self.model.requirements, self.cells.size
        p = int(self.place[needs.cell[requirement]])
        high = np.minimum(self._reaches(requirement) / need, WIDE)
        low = np.zeros(2 * k)
        forward, back = (p, p + k) if side == 1 else (p + k, p)
        if wanted * need > self._reach[forward] * (1 + 1e-9):
            return None
        low[forward] = high[forward] = wanted
        high[back] = 0.0
        self._lp.set_boxes(low, high)
        price = np.where(self._hidden[self.cells], 0.0, self._price)
        twice = np.concatenate([price, price])
        # A cell that cannot carry the need is dearer by the unit.
        costs = twice / np.clip(self._reach / need, 1e-3, 1.0)
        best, least = None, np.inf
        for _ in range(_ROUNDS):
            self._lp.set_costs(costs)
            if self._anew:
                self._lp.forget()
            solution = self._lp.run()
            if solution.status != "optimal":
                break
            up, down = solution.x[:k], solution.x[k:]
            flow = np.maximum(up, down)
            uses = flow > 1e-7
            total = float(price[uses].sum())
            if total < least - 1e-9:
                best, least = up - down, total
            if total <= 1e-9 or (flow[uses] > 0.999).all():
                break
            costs = twice / np.tile(np.maximum(flow, 0.02), 2)
        return best
