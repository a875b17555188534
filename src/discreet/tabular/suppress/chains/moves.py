"""Products of chains: moves that keep every relation of a table by construction, the cheapest through a cell.

In one variable a chain runs from a node `bottom` at the end of its tree, through the code c of a sensitive cell, up to
below the node at which it meets another chain, which runs down to `other`. With +1 on the one and -1 on the other

    every node's entry is the sum of its children's, and their common ancestor's is 0,

so that the product of such vectors, one a variable, times an amount t, satisfies all relations of the table. Where
there is no other chain (`ROOT`), the first one runs up to and through the root; where a cell is no part of a sum in the
variable (linked tables), it may stop at c (`OPEN`). Its cells, each with capacity for t on its side, are what must be
hidden: the move itself is then the witness of protection, upwards and, reversed, downwards.

The best choice of bottoms and others is looked for one variable after the other (coordinate descent) from several
starts. The score is the cost of what is not hidden yet, by the unit of protection; a cell that cannot move counts as
`BAD`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.tabular.problem import Ints
from discreet.tabular.suppress.chains.lattice import Lattice, meeting, place

Floats = NDArray[np.float64]
ROOT, OPEN = -1, -2
BAD = 1e24
# Of two moves of the same cost the one with fewer cells.
_CELL = 1e-6
# Moves with more cells are not considered.
LONGEST = 4096
_BOTTOM, _TOP = 1, 2


class Leeway(NamedTuple):
    """What cells cost (0: hidden already, BAD: must be published), and how far they may move up and down."""

    price: Floats
    up: Ints
    down: Ints


class Work(NamedTuple):
    """What the search writes: `choice` (bottom, other of each variable), and the nodes, signs and ends they give."""

    choice: Ints
    best: Ints
    node: Ints
    sign: Ints
    end: Ints
    length: Ints
    cell: Ints
    move: Ints


def work_of(lattice: Lattice) -> Work:
    shape = lattice.variables, 2 * int(lattice.depth.max()) + 2
    pair = lattice.variables, 2
    return Work(
        np.zeros(pair, np.int64),
        np.zeros(pair, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(lattice.variables, np.int64),
        np.zeros(LONGEST, np.int64),
        np.zeros(LONGEST, np.int64),
    )


@inner
def _lay(lattice: Lattice, work: Work, v: int, code: int, bottom: int, other: int) -> bool:
    """The two chains of variable v; False where these ends make none."""
    base, count, node = lattice.first[v], 0, bottom
    stop = -1
    if other >= 0:
        stop = meeting(lattice, v, code, other)
        if stop in (code, other):
            return False
    elif other == OPEN:
        stop = lattice.parent[base + code]
    while node != stop:
        work.node[v, count], work.sign[v, count], work.end[v, count] = node, 1, 0
        count += 1
        node = lattice.parent[base + node]
    work.end[v, 0] = _BOTTOM
    if other == OPEN:
        work.end[v, count - 1] |= _TOP
    if other >= 0:
        first, node = count, other
        while node != stop:
            work.node[v, count], work.sign[v, count], work.end[v, count] = node, -1, 0
            count += 1
            node = lattice.parent[base + node]
        work.end[v, first] = _BOTTOM
    work.length[v] = count
    return True


@inner
def _score(lattice: Lattice, room: Leeway, work: Work, above: int, below: int, whole: bool, least: float) -> float:
    """Cost by the unit of the product of the chains that are laid; stops where it is not below `least`.

    With `whole` every cell must have room for all of `above` and `below`; else as much as all of them have counts.
    """
    d = work.length.size
    total = 1
    for v in range(d):
        total *= work.length[v]
        if total > LONGEST:
            return BAD * LONGEST
    up, down, cost = above, below, 0.0
    for number in range(total):
        rest, key, sign, bottom, top = number, 0, 1, 0, 0
        for v in range(d):
            at = rest % work.length[v]
            rest //= work.length[v]
            key += work.node[v, at] * lattice.step[v]
            sign *= work.sign[v, at]
            bottom |= (work.end[v, at] & 1) << v
            top |= (work.end[v, at] >> 1) << v
        cell = place(lattice, key)
        cost += _CELL
        if cell < 0 or lattice.head[cell] & bottom or lattice.part[cell] & top:
            cost += BAD
            continue
        cost += room.price[cell]
        rise, fall = room.up[cell], room.down[cell]
        if sign < 0:
            rise, fall = fall, rise
        if whole:
            if rise < above or fall < below:
                cost += BAD
        elif (rise <= 0 or above == 0) and (fall <= 0 or below == 0):
            cost += BAD
        else:
            up, down = min(up, rise), min(down, fall)
        if cost >= least * (up + down):
            return least
    return cost / (up + down) if up + down > 0 else BAD * LONGEST


@inner
def _try(
    lattice: Lattice, room: Leeway, work: Work, cell: int, want: Ints, whole: bool, v: int, pair: Ints, least: float
) -> float:
    """The score with other ends in variable v, which are kept where it is less.

    A sum that the cell itself is a term of is never left open, nor one that it is the total of.
    """
    code, head, part = lattice.codes[cell, v], lattice.head[cell], lattice.part[cell]
    if (pair[1] == OPEN and part >> v & 1) or (pair[0] == code and head >> v & 1):
        return least
    if not _lay(lattice, work, v, code, pair[0], pair[1]):
        return least
    found = _score(lattice, room, work, want[0], want[1], whole, least)
    if found < least:
        work.choice[v, 0], work.choice[v, 1] = pair[0], pair[1]
        return found
    return least


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def cheapest(
    lattice: Lattice, room: Leeway, work: Work, cell: int, want: Ints, whole: bool, starts: int, seed: int
) -> float:
    """The best score of a move through a cell by `want` (above, below); its ends are in `work.best`."""
    code = lattice.codes[cell]
    d = code.size
    pair = np.zeros(2, np.int64)
    state = np.uint64(seed) * np.uint64(2862933555777941757) + np.uint64(3037000493)
    best = BAD
    for begin in range(starts):
        for v in range(d):
            base = lattice.first[v]
            own = base + code[v]
            wide = base + (lattice.parent[own] if begin == 0 and lattice.parent[own] >= 0 else 0)
            for side in range(2):
                state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
                i = own if side == 0 else wide
                size = lattice.end_start[i + 1] - lattice.end_start[i]
                if size == 0:
                    return BAD
                pick = lattice.end[lattice.end_start[i] + np.int64(state >> np.uint64(33)) % size]
                work.choice[v, side] = pick
            if lattice.head[cell] >> v & 1 == 0:
                work.choice[v, 0] = code[v]
            if not _lay(lattice, work, v, code[v], work.choice[v, 0], work.choice[v, 1]):
                work.choice[v, 1] = ROOT
                _lay(lattice, work, v, code[v], work.choice[v, 0], ROOT)
        score = _score(lattice, room, work, want[0], want[1], whole, BAD * LONGEST * 2)
        before = np.inf
        while score < before:
            before = score
            for v in range(d):
                base = lattice.first[v]
                own = base + code[v]
                for t in range(lattice.end_start[own], lattice.end_start[own + 1]):
                    pair[0], pair[1] = lattice.end[t], work.choice[v, 1]
                    score = _try(lattice, room, work, cell, want, whole, v, pair, score)
                for t in range(lattice.end_start[base] - 2, lattice.end_start[base + 1]):
                    pair[0] = work.choice[v, 0]
                    pair[1] = lattice.end[t] if t >= lattice.end_start[base] else t - lattice.end_start[base]
                    score = _try(lattice, room, work, cell, want, whole, v, pair, score)
                _lay(lattice, work, v, code[v], work.choice[v, 0], work.choice[v, 1])
        if score < best:
            best = score
            for v in range(d):
                work.best[v, 0], work.best[v, 1] = work.choice[v, 0], work.choice[v, 1]
    return best


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def spelled(lattice: Lattice, work: Work, cell: int) -> int:
    """Write the cells of the best move through a cell and their signs to `work.cell` and `work.move`; how many."""
    code = lattice.codes[cell]
    total = 1
    for v in range(code.size):
        _lay(lattice, work, v, code[v], work.best[v, 0], work.best[v, 1])
        total *= work.length[v]
    for number in range(total):
        rest, key, sign = number, 0, 1
        for v in range(code.size):
            at = rest % work.length[v]
            rest //= work.length[v]
            key += work.node[v, at] * lattice.step[v]
            sign *= work.sign[v, at]
        work.cell[number] = place(lattice, key)
        work.move[number] = sign
    return total
