"""Moves that no released margin notices, by which variables they change: they are never listed.

Let G₁ … G_m be disjoint groups of variables such that no released margin meets all of them. Take a cell and another
level for each variable in the groups. The move adds 1 at the cell, and (−1)^|T| at the cell in which the variables of
the groups in T have their other levels. A margin that misses group j sums over cells that differ in j alone, whose
signs cancel: it stays as it is.

With groups of one variable each, which form a minimal non-face, these are the basic moves (`lattice`). Larger groups
reach cells that differ in more variables without passing through those in between, which are often empty in a sparse
table. With two groups it is the exchange of persons who agree on everything that separates the two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.kernels.randoms import Random, scaled_below
from discreet.tables.table import Ints
from discreet.tables.theory.graph import mask_of
from discreet.tables.theory.lattice import Lattice

# Cells of a move: 2 to the power of its number of groups. Moves of more groups mostly meet an empty cell.
MOST_GROUPS = 8


class GroupMoves(NamedTuple):
    """Move p has the groups masks[starts[p]:starts[p+1]], bit masks of axes; those with few groups come first."""

    starts: Ints
    masks: Ints


def group_moves(lattice: Lattice, most: int, random: Random) -> GroupMoves:
    """The minimal non-faces, and random ones of larger groups: at most so many, as many of them as there are."""
    minimal = [face for face in lattice.nonfaces if len(face) <= MOST_GROUPS]
    found = dict.fromkeys(tuple(1 << a for a in face) for face in minimal[:most])
    wide = [a for a, size in enumerate(lattice.shape) if size > 1]
    # By variable, the margins that contain it, as a bit mask: those that meet a group are the union.
    holding = [sum(1 << i for i, g in enumerate(lattice.generators) if a in g) for a in range(len(lattice.shape))]
    for _ in range(4 * most if minimal else 0):
        if len(found) >= most:
            break
        face = minimal[scaled_below(random, len(minimal))]
        groups, met, used = [1 << a for a in face], [holding[a] for a in face], mask_of(face)
        for _ in range(1 + scaled_below(random, len(wide))):
            axis, j = wide[scaled_below(random, len(wide))], scaled_below(random, len(groups))
            meeting = met[j] | holding[axis]
            for i, others in enumerate(met):
                if i != j:
                    meeting &= others
            if meeting or used >> axis & 1:
                continue
            groups[j] |= 1 << axis
            met[j] |= holding[axis]
            used |= 1 << axis
        found[tuple(sorted(groups))] = None
    chosen = sorted(found, key=len)
    starts = np.cumsum([0, *map(len, chosen)], dtype=np.int64)
    return GroupMoves(starts, np.array([mask for groups in chosen for mask in groups], np.int64))
