"""Theorem 2 (Dobra and Fienberg): generalized Fréchet bounds for reducible models.

Let atoms a₁ … a_m be joined in a tree through separators whose counts are known. With bounds L_a ≤ n_a ≤ U_a in
each atom (in a decomposable model the atom is released and L_a = n_a = U_a, which is Theorem 1),

    max(0, Σ_a L_a(i_a) − Σ_s n_s(i_s))  ≤  n(i)  ≤  min_a U_a(i_a).

Both sides are attained when those of the atoms are (`northwest_corner`). Since 0 ≤ n_a ≤ n_s the bounds may be joined
one atom at a time, which keeps the arrays small until the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from discreet.tables.table import Ints, project
from discreet.tables.theory.graph import Axes, Decomposition

Shape = tuple[int, ...]


def spread(values: Ints, axes: Axes, variables: int) -> Ints:
    """An array over `axes` with one axis per variable of the table, of length 1 where it does not vary."""
    sizes = dict(zip(axes, values.shape))
    return values.reshape([sizes.get(a, 1) for a in range(variables)])


def separator_counts(tree: Decomposition, margins: Mapping[Axes, Ints]) -> list[Ints]:
    """Known counts of the separator of each atom but the first."""
    counts = []
    for separator in tree.separators[1:]:
        values = project(margins, separator)
        if values is None:
            raise ValueError("a separator is not contained in a released margin")
        counts.append(values)
    return counts


def combine(
    shape: Shape,
    tree: Decomposition,
    lower: Sequence[Ints],
    upper: Sequence[Ints],
    margins: Mapping[Axes, Ints],
) -> tuple[Ints, Ints]:
    """Bounds of the whole table from bounds per atom."""
    k = len(shape)
    if len(tree.atoms) == 1 and len(tree.atoms[0]) == k:
        return _fixed(lower[0]), _fixed(upper[0])
    low, high = combine_at(
        [spread(values, axes, k) for values, axes in zip(lower, tree.atoms)],
        [spread(values, axes, k) for values, axes in zip(upper, tree.atoms)],
        [spread(c, axes, k) for c, axes in zip(separator_counts(tree, margins), tree.separators[1:])],
    )
    return np.broadcast_to(low, shape), np.broadcast_to(high, shape)


def combine_at(lower: Sequence[Ints], upper: Sequence[Ints], separators: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Bounds of some cells, from those of their projections on each atom and the counts on separators but the first.

    Arrays are of one length, or of shapes that numpy broadcasts.
    """
    low, high = lower[0], upper[0]
    for least, most, shared in zip(lower[1:], upper[1:], separators):
        low = low + (least - shared)
        np.maximum(low, 0, out=low)
        high = np.minimum(high, most)
    return low, high


def _fixed(values: Ints) -> Ints:
    """The same array, which its reader cannot change."""
    view = values.view()
    view.flags.writeable = False
    return view
