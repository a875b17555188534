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

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.chance import Random, below, draw
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
        done = _descend(
            x, goal, weights, idle,
            moves.starts, moves.cells, moves.signs, moves.move_of, moves.cell_starts, moves.by_cell,
            min(SLICE, budget - spent), SAMPLE, state,
        )  # fmt: skip
        if done:
            return


def jump(
    x: Ints, lower: Ints, upper: Ints, moves: Moves, budget: int, state: Random, deadline: Deadline | None = None
) -> bool:
    """Bring x inside the box, in place; False where that did not succeed within `budget` evaluations, or in time."""
    weights = np.ones(x.size)
    for spent in range(0, budget, SLICE):
        if spent and deadline is not None and deadline.passed:
            return False
        found = _jump(
            x, lower, upper, weights,
            moves.starts, moves.cells, moves.signs, moves.move_of, moves.cell_starts, moves.by_cell,
            min(SLICE, budget - spent), SAMPLE, state,
        )  # fmt: skip
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
        kept = np.array([self.count, 0], np.int64)
        _sweep(
            self.cells, self.sides, np.full(self.cells.size, -1) if source is None else source,
            self.tables[:0] if old is None else old,
            lift.starts, lift.widths, lift.corners, lift.signs, lift.targets,
            self.lower, self.upper, self.inner_lower, self.inner_upper, self.low_witness, self.high_witness,
            self.tables, kept,
            moves.starts, moves.cells, moves.signs, moves.move_of, moves.cell_starts, moves.by_cell,
            budget, SAMPLE, state,
        )  # fmt: skip
        self.count, self.tried = int(kept[0]), int(kept[1])


@njit(cache=True, nogil=True)
def _descend(
    x: Ints,
    goal: Floats,
    weights: Floats,
    idle: Ints,
    starts: Ints,
    cells: Ints,
    signs: Ints,
    move_of: Ints,
    cell_starts: Ints,
    by_cell: Ints,
    budget: int,
    sample: int,
    state: Random,
) -> bool:
    """Whether it has come to rest: `idle` counts cells in a row that could not be improved."""
    n = x.size
    spent = 0
    while spent < budget and idle[0] <= n // 3 + 8:
        c = below(state, n)
        for _ in range(3):
            other = below(state, n)
            if weights[other] * (x[other] - goal[other]) ** 2 > weights[c] * (x[c] - goal[c]) ** 2:
                c = other
        first, count = cell_starts[c], cell_starts[c + 1] - cell_starts[c]
        best_gain, best_step, best_move = 1e-9, np.int64(0), np.int64(-1)
        spent += 1
        for trial in range(min(sample, count)):
            p = by_cell[first + (trial if count <= sample else below(state, count))]
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


@njit(cache=True, nogil=True)
def _outside(value: int, low: int, high: int) -> int:
    if value < low:
        return low - value
    if value > high:
        return value - high
    return 0


@njit(cache=True, nogil=True)
def _jump(
    x: Ints,
    lower: Ints,
    upper: Ints,
    weights: Floats,
    starts: Ints,
    cells: Ints,
    signs: Ints,
    move_of: Ints,
    cell_starts: Ints,
    by_cell: Ints,
    budget: int,
    sample: int,
    state: Random,
) -> int:
    """FOUND, BLOCKED where no move goes through a violated cell, LEFT_OFF where the budget is spent."""
    n = x.size
    outside = np.empty(n, np.int64)
    violated, place, count_violated = np.empty(n, np.int64), np.full(n, -1, np.int64), 0
    for c in range(n):
        outside[c] = _outside(x[c], lower[c], upper[c])
        if outside[c] > 0:
            if cell_starts[c] == cell_starts[c + 1]:
                return BLOCKED
            place[c] = count_violated
            violated[count_violated] = c
            count_violated += 1
    spent = 0
    while count_violated > 0:
        if spent >= budget:
            return LEFT_OFF
        c = violated[below(state, count_violated)]
        other = violated[below(state, count_violated)]
        if weights[other] * outside[other] > weights[c] * outside[c]:
            c = other
        step = np.int64(1)
        if outside[c] > 1:
            choice = below(state, 3)
            if choice == 1:
                step = outside[c]
            elif choice == 2:
                step = 1 + below(state, outside[c])
        if x[c] > upper[c]:
            step = -step
        first, count = cell_starts[c], cell_starts[c + 1] - cell_starts[c]
        at_random = draw(state) < 0.02
        trials = 1 if at_random else min(sample, count)
        best_change, best_move, best_step, ties = np.inf, np.int64(-1), np.int64(0), 0
        spent += 1
        at = below(state, count)
        for trial in range(trials):
            if trial >= BATCH and trial % BATCH == 0 and best_change < 0:
                break
            at = at + 1 if at + 1 < count else 0
            p = by_cell[first + at]
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
            spent += starts[move + 1] - starts[move]
            if change < best_change - 1e-12:
                best_change, best_move, best_step, ties = change, move, along, 1
            elif change <= best_change + 1e-12:
                ties += 1
                if below(state, ties) == 0:
                    best_move, best_step = move, along
        if best_change >= 0 and not at_random:
            for j in range(count_violated):
                weights[violated[j]] += 1.0
            if draw(state) < 0.005:
                for j in range(n):
                    weights[j] = 1.0 + (weights[j] - 1.0) * 0.7
        for j in range(starts[best_move], starts[best_move + 1]):
            b = cells[j]
            x[b] += best_step * signs[j]
            outside[b] = _outside(x[b], lower[b], upper[b])
            if outside[b] > 0 and place[b] < 0:
                place[b] = count_violated
                violated[count_violated] = b
                count_violated += 1
            elif outside[b] == 0 and place[b] >= 0:
                count_violated -= 1
                last = violated[count_violated]
                violated[place[b]] = last
                place[last] = place[b]
                place[b] = -1
    return FOUND


@njit(cache=True, nogil=True)
def _sweep(
    order: Ints,
    sides: Ints,
    source: Ints,
    old: Ints,
    lift_starts: Ints,
    lift_widths: Ints,
    lift_corners: Ints,
    lift_signs: Ints,
    lift_targets: Ints,
    lower: Ints,
    upper: Ints,
    inner_lower: Ints,
    inner_upper: Ints,
    low_witness: Ints,
    high_witness: Ints,
    tables: Ints,
    kept: Ints,
    starts: Ints,
    cells: Ints,
    signs: Ints,
    move_of: Ints,
    cell_starts: Ints,
    by_cell: Ints,
    budget: int,
    sample: int,
    state: Random,
) -> None:
    """`kept` is the number of tables and of jumps."""
    low, high, first = lower.copy(), upper.copy(), kept[0]
    weights = np.ones(lower.size)
    for i in range(order.size):
        c, side = order[i], sides[i]
        if kept[0] == tables.shape[0] or (kept[1] >= 48 and (kept[0] - first) * 16 < kept[1]):
            return
        if kept[1] >= HOPELESS and kept[0] == first:
            return
        bound = upper[c] if side > 0 else lower[c]
        if (inner_upper[c] >= bound) if side > 0 else (inner_lower[c] <= bound):
            continue
        witness = high_witness[c] if side > 0 else low_witness[c]
        if source[i] < 0 and witness < 0:
            continue
        low[c], high[c] = bound, bound
        x = tables[kept[0]]
        for b in range(x.size):
            x[b] = tables[witness, b] if source[i] < 0 else old[source[i], b]
        if source[i] >= 0:
            lift_table(x, low, high, lift_starts, lift_widths, lift_corners, lift_signs, lift_targets)
        kept[1] += 1
        weights[:] = 1.0
        found = _jump(x, low, high, weights, starts, cells, signs, move_of, cell_starts, by_cell, budget, sample, state)
        low[c], high[c] = lower[c], upper[c]
        if found != FOUND:
            continue
        for b in range(x.size):
            if x[b] > inner_upper[b]:
                inner_upper[b], high_witness[b] = x[b], kept[0]
            if x[b] < inner_lower[b]:
                inner_lower[b], low_witness[b] = x[b], kept[0]
        kept[0] += 1
