"""How far single cells of a sparse table reach: persons exchange what separates them, and a hole wanders until filled.

Let P and Q be persons (cells that hold somebody) who differ from a cell h in the sets of variables D and E, such that
no released margin meets both. If P takes Q's values of D and Q takes P's, then one is at h and every released margin
stays as it is. So a person more at h is a pair (P, Q) of that kind. Where only P is at hand, any E that no margin joins
to D will do: then a person is missing at the cell where Q would have been, and the search goes on from this hole, which
wanders from cell to cell until it meets somebody. With three sets that no margin meets all of, four persons take part.

A hole with nobody around is split: two holes in its place, nearer to people. In sparse tables random moves take mostly
from empty cells (`reach`); these do so only there.

Every search begins at the table that is known. The counts of all cells are noted whenever no hole is left.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.kernels.randoms import Random, scaled_below, seeded, uniform
from discreet.tables.sharpen.persons import (
    NEAREST,
    Around,
    People,
    difference,
    free_beside,
    free_of_both,
    levels_of,
    look,
    nearest,
    people_of,
)
from discreet.tables.sharpen.reach import Trail, new_trail
from discreet.tables.table import Ints
from discreet.tables.theory.lattice import Lattice

# How often a hole moves before it is given up.
STEPS = 60
# Holes at a time, and how many ways to leave a lonely one are compared.
MOST_HOLES, TRIES = 8, 24
# How often everybody is asked for an exchange that has no cell in common with those before.
ROUNDS = 4


class Exchange:
    """Searches from one table; the seed fixes them."""

    def __init__(self, lattice: Lattice, start: Ints, seed: int = 0) -> None:
        self._x = start.copy()
        cells = np.flatnonzero(start > 0)
        self._people = people_of(lattice.shape, lattice.strides, lattice.generators, cells)
        self._trail = new_trail(start.size)
        self._random = seeded(5 + seed)

    def reach(self, cells: Ints, width: int, low: Ints, high: Ints, budget: int, total: int) -> int:
        """How many of the cells were looked at; `low` and `high` are the counts met so far, changed in place."""
        given = (self._x, cells, width, low, high, self._people, self._trail, budget, total, self._random)
        return int(exchange(*given))

    def apart(self, most: int) -> int:
        """How many exchanges of two persons, at most so many, have no cell in common: each can be made or left out.

        So there are at least 2 to the power of it tables with the margins.
        """
        x, trail = self._x.copy(), new_trail(self._x.size)
        order = np.tile(np.random.default_rng(1).permutation(self._people.cells), ROUNDS)
        return int(exchanges_apart(x, order, most, np.zeros(x.size, np.bool_), self._people, trail, self._random))


@inner
def _add(x: Ints, c: int, step: int, trail: Trail) -> None:
    numbers, at = trail.numbers, trail.at
    if at[c] < 0:
        at[c] = numbers[1]
        trail.cells[numbers[1]], trail.before[numbers[1]] = c, x[c]
        numbers[1] += 1
    x[c] += step


@inner
def _another(people: People, hole: int, chosen: int, random: Random) -> int:
    """The way to a cell that differs from the hole in the chosen variables."""
    way, a = 0, 0
    while chosen > 0:
        if chosen & 1:
            level = hole // people.strides[a] % people.shape[a]
            other = (level + 1 + scaled_below(random, people.shape[a] - 1)) % people.shape[a]
            way += (other - level) * people.strides[a]
        chosen >>= 1
        a += 1
    return way


@inner
def _some_of(mask: int, random: Random) -> int:
    """A random part of a set, at least one of it; mostly few."""
    chosen, share = 0, 0.15 + 0.35 * uniform(random)
    while chosen == 0:
        a, rest = 0, mask
        while rest > 0:
            if rest & 1 and uniform(random) < share:
                chosen |= 1 << a
            rest >>= 1
            a += 1
    return chosen


@inner
def _swap(x: Ints, hole: int, first: int, second: int, trail: Trail) -> None:
    """One more at the hole, one less at each of the cells that these ways lead to, one more where both do."""
    _add(x, hole, 1, trail)
    _add(x, hole + first, -1, trail)
    _add(x, hole + second, -1, trail)
    _add(x, hole + first + second, 1, trail)


@inner
def _pair(hole: int, count: int, people: People, around: Around, random: Random) -> tuple[int, int]:
    """Two persons who can exchange, −1 where there are none."""
    start = scaled_below(random, count) if count > 0 else 0
    for s in range(count):
        i = around.chosen[(start + s) % count]
        for t in range(count):
            j = around.chosen[t]
            if around.sets[j] & ~around.free[i] == 0:
                return i, j
    return -1, -1


@inner
def _four(
    x: Ints, hole: int, goal: int, near: int, people: People, around: Around, random: Random
) -> tuple[int, int, int]:
    """Three of the nearest who can exchange with a fourth, who is there if possible; −1 where there are no three."""
    best, ties = (-1, -1, -1), 0
    for s in range(near):
        for t in range(s):
            i, j = around.near[s], around.near[t]
            if around.sets[i] & around.sets[j]:
                continue
            free = free_of_both(people, around.sets[i], around.sets[j])
            if free == 0:
                continue
            for u in range(near):
                k = around.near[u]
                if around.sets[k] & ~free:
                    continue
                fourth = people.cells[i] + people.cells[j] + people.cells[k] - 2 * hole
                if fourth == goal:
                    continue
                if x[fourth] > 0:
                    return i, j, k
                ties += 1
                if scaled_below(random, ties) == 0:
                    best = (i, j, k)
    return best


@inner
def _split(x: Ints, hole: int, goal: int, people: People, random: Random) -> tuple[int, int]:
    """Ways to two cells beside a lonely hole, both as near to somebody as can be; 0 where there are none."""
    best, ways = 2 * people.shape.size + 3, (0, 0)
    for _ in range(TRIES):
        chosen = _some_of(people.wide, random)
        free = free_beside(people, chosen)
        if free == 0:
            continue
        first = _another(people, hole, chosen, random)
        second = _another(people, hole, _some_of(free, random), random)
        if hole + first == goal or hole + second == goal:
            continue
        far = nearest(x, hole + first, people) + nearest(x, hole + second, people)
        if far < best:
            best, ways = far, (first, second)
    return ways


@inner
def _fill(
    x: Ints, hole: int, goal: int, people: People, around: Around, trail: Trail, budget: int, random: Random
) -> tuple[bool, int]:
    """Whether a person was brought to the hole, none missing anywhere in the end; and what was looked at."""
    holes, open_holes, spent = np.empty(MOST_HOLES + 2, np.int64), 1, 0
    holes[0] = hole
    for _ in range(STEPS):
        if open_holes == 0:
            return True, spent
        if spent >= budget or open_holes > MOST_HOLES:
            return False, spent
        open_holes -= 1
        hole = holes[open_holes]
        count, near = look(x, hole, goal, people, around)
        spent += people.cells.size + count
        i, j = _pair(hole, count, people, around, random)
        if i >= 0:
            _swap(x, hole, people.cells[i] - hole, people.cells[j] - hole, trail)
            continue
        spent += count * count // 8
        third = 0
        if count > 0 and uniform(random) < 0.7:
            i = around.chosen[scaled_below(random, count)]
            first = people.cells[i] - hole
            second = _another(people, hole, _some_of(around.free[i], random), random)
        else:
            i, j, k = _four(x, hole, goal, near, people, around, random)
            spent += near * near * 8
            if i >= 0:
                first, second = people.cells[i] - hole, people.cells[j] - hole
                third = people.cells[k] - hole
            else:
                first, second = _split(x, hole, goal, people, random)
                spent += 2 * TRIES * people.cells.size
        if first == 0 or hole + second == goal:
            holes[open_holes] = hole  # once more, by other means
            open_holes += 1
            continue
        _swap(x, hole, first, second, trail)
        if third != 0:  # the mirror image, one step along the third way, with the signs exchanged
            _add(x, hole + third, -1, trail)
            _add(x, hole + third + first, 1, trail)
            _add(x, hole + third + second, 1, trail)
            _add(x, hole + third + first + second, -1, trail)
        for way in (first, second, third, first + second + third):
            if way != 0 and x[hole + way] < 0 and (third != 0 or way != first + second):
                holes[open_holes] = hole + way
                open_holes += 1
    return open_holes == 0, spent


@inner
def _empty(x: Ints, goal: int, people: People, trail: Trail, random: Random) -> int:
    """Take a person away from the goal, in exchange with another; where one is missing then, or the goal."""
    start, levels = scaled_below(random, people.cells.size), np.empty(people.shape.size, np.int64)
    levels_of(people, goal, levels)
    for s in range(people.cells.size):
        i = (start + s) % people.cells.size
        if x[people.cells[i]] <= 0 or people.cells[i] == goal:
            continue
        found = difference(people, i, goal, levels)
        part, grown = found & -found, 0
        while part != grown:  # what margins join to its first variable
            grown = part
            part = found & ~free_beside(people, grown) | grown
        if part == found:
            continue
        first = 0
        for a in range(people.shape.size):
            if part >> a & 1:
                first += (people.levels[i, a] - levels[a]) * people.strides[a]
        _add(x, goal, -1, trail)
        _add(x, people.cells[i], -1, trail)
        _add(x, goal + first, 1, trail)
        _add(x, people.cells[i] - first, 1, trail)
        return goal
    for _ in range(STEPS):
        chosen = _some_of(people.wide, random)
        free = free_beside(people, chosen)
        if free == 0:
            continue
        first = _another(people, goal, chosen, random)
        second = _another(people, goal, _some_of(free, random), random)
        _swap(x, goal + first, -first, second, trail)  # one more beside the goal, one less there
        return int(goal + first + second)
    return goal


@inner
def _note(x: Ints, low: Ints, high: Ints, trail: Trail) -> None:
    for t in range(trail.numbers[1]):
        c = trail.cells[t]
        low[c], high[c] = min(low[c], x[c]), max(high[c], x[c])


@inner
def _undo(x: Ints, trail: Trail) -> None:
    for t in range(trail.numbers[1]):
        c = trail.cells[t]
        x[c] = trail.before[t]
        trail.at[c] = -1
    trail.numbers[1] = 0


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def exchange(
    x: Ints, cells: Ints, width: int, low: Ints, high: Ints, people: People, trail: Trail, budget: int, total: int,
    random: Random,
) -> int:  # fmt: skip
    """Seek tables in which each of the cells has counts `width` apart; x is as before in the end.

    `budget` limits the search for one cell, `total` all of them, in persons looked at: how many cells were searched.
    """
    n = max(1, people.cells.size)
    zeros = np.zeros(n, np.int64)
    around = Around(zeros, zeros.copy(), zeros.copy(), zeros.copy(), np.zeros(NEAREST, np.int64))
    spent, done = 0, 0
    for c in cells:
        if spent >= total or people.cells.size == 0:
            break
        done += 1
        for side in (1, -1):
            left = budget // 2
            while left > 0 and high[c] - low[c] < width and (side > 0 or x[c] > 0):
                hole, cost, reached = c, 1, True
                if side < 0:
                    hole = _empty(x, c, people, trail, random)
                    cost += people.cells.size
                if side > 0 or (hole != c and x[hole] < 0):
                    reached, more = _fill(x, hole, c, people, around, trail, left, random)
                    cost += more
                spent += cost
                left -= cost
                if reached:
                    _note(x, low, high, trail)
                else:
                    _undo(x, trail)
            _undo(x, trail)
    return done


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def exchanges_apart(
    x: Ints, order: Ints, most: int, used: NDArray[np.bool_], people: People, trail: Trail, random: Random
) -> int:
    """Exchanges that have no cell in common, begun at the cells in this order; x is changed by all of them."""
    found = 0
    for c in order:
        if found >= most:
            break
        if used[c] or x[c] <= 0:
            continue
        whole = _empty(x, c, people, trail, random) == c and trail.numbers[1] > 0
        for t in range(trail.numbers[1]):
            whole = whole and not used[trail.cells[t]]
        if not whole:
            _undo(x, trail)
            continue
        for t in range(trail.numbers[1]):
            used[trail.cells[t]] = True
            trail.at[trail.cells[t]] = -1
        trail.numbers[1] = 0
        found += 1
    return found
