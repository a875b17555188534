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
from itertools import combinations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from discreet.tables.graph import Axes, reduce_generators
from discreet.tables.table import Ints

Shape = tuple[int, ...]


@lru_cache(maxsize=32)
def lattice_of(shape: Shape, generators: tuple[Axes, ...]) -> Lattice:
    """The lattice, shared by those who ask for the same one: its matrices cost more than what is done with them."""
    return Lattice(shape, generators)


class Lattice:
    """Geometry of the tables of one shape with margins over `generators`; knows nothing of the counts."""

    def __init__(self, shape: Shape, generators: tuple[Axes, ...]) -> None:
        self.shape = shape
        self.size = prod(shape)
        self.generators = reduce_generators(generators)

    @cached_property
    def faces(self) -> list[Axes]:
        """Every subset of a released margin, small ones first."""
        found = {s for g in self.generators for r in range(len(g) + 1) for s in combinations(g, r)}
        return sorted(found, key=lambda s: (len(s), s))

    @cached_property
    def degrees_of_freedom(self) -> int:
        return self.size - sum(prod(self.shape[a] - 1 for a in face) for face in self.faces)

    @cached_property
    def nonfaces(self) -> list[Axes]:
        """Minimal sets of variables that no released margin contains.

        Variables of one category cannot be mixed and are left out.
        """
        wide = [a for a in range(len(self.shape)) if self.shape[a] > 1]
        faces = set(self.faces)
        found: list[Axes] = []
        for r in range(1, len(wide) + 1):
            for some in combinations(wide, r):
                if some in faces or any(set(d) <= set(some) for d in found):
                    continue
                found.append(some)
        return found

    @cached_property
    def strides(self) -> Ints:
        return np.array([prod(self.shape[a + 1 :]) for a in range(len(self.shape))], np.int64)

    @cached_property
    def levels(self) -> Ints:
        """Category numbers of each cell, one row per cell."""
        return np.indices(self.shape).reshape(len(self.shape), -1).T.astype(np.int64)

    @cached_property
    def equations(self) -> list[tuple[Axes, Axes, Axes, Ints]]:
        """Independent rows (face, its levels, margin, cells); a row is solved for its first cell."""
        index = np.arange(self.size).reshape(self.shape)
        rows = []
        for face in sorted(self.faces, key=lambda s: (-len(s), s)):
            holders = [g for g in self.generators if set(face) <= set(g)]
            margin = max(holders, key=lambda g: (prod(self.shape[a] for a in g), g))
            for levels in product(*(range(1, self.shape[a]) for a in face)):
                at = dict(zip(face, levels))
                place = tuple(at.get(a, 0) if a in margin else slice(None) for a in range(len(self.shape)))
                rows.append((face, levels, margin, np.ascontiguousarray(index[place]).reshape(-1)))
        return rows

    @cached_property
    def matrix(self) -> tuple[Ints, Ints]:
        """The rows of `equations` in compressed form: starts and cells."""
        cells = [row[3] for row in self.equations]
        starts = np.concatenate([[0], np.cumsum([c.size for c in cells])]).astype(np.int64)
        return starts, np.concatenate(cells).astype(np.int64)

    def right_side(self, margins: Mapping[Axes, Ints]) -> Ints:
        """The counts that the rows of `equations` must sum to."""
        values = []
        for face, levels, margin, _ in self.equations:
            at = dict(zip(face, levels))
            values.append(int(margins[margin][tuple(at.get(a, 0) for a in margin)]))
        return np.array(values, np.int64)

    def multiply(self, x: NDArray[np.int64]) -> Ints:
        """What the rows of `equations` sum to in table x."""
        starts, cells = self.matrix
        return np.asarray(np.add.reduceat(x[cells], starts[:-1]), np.int64)

    def complete(self, x: Ints, right_side: Ints) -> Ints:
        """Keep the free cells of x and set the others so that the margins hold; counts may become negative."""
        x = x.copy()
        for (_, _, _, cells), value in zip(self.equations, right_side):
            x[cells[0]] = 0
            x[cells[0]] = value - x[cells].sum()
        return x

    @cached_property
    def free(self) -> Ints:
        """Cells whose support is not a face: the coordinates of the lattice."""
        faces = set(self.faces)
        chosen = [c for c, row in enumerate(self.levels) if tuple(np.nonzero(row)[0].tolist()) not in faces]
        return np.array(chosen, np.int64)

    @cached_property
    def coordinates(self) -> Ints:
        """Integer matrix C with x = x° + C (x[free] − x°[free]) for any two tables x, x° with the same margins."""
        matrix = np.zeros((self.size, self.free.size), np.int64)
        matrix[self.free, np.arange(self.free.size)] = 1
        for _, _, _, cells in self.equations:
            matrix[cells[0]] = -matrix[cells[1:]].sum(axis=0)
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
