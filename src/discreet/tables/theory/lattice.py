"""The lattice of integer tables with given margins: its equations, its coordinates and its basic moves.

Call a set of variables a *face* when a released margin contains it, and the *support* of a cell the variables on
which its category is not the first. Then

- one equation per cell whose support is a face is enough, and they are independent: for the face S take one margin
  g ⊇ S and of it the cell with the levels of S and level 0 on g∖S. In order of falling |S| each equation determines
  one cell from the others (unimodular), so integer counts elsewhere always extend to an integer table with the margins;
- the cells whose support is not a face are free coordinates: the others are integer affine functions of them;
- the *basic moves* of a minimal non-face D (±1 on the 2^|D| cells that mix two levels on each variable of D) span
  the lattice of differences (Diaconis and Sturmfels 1998; Dobra 2003).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.tables.table import Ints
from discreet.tables.theory.graph import Axes, reduce_generators

Shape = tuple[int, ...]
# Of the equations of one face: the margin, places in it, and the cells that sum to each of those counts.
Rows = tuple[Axes, Ints, Ints]


@lru_cache(maxsize=32)
def lattice_of(shape: Shape, generators: tuple[Axes, ...], *, reduced: bool = False) -> Lattice:
    """The lattice, shared by those who ask for the same one: its matrices cost more than what is done with them."""
    return Lattice(shape, generators, reduced=reduced)


class Lattice:
    """Geometry of the tables of one shape with margins over `generators`; knows nothing of the counts.

    `reduced` says that no generator contains another (`reduce_generators`).
    """

    def __init__(self, shape: Shape, generators: tuple[Axes, ...], *, reduced: bool = False) -> None:
        self.shape = shape
        self.size = prod(shape)
        self.generators = generators if reduced else reduce_generators(generators)
        self._rows: dict[Axes, Rows] = {}

    def borrow(self, other: Lattice) -> None:
        """Take over what a lattice of the same shape has worked out for faces that both have."""
        if other is not self and other.shape == self.shape:
            self._rows = {**other._rows, **self._rows}

    @cached_property
    def faces(self) -> list[Axes]:
        """Every subset of a released margin, small ones first."""
        found = {s for g in self.generators for r in range(len(g) + 1) for s in combinations(g, r)}
        return sorted(found, key=lambda s: (len(s), s))

    @cached_property
    def degrees_of_freedom(self) -> int:
        derived = 0
        for face in self.faces:
            kinds = 1
            for a in face:
                kinds *= self.shape[a] - 1
            derived += kinds
        return self.size - derived

    @cached_property
    def nonfaces(self) -> list[Axes]:
        """Minimal sets of variables that no released margin contains.

        Variables of one category cannot be mixed and are left out.
        """
        wide = [a for a in range(len(self.shape)) if self.shape[a] > 1]
        single = sum(1 << a for a in range(len(self.shape)) if self.shape[a] == 1)
        masks = {face: sum(1 << a for a in face) for face in self.faces}
        known = set(masks.values())
        found: list[Axes] = []
        # A minimal non-face without any one of its variables is a face.
        for face, mask in masks.items():
            if mask & single:
                continue
            for a in wide:
                some = mask | 1 << a
                if some >> (a + 1) or some in known:
                    continue
                if all(some ^ 1 << b in known for b in face):
                    found.append((*face, a))
        return found

    @cached_property
    def strides(self) -> Ints:
        found, step = [], 1
        for size in reversed(self.shape):
            found.append(step)
            step *= size
        return np.array(found[::-1], np.int64)

    @cached_property
    def levels(self) -> Ints:
        """Category numbers of each cell, one row per cell."""
        return np.indices(self.shape).reshape(len(self.shape), -1).T.astype(np.int64)

    @cached_property
    def _blocks(self) -> list[Rows]:
        """Independent rows, the largest faces first: margin, places in it, and cells (one row each).

        A row is solved for its first cell, which has level 0 on all variables outside the face.
        """
        blocks = []
        sizes = {g: prod(self.shape[a] for a in g) for g in self.generators}
        sets = [(g, set(g)) for g in sorted(self.generators, key=lambda g: (sizes[g], g), reverse=True)]
        for face in sorted(self.faces, key=lambda s: (-len(s), s)):
            margin = next(g for g, inside in sets if inside.issuperset(face))
            known = self._rows.get(face)
            if known is not None and known[0] == margin:
                blocks.append(known)
                continue
            place = {a: prod(self.shape[b] for b in margin[i + 1 :]) for i, a in enumerate(margin)}
            rows, places, others = np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
            for a in face:
                levels = np.arange(1, self.shape[a])
                rows = (rows[:, None] + levels * self.strides[a]).reshape(-1)
                places = (places[:, None] + levels * place[a]).reshape(-1)
            for a in range(len(self.shape)):
                if a not in place:
                    others = (others[:, None] + np.arange(self.shape[a]) * self.strides[a]).reshape(-1)
            if rows.size:
                self._rows[face] = (margin, places, rows[:, None] + others)
                blocks.append(self._rows[face])
        return blocks

    @cached_property
    def matrix(self) -> tuple[Ints, Ints]:
        """The independent equations in compressed form: starts and cells; a row is solved for its first cell."""
        lengths = np.concatenate([np.full(len(cells), cells.shape[1]) for _, _, cells in self._blocks])
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return starts, np.concatenate([cells.reshape(-1) for _, _, cells in self._blocks]).astype(np.int64)

    def right_side(self, margins: Mapping[Axes, Ints]) -> Ints:
        """The counts that the equations must sum to."""
        values = [np.asarray(margins[margin]).reshape(-1)[places] for margin, places, _ in self._blocks]
        return np.concatenate(values).astype(np.int64)

    def multiply(self, x: NDArray[np.int64]) -> Ints:
        """What the equations sum to in table x."""
        starts, cells = self.matrix
        return np.asarray(np.add.reduceat(x[cells], starts[:-1]), np.int64)

    def complete(self, x: NDArray[Any], right_side: NDArray[Any]) -> NDArray[Any]:
        """Keep the free cells of x and set the others so that the margins hold; counts may become negative."""
        x, at = x.copy(), 0
        for _, _, cells in self._blocks:
            # Rows of one face do not meet one another's first cells.
            x[cells[:, 0]] = right_side[at : at + len(cells)] - x[cells[:, 1:]].sum(axis=1)
            at += len(cells)
        return x

    @cached_property
    def free(self) -> Ints:
        """Cells whose support is not a face: the coordinates of the lattice."""
        chosen = np.ones(self.size, np.bool_)
        for _, _, cells in self._blocks:
            chosen[cells[:, 0]] = False
        return np.nonzero(chosen)[0]

    @cached_property
    def derived(self) -> Ints:
        """The other cells."""
        chosen = np.ones(self.size, np.bool_)
        chosen[self.free] = False
        return np.nonzero(chosen)[0]

    @cached_property
    def coordinates(self) -> Ints:
        """Integer matrix C with x = x° + C (x[free] − x°[free]) for any two tables x, x° with the same margins."""
        matrix = np.zeros((self.size, self.free.size), np.int64)
        matrix[self.free, np.arange(self.free.size)] = 1
        _subtract(*self.matrix, matrix)
        return matrix

    def check(self, x: Ints, margins: Mapping[Axes, Ints]) -> bool:
        """Whether x is a non-negative table with every one of the margins (all of them, not only independent rows)."""
        if x.min(initial=0) < 0:
            return False
        table = x.reshape(self.shape)
        for axes, values in margins.items():
            drop = tuple(a for a in range(len(self.shape)) if a not in axes)
            if not np.array_equal(table.sum(axis=drop, dtype=np.int64), values):
                return False
        return True


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _subtract(starts: Ints, cells: Ints, matrix: Ints) -> None:
    """Solve each equation for its first cell, given those of the other cells."""
    for i in range(starts.size - 1):
        first = cells[starts[i]]
        row = matrix[first].copy()
        for p in range(starts[i] + 1, starts[i + 1]):
            for j in range(matrix.shape[1]):
                row[j] -= matrix[cells[p], j]
        matrix[first] = row


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def mix(shape: Ints, strides: Ints, mixed: NDArray[np.bool_]) -> Ints:
    """Cells of the moves that mix any two levels of some axes, at each level of the others: one row each.

    Bit b of the column says which of its two levels the b-th of those axes takes.
    """
    count, width = 1, 1
    for a in range(shape.size):
        count *= shape[a] * (shape[a] - 1) // 2 if mixed[a] else shape[a]
        width *= 2 if mixed[a] else 1
    found = np.zeros((count, width), np.int64)
    rows, columns = 1, 1
    for a in range(shape.size):
        # The first block is the one that the others are made from, so it comes last.
        if not mixed[a]:
            for level in range(shape[a] - 1, 0, -1):
                for i in range(rows):
                    for j in range(columns):
                        found[level * rows + i, j] = found[i, j] + level * strides[a]
            rows *= shape[a]
            continue
        at = shape[a] * (shape[a] - 1) // 2
        for low in range(shape[a] - 2, -1, -1):
            for high in range(shape[a] - 1, low, -1):
                at -= 1
                for i in range(rows):
                    for j in range(columns):
                        found[at * rows + i, columns + j] = found[i, j] + high * strides[a]
                        found[at * rows + i, j] = found[i, j] + low * strides[a]
        rows, columns = rows * (shape[a] * (shape[a] - 1) // 2), 2 * columns
    return found
