"""How far single cells reach: from one table to the next by group moves, noting the least and greatest counts met.

For each cell in turn a table is sought in which its count is `width` below one that it had before, or zero, then one in
which it is `width` above. That table is found by local search as in `fibre_search.jump`: the cell counts as violated
until it is there, and so does every cell below zero; take a violated cell, evaluate moves through it, make the one with
the least weighted violation afterwards; where none improves, raise the weights of the violated cells. When nothing is
violated the table is one with the margins, and the counts of all cells that have changed are noted. The search goes on
from there; a search in vain is undone.

Moves are made up as they are tried (`theory/group_moves`), so that a table may have millions of cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.kernels.randoms import Random, scaled_below, seeded, uniform
from discreet.tables.table import Ints
from discreet.tables.theory.group_moves import MOST_GROUPS, GroupMoves, group_moves
from discreet.tables.theory.lattice import Lattice

Floats = NDArray[np.float64]

# Moves through a cell that are evaluated before the best is made; so many more where none improves.
BATCH, SAMPLE = 24, 1500
# How often a violated cell is brought nearer by one instead of home at once: many cells hold but one person.
SINGLY = 0.7


class Ground(NamedTuple):
    """The shape of a table and the step along each axis; by group of the moves, the bits of a cell's number that flip.

    Where a variable has other than two levels, there are no such bits.
    """

    shape: Ints
    strides: Ints
    flips: Ints


class Trail(NamedTuple):
    """What a search has changed, to be undone: cells, and the counts they had; `at` of each cell, or −1.

    `violated` lists the cells outside their bounds, `place` says where; numbers[0] of them, numbers[1] were changed.
    """

    cells: Ints
    before: Ints
    at: Ints
    violated: Ints
    place: Ints
    weights: Floats
    numbers: Ints


class Goal(NamedTuple):
    """Where a cell shall get: at least to `low`, at most to `high`. No other cell may be below zero."""

    cell: int
    low: int | np.int64
    high: int | np.int64


def new_trail(size: int) -> Trail:
    cells = np.empty(size, np.int64)
    nowhere = np.full(size, -1, np.int64)
    return Trail(
        cells, cells.copy(), nowhere, cells.copy(), nowhere.copy(), np.ones(size), np.zeros(2, np.int64)
    )  # fmt: skip


class GroupWalk:
    """A walk from a table to others with the same margins; the seed fixes it."""

    def __init__(self, lattice: Lattice, start: Ints, moves: int) -> None:
        self.x = start.copy()
        self._random = seeded(3)
        self._moves = group_moves(lattice, moves, self._random)
        shape = np.array(lattice.shape, np.int64)
        flips = self._moves.masks[:0]
        if (shape == 2).all():
            flips = ((self._moves.masks[:, None] >> np.arange(shape.size) & 1) * lattice.strides).sum(axis=1)
        self._ground = Ground(shape, lattice.strides, flips)
        self._trail = new_trail(start.size)

    def reach(self, cells: Ints, width: int, low: Ints, high: Ints, budget: int, total: int) -> int:
        """How many of the cells were looked at; `low` and `high` are the counts met so far, changed in place."""
        if not self._moves.masks.size:
            return cells.size
        done, _ = reach(
            self.x, cells, width, low, high, self._moves, self._ground, self._trail, budget, total, self._random
        )
        return int(done)


@inner
def _outside(value: int, c: int, goal: Goal) -> int | np.int64:
    if c == goal.cell:
        return goal.low - value if value < goal.low else value - goal.high if value > goal.high else 0
    return -value if value < 0 else 0


@inner
def _put(x: Ints, c: int, value: int, goal: Goal, trail: Trail) -> None:
    """Cell c gets this value."""
    numbers, at, place, violated = trail.numbers, trail.at, trail.place, trail.violated
    if at[c] < 0:
        at[c] = numbers[1]
        trail.cells[numbers[1]], trail.before[numbers[1]] = c, x[c]
        numbers[1] += 1
    x[c] = value
    bad = _outside(value, c, goal) > 0
    if bad and place[c] < 0:
        place[c] = numbers[0]
        violated[numbers[0]] = c
        numbers[0] += 1
    elif not bad and place[c] >= 0:
        numbers[0] -= 1
        last = violated[numbers[0]]
        violated[place[c]] = last
        place[last] = place[c]
        place[c] = -1


@inner
def _corners(c: int, move: int, moves: GroupMoves, ground: Ground, corners: Ints, random: Random) -> int:
    """The cells of a move through cell c, which is the first; how many. Signs are by the parity of the place."""
    shape, strides = ground.shape, ground.strides
    corners[0], width = c, 1
    for p in range(moves.starts[move], moves.starts[move + 1]):
        if ground.flips.size > 0:
            for t in range(width):
                corners[width + t] = corners[t] ^ ground.flips[p]
            width *= 2
            continue
        mask, a, shift = moves.masks[p], 0, 0
        while mask > 0:
            if mask & 1:
                level = c // strides[a] % shape[a]
                other = 1 - level if shape[a] == 2 else (level + 1 + scaled_below(random, shape[a] - 1)) % shape[a]
                shift += (other - level) * strides[a]
            mask >>= 1
            a += 1
        for t in range(width):
            corners[width + t] = corners[t] + shift
        width *= 2
    return width


@inner
def _odd(t: int) -> bool:
    odd = False
    while t > 0:
        odd = not odd
        t &= t - 1
    return odd


@inner
def _best_move(
    x: Ints,
    c: int,
    step: int,
    most: int,
    goal: Goal,
    moves: GroupMoves,
    ground: Ground,
    trail: Trail,
    corners: Ints,
    best: Ints,
    random: Random,
) -> tuple[float, int, int]:
    """Of at most so many moves by `step` at cell c, the one after which the weighted violation is least.

    By how much it grows, the number of its cells, which are in `best`, and of all that were evaluated.
    """
    count, weights = moves.starts.size - 1, trail.weights
    least, width, cost, ties = np.inf, 0, 0, 0
    at = scaled_below(random, count)
    own = weights[c] * _outside(x[c], c, goal)
    enough = -own if trail.numbers[0] == 1 else -np.inf
    for trial in range(min(most, count)):
        if trial % BATCH == 0 and trial > 0 and least < 0:
            break
        at = at + 1 if at + 1 < count else 0
        n = _corners(c, at, moves, ground, corners, random)
        change = 0.0
        for t in range(n):
            b = corners[t]
            value = x[b] - step if _odd(t) else x[b] + step
            # Most corners are cells with no violation before and none after.
            if value < 0 or x[b] < 0 or b == goal.cell:
                change += weights[b] * (_outside(value, b, goal) - _outside(x[b], b, goal))
                if change > least:
                    break
        cost += n
        if change < least or (change == least and scaled_below(random, ties + 1) == 0):
            ties = ties + 1 if change == least else 1
            least, width = change, n
            for t in range(n):
                best[t] = corners[t]
            if least <= enough + 1e-9:
                break
    return least, width, cost


@inner
def _search(
    x: Ints, goal: Goal, moves: GroupMoves, ground: Ground, trail: Trail, corners: Ints, best: Ints, budget: int,
    random: Random,
) -> tuple[bool, int]:  # fmt: skip
    """Whether the goal was reached, and the cells that were evaluated."""
    violated, weights, numbers = trail.violated, trail.weights, trail.numbers
    spent = 0
    _put(x, goal.cell, x[goal.cell], goal, trail)
    while numbers[0] > 0:
        if spent >= budget:
            return False, spent
        c = violated[scaled_below(random, numbers[0])]
        outside = _outside(x[c], c, goal)
        step = outside
        if outside > 1 and uniform(random) < SINGLY:
            step = 1
        if c == goal.cell and x[c] > goal.high:
            step = -step
        at_random = spent > 0 and uniform(random) < 0.02
        change, width, cost = _best_move(
            x, c, step, 1 if at_random else SAMPLE, goal, moves, ground, trail, corners, best, random
        )
        spent += cost
        if change >= 0.0 and not at_random:
            for j in range(numbers[0]):
                weights[violated[j]] += 1.0
        for t in range(width):
            b = best[t]
            _put(x, b, x[b] - step if _odd(t) else x[b] + step, goal, trail)
    return True, spent


@inner
def _finish(x: Ints, reached: bool, inner_lower: Ints, inner_upper: Ints, trail: Trail) -> None:
    """Note the counts of a table that was found, or undo what was done in vain; and begin a new trail."""
    for j in range(trail.numbers[0]):
        trail.place[trail.violated[j]] = -1
    for i in range(trail.numbers[1]):
        c = trail.cells[i]
        if reached:
            inner_lower[c], inner_upper[c] = min(inner_lower[c], x[c]), max(inner_upper[c], x[c])
        else:
            x[c] = trail.before[i]
        trail.at[c] = -1
        trail.weights[c] = 1.0
    trail.numbers[0] = trail.numbers[1] = 0


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def reach(
    x: Ints, cells: Ints, width: int, inner_lower: Ints, inner_upper: Ints, moves: GroupMoves, ground: Ground,
    trail: Trail, budget: int, total: int, random: Random,
) -> tuple[int, int]:  # fmt: skip
    """Seek tables in which each of the cells has counts `width` apart; x and the counts met are changed in place.

    `budget` limits the search for one cell, `total` all of them, in cells evaluated: how many of `cells` were looked
    at, and what was spent.
    """
    corners, best = np.empty(1 << MOST_GROUPS, np.int64), np.empty(1 << MOST_GROUPS, np.int64)
    spent, done = 0, 0
    for c in cells:
        if spent >= total:
            break
        done += 1
        for side in (-1, 1):
            if inner_upper[c] - inner_lower[c] >= width:
                break
            goal = Goal(c, inner_lower[c] + width, np.int64(1) << 60)
            if side < 0:
                if inner_lower[c] == 0:
                    continue
                goal = Goal(c, np.int64(0), max(inner_upper[c] - width, np.int64(0)))
            reached, cost = _search(x, goal, moves, ground, trail, corners, best, budget, random)
            spent += cost + 1
            _finish(x, reached, inner_lower, inner_upper, trail)
    return done, spent
