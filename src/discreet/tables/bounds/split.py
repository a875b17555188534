"""Margins split at released separators: one part per atom, its counts or what is known of it.

Bounds of the parts are bounds of the table by Theorem 2 (`theory/frechet_theorem_2`): outer from outer, attained from
attained. They can be asked for every cell, or for some of a table that is too large for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.tables.bounds.feasibility import raise_infeasible
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints, Margins, project
from discreet.tables.theory.agreement import reduced_margins
from discreet.tables.theory.frechet_theorem_2 import combine, combine_at, separator_counts
from discreet.tables.theory.graph import Axes, Decomposition, decompose
from discreet.tables.theory.lattice import Lattice, lattice_of

Shape = tuple[int, ...]
# Lattices of more cells are not kept for others who ask for the same one.
SHARED_CELLS = 1 << 18


@dataclass(frozen=True)
class Part:
    """One atom: its variables, the margins inside it (axes numbered within it), its counts or its state."""

    axes: Axes
    margins: Mapping[Axes, Ints]
    counts: Ints | None = None
    state: AtomState | None = None

    @property
    def feasible(self) -> bool:
        """Whether a table of the atom is at hand."""
        return self.state is None or self.state.feasible

    def ends(self, *, inner: bool = False) -> tuple[Ints, Ints]:
        """Least and greatest count of each cell: outer bounds, or what tables reach."""
        if self.state is None:
            assert self.counts is not None
            return self.counts, self.counts
        state, shape = self.state, self.state.lattice.shape
        low, high = (state.inner_lower, state.inner_upper) if inner else (state.lower, state.upper)
        return low.reshape(shape), high.reshape(shape)

    def table(self) -> Ints:
        """The first table of the atom that was found."""
        if self.state is None:
            assert self.counts is not None
            return self.counts
        return self.state.tables[0].reshape(self.state.lattice.shape)


@dataclass(frozen=True, eq=False)
class Split:
    """The parts of a table, the tree that joins them, and the margins that were split."""

    shape: Shape
    tree: Decomposition
    parts: tuple[Part, ...]
    margins: Mapping[Axes, Ints]

    def states(self) -> Iterator[AtomState]:
        """Of the parts that are not released."""
        return (part.state for part in self.parts if part.state is not None)

    def ends(self, *, inner: bool = False) -> tuple[Ints, Ints]:
        """Bounds of every cell; inner ones are below and above every count where a part has no table."""
        if inner and not all(part.feasible for part in self.parts):
            return _unattained(self.shape, self.margins)
        low, high = zip(*(part.ends(inner=inner) for part in self.parts))
        return combine(self.shape, self.tree, low, high, self.margins)

    def at(self, codes: NDArray[np.integer[Any]]) -> Cells:
        """Some cells, given by category numbers, one row each."""
        return Cells(self, codes)


class Cells:
    """Where some cells of a table fall in its parts, and the counts on separators there."""

    def __init__(self, split: Split, codes: NDArray[np.integer[Any]]) -> None:
        self._split, self._size = split, len(codes)
        tree, counts = split.tree, separator_counts(split.tree, split.margins)
        self.places = [_flat(codes, atom, tuple(split.shape[a] for a in atom)) for atom in tree.atoms]
        self._separators = [
            values.reshape(-1)[_flat(codes, axes, values.shape)] for axes, values in zip(tree.separators[1:], counts)
        ]
        self._released = [
            None if part.counts is None else part.counts.reshape(-1)[place]
            for part, place in zip(split.parts, self.places)
        ]

    def ends(self, *, inner: bool = False) -> tuple[Ints, Ints]:
        """As `Split.ends`, of these cells."""
        if inner and not all(part.feasible for part in self._split.parts):
            return _unattained((self._size,), self._split.margins)
        low: list[Ints] = []
        high: list[Ints] = []
        for part, place, released in zip(self._split.parts, self.places, self._released):
            if released is not None:
                low.append(released)
                high.append(released)
                continue
            least, most = part.ends(inner=inner)
            low.append(least.reshape(-1)[place])
            high.append(most.reshape(-1)[place])
        return combine_at(low, high, self._separators)


def split_margins(margins: Margins) -> Split:
    """The parts of these margins; of those that are not released nothing is known yet."""
    values = reduced_margins(margins)
    tree = decompose(len(margins.shape), values, reduced=True)
    parts = []
    for j, atom in enumerate(tree.atoms):
        parts.append(open_part(atom, margins_inside(tree, j, values), tuple(margins.shape[a] for a in atom)))
    return Split(margins.shape, tree, tuple(parts), values)


def margins_inside(tree: Decomposition, number: int, values: Mapping[Axes, Ints]) -> dict[Axes, Ints]:
    """What the margins say inside an atom, axes numbered within it."""
    atom = tree.atoms[number]
    inside: dict[Axes, Ints] = {}
    for axes in tree.generators_of(number):
        counts = values[axes] if axes in values else project(values, axes)
        assert counts is not None
        inside[axes if len(atom) == tree.variables else tuple(atom.index(a) for a in axes)] = counts
    return inside


def open_part(atom: Axes, inside: dict[Axes, Ints], shape: Shape) -> Part:
    """The counts of an atom where its margins are the atom itself; else a state that knows nothing yet."""
    everything = tuple(range(len(atom)))
    if everything in inside:
        return Part(atom, inside, counts=inside[everything])
    if prod(shape) == 1:
        return Part(atom, inside, counts=next(iter(inside.values())).sum(dtype=np.int64).reshape(shape))
    return Part(atom, inside, state=_state_of(shape, inside))


def whole_state(margins: Margins) -> AtomState:
    """The whole table as one atom, with bounds by the shuttle."""
    values = reduced_margins(margins)
    state = _state_of(margins.shape, values)
    if not state.shuttle():
        raise_infeasible(margins, tuple(range(len(margins.shape))), values, proven="real")
    return state


def outer_bounds(margins: Margins) -> tuple[Ints, Ints]:
    """Bounds of every cell, quickly: proven by the shuttle and Theorem 2, perhaps not sharp."""
    split = split_margins(margins)
    for part in split.parts:
        if part.state is not None and not part.state.shuttle():
            raise_infeasible(margins, part.axes, part.margins, proven="real")
    return split.ends()


def _state_of(shape: Shape, inside: Mapping[Axes, Ints]) -> AtomState:
    generators = tuple(inside)
    if prod(shape) <= SHARED_CELLS:
        lattice = lattice_of(shape, generators, reduced=True)
    else:
        lattice = Lattice(shape, generators, reduced=True)
    return AtomState(lattice, {g: inside[g] for g in lattice.generators})


def _unattained(shape: Shape, margins: Mapping[Axes, Ints]) -> tuple[Ints, Ints]:
    total = int(next(iter(margins.values())).sum())
    return np.full(shape, total + 1, np.int64), np.full(shape, -1, np.int64)


def _flat(codes: NDArray[np.integer[Any]], axes: Axes, shape: Shape) -> Ints:
    """Where cells fall in the margin over some axes."""
    if not axes:
        return np.zeros(len(codes), np.int64)
    return np.asarray(np.ravel_multi_index(tuple(codes[:, a] for a in axes), shape), np.int64)
