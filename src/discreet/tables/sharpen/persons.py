"""Who stands around a cell of a sparse table: in which variables they differ from it, and what no margin joins to them.

Sets of variables are bit masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.kernels import inner
from discreet.tables.table import Ints
from discreet.tables.theory.graph import Axes, mask_of

# So many count as near, of whom three take part in an exchange of four.
NEAREST = 48


class People(NamedTuple):
    """Cells that hold somebody, with the level of each variable; margins as bit masks, and what they join.

    Variables are numbered from the last, so that where all have two levels (`binary`) the number of a cell has a bit
    for each. `joined` is, by variable, the variables that a margin has together with it. `wide` are those of several
    levels.
    """

    cells: Ints
    levels: Ints
    shape: Ints
    strides: Ints
    margins: Ints
    joined: Ints
    wide: int | np.int64
    binary: bool


class Around(NamedTuple):
    """Who stands where, seen from a hole: sets in which people differ from it, and what is free beside them.

    `sizes` are those of the sets; `chosen` lists those beside whom something is free, `near` those who differ in few
    variables.
    """

    sets: Ints
    sizes: Ints
    free: Ints
    chosen: Ints
    near: Ints


def people_of(shape: Sequence[int], strides: Ints, generators: Sequence[Axes], cells: Ints) -> People:
    last = len(shape) - 1
    margins = np.array([mask_of(last - a for a in axes) for axes in generators], np.int64)
    joined = np.array([1 << a for a in range(len(shape))], np.int64)
    for mask in margins.tolist():
        for a in range(len(shape)):
            if mask >> a & 1:
                joined[a] |= mask
    sizes, steps = np.array(shape, np.int64)[::-1].copy(), strides[::-1].copy()
    wide = mask_of(np.flatnonzero(sizes > 1).tolist())
    return People(cells, cells[:, None] // steps % sizes, sizes, steps, margins, joined, wide, bool((sizes == 2).all()))


@inner
def levels_of(people: People, hole: int, levels: Ints) -> None:
    for a in range(people.shape.size):
        levels[a] = hole // people.strides[a] % people.shape[a]


@inner
def difference(people: People, i: int, hole: int, levels: Ints) -> int:
    """The variables in which person i differs from the hole, which has these levels."""
    if people.binary:
        return int(people.cells[i] ^ hole)
    found = 0
    for a in range(people.shape.size):
        if people.levels[i, a] != levels[a]:
            found |= 1 << a
    return found


@inner
def size_of(chosen: int) -> int:
    size = 0
    while chosen > 0:
        chosen &= chosen - 1
        size += 1
    return size


@inner
def free_beside(people: People, first: int) -> int:
    """The variables that no margin joins to a set."""
    taken, a = 0, 0
    while first > 0 and taken != people.wide:
        if first & 1:
            taken |= people.joined[a] & people.wide
        first >>= 1
        a += 1
    return int(people.wide & ~taken)


@inner
def free_of_both(people: People, first: int, second: int) -> int:
    """The variables that no margin joins to one set and to another at once."""
    taken = first | second
    for mask in people.margins:
        if mask & first and mask & second:
            taken |= mask
    return int(people.wide & ~taken)


@inner
def look(x: Ints, hole: int, goal: int, people: People, around: Around) -> tuple[int, int]:
    """Who is around a hole; how many have something free beside them, how many are near."""
    count, far = 0, people.shape.size + 1
    amounts, levels = np.zeros(far + 1, np.int64), np.empty(people.shape.size, np.int64)
    levels_of(people, hole, levels)
    for i in range(people.cells.size):
        around.sizes[i] = 0
        if x[people.cells[i]] <= 0 or people.cells[i] == goal:
            continue
        found = difference(people, i, hole, levels)
        around.sets[i], around.sizes[i] = found, size_of(found)
        amounts[around.sizes[i]] += 1
        around.free[i] = free_beside(people, found)
        if found and around.free[i]:
            around.chosen[count] = i
            count += 1
    most, room = 1, NEAREST
    while most < far and amounts[most] <= room:
        room -= amounts[most]
        most += 1
    near = 0
    for i in range(people.cells.size):
        size = around.sizes[i]
        if size == most:
            room -= 1
        if 0 < size < most or (size == most and room >= 0):
            around.near[near] = i
            near += 1
    return count, near


@inner
def nearest(x: Ints, hole: int, people: People) -> int:
    """In how few variables somebody differs from a hole."""
    least, levels = people.shape.size + 1, np.empty(people.shape.size, np.int64)
    levels_of(people, hole, levels)
    for i in range(people.cells.size):
        if x[people.cells[i]] > 0:
            least = min(least, size_of(difference(people, i, hole, levels)))
    return least
