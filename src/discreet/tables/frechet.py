"""Generalized Fréchet bounds (Dobra and Fienberg, Theorems 1 and 2) and the tables that attain them.

Let atoms a₁ … a_m be joined in a tree through separators whose counts are known. With bounds L_a ≤ n_a ≤ U_a in
each atom (in a decomposable model the atom is released and L_a = n_a = U_a),

    max(0, Σ_a L_a(i_a) − Σ_s n_s(i_s))  ≤  n(i)  ≤  min_a U_a(i_a).

Both sides are attained when those of the atoms are. Joining two tables that agree on the separator is, for each
separator cell, a transportation problem between the cells of either side; the northwest corner rule solves it, and
gives the cell (p, q) the value min(x_p, y_q) when p and q come first, max(0, x_p + y_q − n_s) when p comes first and
q last. Since 0 ≤ n_a ≤ n_s the bounds may be joined one atom at a time, which keeps the arrays small until the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from discreet.tables.graph import Axes, Decomposition
from discreet.tables.table import Ints, project

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
    low, high = spread(lower[0], tree.atoms[0], k), spread(upper[0], tree.atoms[0], k)
    separators = separator_counts(tree, margins)
    for j, known in enumerate(separators, 1):
        axes = tree.atoms[j]
        slack = spread(lower[j], axes, k) - spread(known, tree.separators[j], k)
        low = low + slack
        np.maximum(low, 0, out=low)
        high = np.minimum(high, spread(upper[j], axes, k))
    return np.broadcast_to(low, shape), np.broadcast_to(high, shape)


def _fixed(values: Ints) -> Ints:
    """The same array, which its reader cannot change."""
    view = values.view()
    view.flags.writeable = False
    return view


def decomposable_bounds(shape: Shape, tree: Decomposition, margins: Mapping[Axes, Ints]) -> tuple[Ints, Ints]:
    """Theorem 1: every atom is released."""
    counts = [margins[atom] for atom in tree.atoms]
    return combine(shape, tree, counts, counts, margins)


def join_tables(shape: Shape, tree: Decomposition, tables: Sequence[Ints], cell: Sequence[int], side: int) -> Ints:
    """A table of the whole with the given tables in its atoms, greatest (side 1) or least (−1) at `cell`."""
    axes, joined = tree.atoms[0], tables[0]
    for j in range(1, len(tree.atoms)):
        axes, joined = _join(axes, joined, tree.atoms[j], tables[j], cell, side)
    order = [axes.index(a) for a in range(len(shape))]
    return np.ascontiguousarray(joined.transpose(order))


def _join(first: Axes, x: Ints, second: Axes, y: Ints, cell: Sequence[int], side: int) -> tuple[Axes, Ints]:
    shared = tuple(a for a in first if a in second)
    left = tuple(a for a in first if a not in shared)
    right = tuple(a for a in second if a not in shared)
    p = x.transpose([first.index(a) for a in (*shared, *left)])
    q = y.transpose([second.index(a) for a in (*shared, *right)])
    left_shape, right_shape = p.shape[len(shared) :], q.shape[len(shared) :]
    p = p.reshape(-1, prod(left_shape))
    q = q.reshape(-1, prod(right_shape))
    row = int(np.ravel_multi_index([cell[a] for a in left], left_shape)) if left else 0
    column = int(np.ravel_multi_index([cell[a] for a in right], right_shape)) if right else 0
    corner = 0 if side > 0 else q.shape[1] - 1
    p, q = np.roll(p, -row, axis=1), np.roll(q, corner - column, axis=1)
    top, bottom = _edges(p)[:, :, None], _edges(p, end=True)[:, :, None]
    near, far = _edges(q)[:, None, :], _edges(q, end=True)[:, None, :]
    value = np.maximum(np.minimum(bottom, far) - np.maximum(top, near), 0)
    value = np.roll(value, (row, column - corner), axis=(1, 2))
    sizes = [*x.transpose([first.index(a) for a in (*shared, *left)]).shape[: len(shared)]]
    return (*shared, *left, *right), value.reshape([*sizes, *left_shape, *right_shape])


def _edges(counts: Ints, end: bool = False) -> Ints:
    """Where each count begins (or ends) when they are laid end to end."""
    ends = np.cumsum(counts, axis=1)
    return np.asarray(ends if end else ends - counts)
