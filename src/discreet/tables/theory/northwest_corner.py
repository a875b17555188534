"""Tables of the whole joined from those of the atoms, by the northwest corner rule: why Theorems 1 and 2 are sharp.

Joining two tables that agree on the separator is, for each separator cell, a transportation problem between the cells
of either side; the northwest corner rule solves it, and gives the cell (p, q) the value min(x_p, y_q) when p and q come
first, max(0, x_p + y_q − n_s) when p comes first and q last. `join_tables` makes one table for one side of one cell,
`join_all` one for each side of each cell at once: from the wanted cell on where it is to be greatest; up to it on the
other table where it is to be least.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numba import njit

from discreet.tables.table import Ints
from discreet.tables.theory.graph import Axes, Decomposition

Shape = tuple[int, ...]
# Tables of an atom, one per row, and which of them is greatest and least at each of its cells.
Reaching = tuple[Ints, Ints, Ints]


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


def join_all(shape: tuple[int, ...], tree: Decomposition, parts: Sequence[Reaching]) -> Ints:
    """Tables of the whole, one per row: for each cell one that is greatest there, then for each one that is least."""
    k, n = len(shape), prod(shape)
    levels = np.indices(shape).reshape(k, n)
    axes = tree.atoms[0]
    tables, which = _of_sides(parts[0], _places(levels, axes, shape))
    for j in range(1, len(tree.atoms)):
        second = tree.atoms[j]
        shared = tuple(a for a in axes if a in second)
        left, right = (tuple(a for a in some if a not in shared) for some in (axes, second))
        others, source = _of_sides(parts[j], _places(levels, second, shape))
        tables = _join_all(
            tables, which, _cells_by(axes, shared, shape), _places(levels, left, shape),
            others, source, _cells_by(second, shared, shape), _places(levels, right, shape),
        )  # fmt: skip
        which = np.arange(2 * n)
        axes = (*shared, *left, *right)
    order = [0, *(axes.index(a) + 1 for a in range(k))]
    return tables[which].reshape(-1, *(shape[a] for a in axes)).transpose(order).reshape(-1, n)


def _of_sides(part: Reaching, places: Ints) -> tuple[Ints, Ints]:
    tables, greatest, least = part
    return tables, np.concatenate([greatest[places], least[places]])


def _places(levels: Ints, axes: Axes, shape: tuple[int, ...]) -> Ints:
    """Of each cell, its place among the cells over some axes."""
    place = np.zeros(levels.shape[1], np.int64)
    for a in axes:
        place = place * shape[a] + levels[a]
    return place


def _cells_by(axes: Axes, shared: Axes, shape: tuple[int, ...]) -> Ints:
    """Cells over `axes`, one row per cell over those that are shared."""
    order = [axes.index(a) for a in (*shared, *(a for a in axes if a not in shared))]
    cells = np.arange(prod(shape[a] for a in axes)).reshape([shape[a] for a in axes])
    return np.ascontiguousarray(cells.transpose(order).reshape(prod(shape[a] for a in shared), -1))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _join_all(
    first: Ints, which: Ints, left: Ints, rows: Ints, second: Ints, source: Ints, right: Ints, columns: Ints
) -> Ints:
    """Row t of the result is first[which[t]] and second[source[t]] joined at a cell, greatest in its first half."""
    height, width = left.shape[1], right.shape[1]
    joined = np.zeros((which.size, left.shape[0] * height * width), np.int64)
    for t in range(which.size):
        x, y, z = first[which[t]], second[source[t]], joined[t]
        c = t % rows.size
        for s in range(left.shape[0]):
            i, j = rows[c], columns[c] if t < rows.size else (columns[c] + 1) % width
            a, b = x[left[s, i]], y[right[s, j]]
            down = across = 0
            while True:
                step = min(a, b)
                z[(s * height + i) * width + j] += step
                a, b = a - step, b - step
                if a == 0 and down + 1 < height:
                    down, i = down + 1, i + 1 if i + 1 < height else 0
                    a = x[left[s, i]]
                elif b == 0 and across + 1 < width:
                    across, j = across + 1, j + 1 if j + 1 < width else 0
                    b = y[right[s, j]]
                else:
                    break
    return joined
