"""The intruder's linear program, and what a pattern leaves unprotected.

    maximize side·g_p   subject to   A g = 0,   −min(Lo_i/need, K)·x_i ≤ g_i ≤ min(Up_i/need, K)·x_i

in units of `need`, so that tolerances mean the same for a cell of ten and one of 10¹¹. With K = 1 and fractional x it
is the separation problem of the strengthened capacity inequalities; with K large and x the pattern it is the check.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.solvers.warm_lp import Box, WarmLp
from discreet.tabular.problem import Ints
from discreet.tabular.suppress.model import Flags, Model

Floats = NDArray[np.float64]
# Moves of more than so many needs of a cell say nothing new.
WIDE = 64.0
_REACHED = 1 - 1e-7
_MOVED = 1e-7


class Reach(NamedTuple):
    """How much of the need can be reached, the moves that do it (one, or two for sliding), and the multipliers."""

    value: float
    moves: tuple[Floats, ...]
    multipliers: tuple[Floats, ...]

    @property
    def enough(self) -> bool:
        return self.value >= _REACHED


class Attack:
    """The program over the columns `cells`, kept warm; cells with weight 0 do not move."""

    def __init__(self, model: Model, cells: Ints, weight: Floats | None = None) -> None:
        self.model, self.cells = model, cells
        self.place = np.full(model.count, -1, np.int64)
        self.place[cells] = np.arange(cells.size)
        matrix = model.matrix[:, cells].tocsr()
        self.rows = np.flatnonzero(np.diff(matrix.indptr))
        nothing = np.zeros(cells.size)
        level = np.zeros(self.rows.size)
        self._lp = WarmLp(matrix[self.rows], nothing, Box(nothing, nothing), Box(level, level), strategy=4)
        self._weight = np.ones(cells.size) if weight is None else weight.copy()
        self._down, self._up = (reach[cells].astype(np.float64) for reach in (model.down, model.up))
        self._box: tuple[Floats, Floats] = nothing, nothing
        self._last: tuple[int, int, float] | None = None

    def weigh(self, cells: list[int], weight: float) -> None:
        self._weight[self.place[cells]] = weight
        self._last = None

    def solve(self, requirement: int, most: float) -> Reach:
        """`most` is K above."""
        needs = self.model.requirements
        need, attacker = int(needs.need[requirement]), int(needs.attacker[requirement])
        self._set_boxes(need, attacker, most)
        p, side = int(self.place[needs.cell[requirement]]), int(needs.side[requirement])
        found = [self._extreme(p, s) for s in ((side,) if side else (1, -1))]
        return Reach(sum(v for v, _, _ in found), tuple(g for _, g, _ in found), tuple(m for _, _, m in found))

    def _set_boxes(self, need: int, attacker: int, most: float) -> None:
        if self._last == (need, attacker, most):
            return
        low = -np.minimum(self._down / need, most) * self._weight
        high = np.minimum(self._up / need, most) * self._weight
        if attacker:
            cells, up, down = self.model.requirements.reach_of(attacker)
            place = self.place[cells]
            here = place >= 0
            own = place[here]
            low[own] = -np.minimum(down[here] / need, most) * self._weight[own]
            high[own] = np.minimum(up[here] / need, most) * self._weight[own]
        self._lp.set_boxes(low, high)
        self._box, self._last = (low, high), (need, attacker, most)

    def _extreme(self, p: int, side: int) -> tuple[float, Floats, Floats]:
        low, high = float(self._box[0][p]), float(self._box[1][p])
        self._lp.set_box(p, max(low, -1.0), min(high, 1.0))
        self._lp.set_cost(p, -float(side))
        solution = self._lp.run()
        self._lp.set_cost(p, 0.0)
        self._lp.set_box(p, low, high)
        multipliers = np.zeros(self.model.matrix.shape[0])
        multipliers[self.rows] = -solution.duals
        return side * float(solution.x[p]), solution.x, multipliers


class Unmet(NamedTuple):
    """A requirement that a pattern does not meet, with the multipliers that prove it."""

    requirement: int
    value: float
    multipliers: tuple[Floats, ...]


class Check(NamedTuple):
    """What a pattern misses, and for each requirement that it meets the cells that move."""

    unmet: list[Unmet]
    support: dict[int, Ints]


def check(model: Model, hidden: Flags, known: dict[int, Ints] | None = None) -> Check:
    """Test all requirements, one solution proving as many as it can; `known` are moves within the pattern."""
    attack = Attack(model, np.flatnonzero(hidden))
    support = {} if known is None else dict(known)
    done = np.zeros(model.requirements.n, np.bool_)
    done[list(support)] = True
    unmet = []
    for r in range(model.requirements.n):
        if done[r]:
            continue
        reach = attack.solve(r, WIDE)
        if not reach.enough:
            unmet.append(Unmet(r, reach.value, reach.multipliers))
            continue
        done[r] = True
        support[r] = moved(attack, reach)
        if len(reach.moves) == 1:
            move = reach.moves[0] * float(model.requirements.need[r])
            for way in (move, -move) if reversible(model, attack.cells, move) else (move,):
                for q in covered(model, way, attack.place, ~done):
                    done[q] = True
                    support[int(q)] = support[r]
    return Check(unmet, support)


def moved(attack: Attack, reach: Reach) -> Ints:
    """The cells that some move of `reach` uses."""
    uses = np.zeros(attack.cells.size, np.bool_)
    for move in reach.moves:
        uses |= np.abs(move) > _MOVED
    return attack.cells[uses]


def covered(model: Model, move: Floats, place: Ints, among: Flags) -> Ints:
    """Requirements `among` those that one move (by the columns of `place`) meets."""
    needs = model.requirements
    at = place[needs.cell]
    value = np.where(at >= 0, move[np.maximum(at, 0)], 0.0)
    reached = np.where(needs.side == 0, np.abs(value), needs.side * value) >= needs.need * (1 - 1e-9)
    found = np.flatnonzero(reached & among)
    if needs.known.size and found.size:
        at = place[needs.known]
        there = np.where(at >= 0, move[np.maximum(at, 0)], 0.0)
        still = (there <= needs.up + _MOVED) & (there >= -needs.down - _MOVED)
        moving = np.concatenate(([0], np.cumsum(~still)))
        quiet = moving[needs.start[1:]] == moving[needs.start[:-1]]
        found = found[quiet[needs.attacker[found]]]
    return found


def reversible(model: Model, cells: Ints, move: Floats) -> bool:
    """Whether the opposite of a move of `cells` stays within their boxes."""
    return bool((move <= model.down[cells] * (1 + 1e-9)).all() and (-move <= model.up[cells] * (1 + 1e-9)).all())
