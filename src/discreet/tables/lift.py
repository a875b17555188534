"""Tables with some margins, brought to one margin more.

Let S be a face that the new margin adds (see `lattice`), smaller ones first, so that the table already has the margins
over the proper subsets of S. Then its margin over S differs from the released one by multiples of basic moves that mix
one fixed level (the fullest) with another on each variable of S; such a move changes the count over S of those other
levels, leaves every margin that does not contain S alone, and may be made at any levels of the remaining variables. So
it is made where cells stay inside their bounds as far as that goes, and for the rest where it does least damage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.graph import Axes
from discreet.tables.lattice import Lattice
from discreet.tables.table import Ints, project

PINNED_PRICE = 1000


@dataclass(frozen=True)
class Lift:
    """Equation e has moves corners[starts[e]:starts[e+1]] of widths[e] cells; their last cells sum to targets[e]."""

    starts: Ints
    widths: Ints
    corners: Ints
    signs: Ints
    targets: Ints


_NOTHING = np.zeros(0, np.int64)
NO_LIFT = Lift(np.zeros(1, np.int64), _NOTHING, _NOTHING, _NOTHING, _NOTHING)


def lift_to(lattice: Lattice, old: Lattice, margins: Mapping[Axes, Ints]) -> Lift:
    """What brings a table with the margins of the old lattice to those of the new."""
    before = set(old.faces)
    fresh = {g: values for g, values in margins.items() if g not in before}
    fullest = {a: _fullest(fresh, a) for g in fresh for a in g}
    lengths: list[Ints] = []
    widths: list[Ints] = []
    corners: list[Ints] = []
    signs: list[Ints] = []
    targets: list[Ints] = []
    for face in lattice.faces:
        if face in before:
            continue
        known = project(fresh, face)
        assert known is not None
        base = {a: fullest[a] for a in face}
        sign = np.array([1 - 2 * ((len(face) - i.bit_count()) & 1) for i in range(1 << len(face))], np.int64)
        others = [np.array([level for level in range(lattice.shape[a]) if level != base[a]], np.int64) for a in face]
        levels = np.array([base.get(a, -1) for a in range(len(lattice.shape))], np.int64)
        block = _corners(np.array(lattice.shape, np.int64), lattice.strides, levels)
        corners.append(block.reshape(-1))
        signs.append(np.tile(sign, block.shape[0] * block.shape[1]))
        widths.append(np.full(len(block), sign.size))
        lengths.append(np.full(len(block), block.shape[1] * sign.size))
        targets.append(known[np.ix_(*others)].reshape(-1))
    return Lift(
        np.cumsum(np.concatenate([[0], *lengths]), dtype=np.int64),
        np.concatenate([_NOTHING, *widths]),
        np.concatenate([_NOTHING, *corners]),
        np.concatenate([_NOTHING, *signs]),
        np.concatenate([_NOTHING, *targets]),
    )


def _fullest(margins: Mapping[Axes, Ints], axis: int) -> int:
    """The category with most persons: moves through it meet fewest empty cells."""
    known = project(margins, (axis,))
    return 0 if known is None else int(known.argmax())


@njit(cache=True, nogil=True)
def _corners(shape: Ints, strides: Ints, base: Ints) -> NDArray[np.int64]:
    """Cells of the moves that mix the base level of some axes with another one; −1 marks the other axes.

    Those other levels are the first index, the levels of the other axes the second, the corner of the move the third.
    """
    kinds, places, width = 1, 1, 1
    for a in range(shape.size):
        if base[a] < 0:
            places *= shape[a]
        else:
            kinds, width = kinds * (shape[a] - 1), 2 * width
    found = np.zeros((kinds, places, width), np.int64)
    for kind in range(kinds):
        for place in range(places):
            for corner in range(width):
                cell, k, p, w = 0, kind, place, corner
                for a in range(shape.size):
                    if base[a] < 0:
                        cell += p % shape[a] * strides[a]
                        p //= shape[a]
                    else:
                        cell += base[a] * strides[a] if w % 2 == 0 else 0
                        w //= 2
                w = corner << 1
                for a in range(shape.size - 1, -1, -1):
                    if base[a] >= 0:
                        level = k % (shape[a] - 1)
                        k //= shape[a] - 1
                        if w & width:
                            cell += (level + (level >= base[a])) * strides[a]
                        w <<= 1
                found[kind, place, corner] = cell
    return found


@njit(cache=True, nogil=True)
def lift_table(
    x: Ints, lower: Ints, upper: Ints, starts: Ints, widths: Ints, corners: Ints, signs: Ints, targets: Ints
) -> None:
    """Give x the new margins, in place; cells leave their bounds only where there is no other way along these moves."""
    for e in range(widths.size):
        width = widths[e]
        left = targets[e]
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
        if left == 0:
            continue
        best, place = np.int64(-1), starts[e]
        for p in range(starts[e], starts[e + 1], width):
            damage = np.int64(0)
            for j in range(p, p + width):
                c = corners[j]
                value = x[c] + way * signs[j] * left
                out = max(lower[c] - value, value - upper[c], 0)
                damage += out * PINNED_PRICE if lower[c] == upper[c] else out
            if best < 0 or damage < best:
                best, place = damage, p
        for j in range(place, place + width):
            x[corners[j]] += way * signs[j] * left
