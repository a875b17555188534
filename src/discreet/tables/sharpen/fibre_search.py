"""Search among the integer tables with given margins: descent toward a point, and jumps into a box.

Both walk along moves that leave the margins alone, while cells may leave their bounds, even below zero.

`descend` brings a table near a real point y (a vertex of the linear program, a fitted table): take a cell far from
its goal, evaluate the moves through it and make the integer step that lessens Σ w (x − y)² most.

`jump` looks for a table inside lower ≤ x ≤ upper: take a violated cell, evaluate the moves through it (by one, by the
whole violation or between), make the one with the least weighted violation afterwards, and where nothing improves
raise the weights of the violated cells (breakout local search). Moves through the cell are evaluated `BATCH` at a time
until one improves, all of them (up to `SAMPLE`) before it is said that none does: looking at few finds half as many
tables. Effort is counted in cells evaluated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.kernels.randoms import Random, scaled_below, uniform
from discreet.tables.sharpen.extremes import Extremes, attained, keep
from discreet.tables.table import Ints
from discreet.tables.theory.basic_moves import Moves
from discreet.tables.theory.margin_moves import NO_MOVES, MarginMoves, lift_table
from discreet.work import Deadline

Floats = NDArray[np.float64]

SAMPLE = 800
BATCH = 32
# Evaluations between two looks at the clock.
SLICE = 1_000_000
# A sweep whose first jumps all fail is broken off.
HOPELESS = 12
FOUND, BLOCKED, LEFT_OFF = 1, 0, -1


def descend(
    x: Ints, goal: Floats, weights: Floats, moves: Moves, budget: int, state: Random, deadline: Deadline | None = None
) -> None:
    """Bring x near `goal`, in place."""
    if not moves.count:
        return
    idle = np.zeros(1, np.int64)
    for spent in range(0, budget, SLICE):
        if deadline is not None and deadline.passed:
            return
        at_rest = _descend(x, goal, weights, idle, moves, min(SLICE, budget - spent), state)
        if deadline is not None:
            deadline.spend(min(SLICE, budget - spent))
        if at_rest:
            return


def jump(
    x: Ints, lower: Ints, upper: Ints, moves: Moves, budget: int, state: Random, deadline: Deadline | None = None
) -> bool:
    """Bring x inside the box, in place; False where that did not succeed within `budget` evaluations, or in time."""
    weights = np.ones(x.size)
    for spent in range(0, budget, SLICE):
        if spent and deadline is not None and deadline.passed:
            return False
        found = _jump(x, lower, upper, weights, moves, min(SLICE, budget - spent), state)
        if deadline is not None:
            # What a jump that ends early has evaluated is not known; it has looked at every cell once.
            deadline.spend(min(SLICE, budget - spent) if found == LEFT_OFF else x.size)
        if found != LEFT_OFF:
            return bool(found == FOUND)
    return False


@dataclass
class Sweep:
    """Sides to reach (cell and ±1 each), what is known of every cell, and the tables found so far."""

    cells: Ints
    sides: Ints
    lower: Ints
    upper: Ints
    inner_lower: Ints
    inner_upper: Ints
    low_witness: Ints
    high_witness: Ints
    tables: Ints
    count: int = 0
    known: int = 0
    tried: int = 0

    @property
    def fresh(self) -> Ints:
        """The tables that were found, those known before left out."""
        return self.tables[self.known : self.count]

    def extremes(self) -> Extremes:
        """What is known of every cell, to be changed in place; the number of tables apart."""
        return Extremes(
            self.lower, self.upper, self.inner_lower, self.inner_upper, self.low_witness, self.high_witness,
            self.tables, np.array([self.count], np.int64),
        )  # fmt: skip

    def run(
        self,
        moves: Moves,
        budget: int,
        state: Random,
        source: Ints | None = None,
        old: Ints | None = None,
        lift: MarginMoves = NO_MOVES,
    ) -> None:
        """Jump to each side that is still open, from its best table; or from old[source], lifted, where that is given.

        A table that is found counts for every cell at once. Stops when `tables` is full or few jumps succeed.
        """
        known = self.extremes()
        source = np.full(self.cells.size, -1) if source is None else source
        old = self.tables[:0] if old is None else old
        self.tried = int(_sweep(known, self.cells, self.sides, source, old, lift, moves, budget, state))
        self.count = int(known.found[0])


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _descend(x: Ints, goal: Floats, weights: Floats, idle: Ints, moves: Moves, budget: int, state: Random) -> bool:
    """Whether it has come to rest: `idle` counts cells in a row that could not be improved."""
    starts, cells, signs, move_of = moves.starts, moves.cells, moves.signs, moves.move_of
    cell_starts, by_cell = moves.cell_starts, moves.by_cell
    n = x.size
    spent = 0
    while spent < budget and idle[0] <= n // 3 + 8:
        c = scaled_below(state, n)
        for _ in range(3):
            other = scaled_below(state, n)
            if weights[other] * (x[other] - goal[other]) ** 2 > weights[c] * (x[c] - goal[c]) ** 2:
                c = other
        first, count = cell_starts[c], cell_starts[c + 1] - cell_starts[c]
        best_gain, best_step, best_move = 1e-9, np.int64(0), np.int64(-1)
        spent += 1
        for trial in range(min(SAMPLE, count)):
            p = by_cell[first + (trial if count <= SAMPLE else scaled_below(state, count))]
            move = move_of[p]
            slope, curve = 0.0, 0.0
            for j in range(starts[move], starts[move + 1]):
                b = cells[j]
                slope += weights[b] * (x[b] - goal[b]) * signs[j]
                curve += weights[b] * signs[j] * signs[j]
            spent += starts[move + 1] - starts[move]
            step = np.int64(np.rint(-slope / curve))
            if step != 0:
                gain = -(2.0 * step * slope + step * step * curve)
                if gain > best_gain:
                    best_gain, best_step, best_move = gain, step, move
        if best_move < 0:
            idle[0] += 1
            continue
        idle[0] = 0
        for j in range(starts[best_move], starts[best_move + 1]):
            x[cells[j]] += best_step * signs[j]
    return bool(idle[0] > n // 3 + 8)


class Violations(NamedTuple):
    """By how much each cell is outside its bounds; the many[0] cells that are, in any order; their places there."""

    outside: Ints
    cells: Ints
    place: Ints
    many: Ints


@inner
def _note(v: Violations, c: int, value: int, low: int, high: int) -> None:
    """Cell c has this value now."""
    place, violated = v.place, v.cells
    outside = low - value if value < low else value - high if value > high else 0
    v.outside[c] = outside
    if outside > 0 and place[c] < 0:
        place[c] = v.many[0]
        violated[v.many[0]] = c
        v.many[0] += 1
    elif outside == 0 and place[c] >= 0:
        v.many[0] -= 1
        last = violated[v.many[0]]
        violated[place[c]] = last
        place[last] = place[c]
        place[c] = -1


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _jump(x: Ints, lower: Ints, upper: Ints, weights: Floats, moves: Moves, budget: int, state: Random) -> int:
    """FOUND, BLOCKED where no move goes through a violated cell, LEFT_OFF where the budget is spent."""
    starts, cells, signs = moves.starts, moves.cells, moves.signs
    n = x.size
    v = Violations(np.zeros(n, np.int64), np.empty(n, np.int64), np.full(n, -1, np.int64), np.zeros(1, np.int64))
    outside, violated = v.outside, v.cells
    for c in range(n):
        _note(v, c, x[c], lower[c], upper[c])
        if outside[c] > 0 and moves.cell_starts[c] == moves.cell_starts[c + 1]:
            return BLOCKED
    spent = 0
    while v.many[0] > 0:
        if spent >= budget:
            return LEFT_OFF
        c = violated[scaled_below(state, v.many[0])]
        other = violated[scaled_below(state, v.many[0])]
        if weights[other] * outside[other] > weights[c] * outside[c]:
            c = other
        step = 1
        if outside[c] > 1:
            choice = scaled_below(state, np.int64(3))
            if choice == 1:
                step = outside[c]
            elif choice == 2:
                step = 1 + scaled_below(state, outside[c])
        if x[c] > upper[c]:
            step = -step
        at_random = uniform(state) < 0.02
        most = 1 if at_random else SAMPLE
        change, move, step, cost = _best_move(x, lower, upper, weights, outside, moves, c, step, most, state)
        spent += cost
        if change >= 0 and not at_random:
            for j in range(v.many[0]):
                weights[violated[j]] += 1.0
            if uniform(state) < 0.005:
                for j in range(n):
                    weights[j] = 1.0 + (weights[j] - 1.0) * 0.7
        for j in range(starts[move], starts[move + 1]):
            b = cells[j]
            x[b] += step * signs[j]
            _note(v, b, x[b], lower[b], upper[b])
    return FOUND


@inner
def _best_move(
    x: Ints,
    lower: Ints,
    upper: Ints,
    weights: Floats,
    outside: Ints,
    moves: Moves,
    c: int,
    step: int,
    most: int,
    state: Random,
) -> tuple[float, int, int, int]:
    """Of at most so many moves by `step` at cell c, one after which the weighted violation is least.

    By how much it grows, the move, its step, and the cells that were evaluated.
    """
    starts, cells, signs, move_of = moves.starts, moves.cells, moves.signs, moves.move_of
    first, count = moves.cell_starts[c], moves.cell_starts[c + 1] - moves.cell_starts[c]
    best_change, best_move, best_step, ties = np.inf, -1, 0, 0
    cost, at = 1, scaled_below(state, count)
    for trial in range(min(most, count)):
        if trial >= BATCH and trial % BATCH == 0 and best_change < 0:
            break
        at = at + 1 if at + 1 < count else 0
        p = moves.by_cell[first + at]
        move = move_of[p]
        along = step if signs[p] > 0 else -step
        change = 0.0
        for j in range(starts[move], starts[move + 1]):
            b = cells[j]
            value = x[b] + along * signs[j]
            if value < lower[b]:
                change += weights[b] * (lower[b] - value - outside[b])
            elif value > upper[b]:
                change += weights[b] * (value - upper[b] - outside[b])
            else:
                change -= weights[b] * outside[b]
        cost += starts[move + 1] - starts[move]
        if change < best_change - 1e-12:
            best_change, best_move, best_step, ties = change, move, along, 1
        elif change <= best_change + 1e-12:
            ties += 1
            if scaled_below(state, ties) == 0:
                best_move, best_step = move, along
    return best_change, best_move, best_step, cost


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _sweep(
    known: Extremes,
    order: Ints,
    sides: Ints,
    source: Ints,
    old: Ints,
    lift: MarginMoves,
    moves: Moves,
    budget: int,
    state: Random,
) -> int:
    """The number of jumps."""
    lower, upper, tables = known.lower, known.upper, known.tables
    low, high, first, tried = lower.copy(), upper.copy(), known.found[0], 0
    weights = np.ones(lower.size)
    for i in range(order.size):
        c, side, won = order[i], sides[i], known.found[0] - first
        if known.found[0] == tables.shape[0] or (tried >= 48 and won * 16 < tried) or (tried >= HOPELESS and won == 0):
            break
        witness = known.high_witness[c] if side > 0 else known.low_witness[c]
        if attained(known, c, side) or (source[i] < 0 and witness < 0):
            continue
        low[c] = high[c] = upper[c] if side > 0 else lower[c]
        x = tables[known.found[0]]
        for b in range(x.size):
            x[b] = tables[witness, b] if source[i] < 0 else old[source[i], b]
        if source[i] >= 0:
            lift_table(x, low, high, lift)
        tried += 1
        weights[:] = 1.0
        found = _jump(x, low, high, weights, moves, budget, state)
        low[c], high[c] = lower[c], upper[c]
        if found == FOUND:
            keep(known)
    return tried
