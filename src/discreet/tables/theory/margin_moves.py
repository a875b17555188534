"""Tables with some margins, brought to one margin more.

Let S be a face that the new margin adds (see `lattice`), smaller ones first, so that the table already has the margins
over the proper subsets of S. Then its margin over S differs from the released one by multiples of basic moves that mix
one fixed level (the fullest) with another on each variable of S; such a move changes the count over S of those other
levels, leaves every margin that does not contain S alone, and may be made at any levels of the remaining variables. So
it is made where cells stay inside their bounds as far as that goes, and for the rest where it does least damage.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.kernels import inner
from discreet.tables.table import Ints
from discreet.tables.theory.graph import Axes, mask_of
from discreet.tables.theory.lattice import Lattice

PINNED_PRICE = 1000


class MarginMoves(NamedTuple):
    """Equation e has moves corners[starts[e]:starts[e+1]] of widths[e] cells; their last cells sum to targets[e]."""

    starts: Ints
    widths: Ints
    corners: Ints
    signs: Ints
    targets: Ints


_NOTHING = np.zeros(0, np.int64)
NO_MOVES = MarginMoves(np.zeros(1, np.int64), _NOTHING, _NOTHING, _NOTHING, _NOTHING)


def margin_moves(lattice: Lattice, old: Lattice, margins: Mapping[Axes, Ints]) -> MarginMoves:
    """What brings a table with the margins of the old lattice to those of the new."""
    known = [mask_of(g) for g in old.generators]
    same = set(known)
    shape = np.array(lattice.shape, np.int64)
    blocks = []
    for margin, values in margins.items():
        mask = mask_of(margin)
        # Most are known as they are; looking that up is far quicker than comparing.
        if mask in same or any(mask & other == mask for other in known):
            continue
        blocks.append(_moves_of(shape, np.ascontiguousarray(values).reshape(-1), mask, np.array(known, np.int64)))
        known.append(mask)
    if not blocks:
        return NO_MOVES
    if len(blocks) == 1:
        return MarginMoves(*blocks[0])
    ends = np.cumsum([block[0][-1] for block in blocks])
    starts = [blocks[0][0], *(block[0][1:] + end for block, end in zip(blocks[1:], ends))]
    return MarginMoves(np.concatenate(starts), *(np.concatenate(parts) for parts in list(zip(*blocks))[1:]))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def new_faces(margin: Ints, known: Ints) -> Ints:
    """Sets of variables of a margin that no known one contains, as bit masks, small ones first."""
    found, count = np.empty(1 << margin.size, np.int64), 0
    for size in range(1, margin.size + 1):
        chosen = np.arange(size)
        at = 0
        while at >= 0:
            face = 0
            for i in chosen:
                face |= 1 << margin[i]
            fresh = True
            for other in known:
                if face & other == face:
                    fresh = False
                    break
            if fresh:
                found[count] = face
                count += 1
            # The next set of this size in the order of its members.
            at = size - 1
            while at >= 0 and chosen[at] == margin.size - size + at:
                at -= 1
            if at >= 0:
                chosen[at] += 1
                for later in range(at + 1, size):
                    chosen[later] = chosen[later - 1] + 1
    return found[:count]


class Levels(NamedTuple):
    """Axes of a margin; by axis: its step in the table and in the margin, its level with most persons."""

    margin: Ints
    strides: Ints
    place: Ints
    base: Ints


@inner
def _levels_of(shape: Ints, values: Ints, mask: int) -> Levels:
    strides, margin, members = np.empty(shape.size, np.int64), np.empty(shape.size, np.int64), 0
    place, base = np.zeros(shape.size, np.int64), np.zeros(shape.size, np.int64)
    n = 1
    for a in range(shape.size - 1, -1, -1):
        strides[a] = n
        n *= shape[a]
    for a in range(shape.size):
        if mask >> a & 1:
            margin[members] = a
            members += 1
    step = 1
    for i in range(members - 1, -1, -1):
        a = margin[i]
        place[a] = step
        step *= shape[a]
        counts = np.zeros(shape[a], np.int64)
        for m in range(values.size):
            counts[m // place[a] % shape[a]] += values[m]
        for level in range(1, shape[a]):
            if counts[level] > counts[base[a]]:
                base[a] = level
    return Levels(margin[:members], strides, place, base)


@inner
def _add_targets(targets: Ints, shape: Ints, values: Ints, levels: Levels, face: int) -> None:
    """The counts over a face of a margin, at levels other than the fixed ones."""
    place, base = levels.place, levels.base
    for m in range(values.size):
        kind, inside = 0, True
        for b in levels.margin:
            if face >> b & 1:
                level = m // place[b] % shape[b]
                inside = inside and level != base[b]
                kind = kind * (shape[b] - 1) + level - (level > base[b])
        if inside:
            targets[kind] += values[m]


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _moves_of(shape: Ints, values: Ints, mask: int, known: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """As `MarginMoves` has them. The fixed level of a variable is that with most persons: it meets few empty cells."""
    levels = _levels_of(shape, values, mask)
    strides, base = levels.strides, levels.base
    faces = new_faces(levels.margin, known)
    n = 1
    for size in shape:
        n *= size
    equations, entries = 0, 0
    for face in faces:
        kinds, width, others = 1, 1, n
        for a in range(shape.size):
            if face >> a & 1:
                kinds, width, others = kinds * (shape[a] - 1), 2 * width, others // shape[a]
        equations += kinds
        entries += kinds * others * width
    starts, widths = np.zeros(equations + 1, np.int64), np.zeros(equations, np.int64)
    targets = np.zeros(equations, np.int64)
    corners, signs = np.empty(entries, np.int64), np.empty(entries, np.int64)
    e, filled = 0, 0
    origins, shifts, turns = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for face in faces:
        # Cells at level 0 of the face, the first of the other axes fastest.
        kinds, others, size = 1, 1, 0
        for a in range(shape.size):
            if face >> a & 1:
                kinds, size = kinds * (shape[a] - 1), size + 1
                continue
            for level in range(1, shape[a]):
                for p in range(others):
                    origins[level * others + p] = origins[p] + level * strides[a]
            others *= shape[a]
        _add_targets(targets[e : e + kinds], shape, values, levels, face)
        for kind in range(kinds):
            # Bit b of the corner says whether the b-th axis of the face is at the other level.
            k, scale, width = kind, kinds, 1
            shifts[0], turns[0] = 0, 1 if size % 2 == 0 else -1
            for a in range(shape.size):
                if face >> a & 1:
                    scale //= shape[a] - 1
                    level = k // scale
                    k %= scale
                    other = level + (level >= base[a])
                    for w in range(width):
                        shifts[width + w] = shifts[w] + other * strides[a]
                        turns[width + w] = -turns[w]
                        shifts[w] += base[a] * strides[a]
                    width *= 2
            for p in range(others):
                for w in range(width):
                    corners[filled], signs[filled] = origins[p] + shifts[w], turns[w]
                    filled += 1
            widths[e] = width
            e += 1
            starts[e] = filled
    return starts, widths, corners, signs, targets


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def lift_table(x: Ints, lower: Ints, upper: Ints, moves: MarginMoves) -> None:
    """Give x the new margins, in place; cells leave their bounds only where there is no other way along these moves."""
    starts, widths, corners, signs = moves.starts, moves.widths, moves.corners, moves.signs
    for e in range(widths.size):
        left = _lift_inside(x, lower, upper, moves, e)
        if left == 0:
            continue
        width = widths[e]
        best, place = np.int64(-1), starts[e]
        for p in range(starts[e], starts[e + 1], width):
            damage = np.int64(0)
            for j in range(p, p + width):
                c = corners[j]
                value = x[c] + signs[j] * left
                out = max(lower[c] - value, value - upper[c], 0)
                damage += out * PINNED_PRICE if lower[c] == upper[c] else out
            if best < 0 or damage < best:
                best, place = damage, p
        for j in range(place, place + width):
            x[corners[j]] += signs[j] * left


@inner
def lift_within(x: Ints, lower: Ints, upper: Ints, moves: MarginMoves) -> bool:
    """As far as cells stay inside their bounds; whether x has the new margins then."""
    done = True
    for e in range(moves.widths.size):
        if _lift_inside(x, lower, upper, moves, e) != 0:
            done = False
    return done


@inner
def _lift_inside(x: Ints, lower: Ints, upper: Ints, moves: MarginMoves, e: int) -> int:
    """Bring one sum nearer to its target along moves that stay inside the bounds; what is missing then."""
    starts, corners, signs = moves.starts, moves.corners, moves.signs
    width, left = moves.widths[e], moves.targets[e]
    for p in range(starts[e] + width - 1, starts[e + 1], width):
        left -= x[corners[p]]
    way = 1 if left > 0 else -1
    left = abs(left)
    p = starts[e]
    while left > 0 and p < starts[e + 1]:
        room = left
        for j in range(p, p + width):
            c = corners[j]
            room = min(room, upper[c] - x[c] if way * signs[j] > 0 else x[c] - lower[c])
        if room > 0:
            for j in range(p, p + width):
                x[corners[j]] += way * signs[j] * room
            left -= room
        p += width
    return way * left
