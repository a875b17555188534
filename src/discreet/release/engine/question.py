"""Questions about cells, put to the atoms of the released margins.

By Theorem 2 of Dobra and Fienberg the bounds of a cell follow from those of its projections on the atoms, outer from
outer, attained from attained. An atom that is itself released is known. For the others witnesses are collected on a
walk and by short jumps, then the room's sharpener is run; but only on the sides that the question still depends on, and
no longer than until it is settled: two tables that are far enough apart, or bounds that are too close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.tables.chance import seeded
from discreet.tables.draw.sampling import Walk
from discreet.tables.exact import Effort, Sharpener
from discreet.tables.outer.shuttle import line_cells
from discreet.tables.sharpen.fibre_search import jump
from discreet.tables.solve import SEARCH_LIMIT
from discreet.tables.state.atom import SHUTTLE, State
from discreet.tables.table import Ints, Table, project
from discreet.tables.theory.basic_moves import basic_moves
from discreet.tables.theory.frechet_theorem_2 import separator_counts, spread
from discreet.tables.theory.graph import Axes, Decomposition, decompose
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline, ProgressCallback, Reporter

Carried = dict[str, Any]
Flags = NDArray[np.bool_]

POOL_BYTES = 8 << 20
SEARCH_WORK = 2_000_000
SHUTTLE_CELLS = 6_000_000


@dataclass(frozen=True)
class Assessed:
    """Per sensitive cell: proven to stay wide, proven not to. `carried` is for the next decision."""

    safe: Flags
    unsafe: Flags
    method: str
    carried: Carried


@dataclass(frozen=True)
class Looked:
    """Outer bounds per cell and whether they are attained."""

    lower: Ints
    upper: Ints
    sharp: Flags


class _Atom(State):
    """The state of an atom in which only those sides count as open on which the question still depends."""

    question: Question
    number: int

    def is_open(self, cell: int, side: int) -> bool:
        return super().is_open(cell, side) and bool(self.question.wanted(self.number)[cell])

    def open_sides(self) -> list[tuple[int, int]]:
        wanted = self.question.wanted(self.number)
        highs = [(int(c), 1) for c in np.flatnonzero(wanted & (self.inner_upper < self.upper))]
        lows = [(int(c), -1) for c in np.flatnonzero(wanted & (self.inner_lower > self.lower))]
        return highs + lows

    def shuttle(self) -> bool:
        """The room's shuttle; on large atoms only what single margins say, for the sake of time and memory."""
        shape = self.lattice.shape
        if line_cells(shape) <= SHUTTLE_CELLS:
            return super().shuttle()
        for axes, values in self.margins.items():
            cap = np.broadcast_to(spread(values, axes, len(shape)), shape).reshape(-1)
            self.tighten(self.lower, cap, SHUTTLE)
        return True

    def tighten(self, low: Ints, high: Ints, proof: int) -> None:
        super().tighten(low, high, proof)
        self.question.stale = True

    def cut(self, cell: int, side: int, value: int, proof: int) -> None:
        super().cut(cell, side, value, proof)
        self.question.stale = True

    def admit(self, x: Ints) -> bool:
        self.question.stale = True
        return super().admit(x)


class Question:
    """Do these cells keep bounds `width` apart, given these margins of the table? With no width: what are they?"""

    def __init__(self, table: Table, public: Sequence[Axes], cells: Ints, width: int | None) -> None:
        self.table, self.cells, self.width = table, cells, width
        self.stale = True
        margins = table.margins([[table.names[a] for a in axes] for axes in public])
        self.margins = dict(margins.values)
        self.tree: Decomposition = decompose(len(table.names), self.margins)
        self.places = np.unravel_index(cells, table.shape) if cells.size else ()
        self.atoms: list[_Atom | None] = []
        self.index: list[Ints] = []
        self.known: list[Ints] = []
        for number, atom in enumerate(self.tree.atoms):
            shape = tuple(table.shape[a] for a in atom)
            self.index.append(self._at(atom, shape))
            values = project(self.margins, atom)
            self.known.append(np.zeros(0, np.int64) if values is None else values.reshape(-1)[self.index[-1]])
            self.atoms.append(None if values is not None else self._state(number, atom, shape))
        counts = separator_counts(self.tree, self.margins)
        self.separators = [
            values.reshape(-1)[self._at(axes, values.shape)] for axes, values in zip(self.tree.separators[1:], counts)
        ]

    def _at(self, axes: Axes, shape: tuple[int, ...]) -> Ints:
        """Where the cells fall in the margin over `axes`."""
        if not axes or not self.cells.size:
            return np.zeros(self.cells.size, np.int64)
        return np.asarray(np.ravel_multi_index([self.places[a] for a in axes], shape), np.int64)

    def _state(self, number: int, atom: Axes, shape: tuple[int, ...]) -> _Atom:
        place = {a: i for i, a in enumerate(atom)}
        inside: dict[Axes, Ints] = {}
        for generator in self.tree.generators_of(number):
            values = project(self.margins, generator)
            assert values is not None
            inside[tuple(place[a] for a in generator)] = values
        state = _Atom(Lattice(shape, tuple(inside)), inside)
        state.question, state.number = self, number
        return state

    def recall(self, carried: Carried) -> None:
        """Start from earlier bounds, which still hold, and from the true table, which is a witness of everything."""
        for atom, state in self._open_atoms():
            key = _key(atom)
            if f"{key}.lower" in carried:
                state.tighten(carried[f"{key}.lower"], carried[f"{key}.upper"], SHUTTLE)
            if not state.shuttle():
                raise AssertionError("the margins of a table contradict each other")
            state.admit(self.table.margin([self.table.names[a] for a in atom]).dense().reshape(-1))
            for table in carried.get(f"{key}.tables", ()):
                state.admit(np.array(table, np.int64))

    def carry(self) -> Carried:
        carried: Carried = {}
        for atom, state in self._open_atoms():
            state.compact()
            key = _key(atom)
            carried[f"{key}.lower"], carried[f"{key}.upper"] = state.lower, state.upper
            size = max(1, POOL_BYTES // (8 * state.lattice.size))
            carried[f"{key}.tables"] = np.array(state.pool[:size], np.int64).reshape(-1, state.lattice.size)
        return carried

    def outer(self) -> tuple[Ints, Ints]:
        return self._combine("lower", "upper")

    def inner(self) -> tuple[Ints, Ints]:
        return self._combine("inner_lower", "inner_upper")

    def _combine(self, low_side: str, high_side: str) -> tuple[Ints, Ints]:
        lows, highs = [], []
        for state, index, known in zip(self.atoms, self.index, self.known):
            lows.append(known if state is None else getattr(state, low_side)[index])
            highs.append(known if state is None else getattr(state, high_side)[index])
        low, high = lows[0], highs[0]
        for more, top, separator in zip(lows[1:], highs[1:], self.separators):
            low, high = np.maximum(low + more - separator, 0), np.minimum(high, top)
        return low, high

    def verdict(self) -> tuple[Flags, Flags]:
        """Which cells are proven safe, which proven unsafe."""
        (low, high), (inner_low, inner_high) = self.outer(), self.inner()
        if self.width is None:
            return (low == inner_low) & (high == inner_high), np.zeros(self.cells.size, np.bool_)
        return inner_high - inner_low >= self.width, high - low < self.width

    def wanted(self, number: int) -> Flags:
        """Cells of an atom on which the question still depends."""
        if self.stale:
            self.stale = False
            safe, unsafe = self.verdict()
            open_cells = np.zeros(0, np.int64) if unsafe.any() else np.flatnonzero(~safe)
            self._wanted: list[Flags] = []
            for state, index in zip(self.atoms, self.index):
                flags = np.zeros(0 if state is None else state.lattice.size, np.bool_)
                if state is not None:
                    flags[index[open_cells]] = True
                self._wanted.append(flags)
        return self._wanted[number]

    def pursue(self, deadline: Deadline, progress: ProgressCallback | None = None) -> str:
        """Work until the question is settled or time is up; how it was settled."""
        method = "known margins" if not self._open_atoms() else "bounds and witnesses"
        for _, state in self._open_atoms():
            if deadline.passed:
                break
            if state.lattice.size > SEARCH_LIMIT or not state.open_sides():
                continue
            if self.width is not None:
                self._wander(state, deadline)
            if self.width is not None and state.open_sides():
                self._stretch(state, deadline)
            if state.open_sides():
                method = "exact"
                Sharpener(state, deadline, Reporter(progress), Effort()).run()
        return method

    def _wander(self, state: _Atom, deadline: Deadline) -> None:
        """Collect witnesses on a random walk from the true table, each for every cell, as long as it pays.

        The walk is held inside the bounds by a price that it practically never pays.
        """
        walk = Walk(state.lattice, state.pool[0], state.lower, state.upper, 1)
        walk.penalty = 1e-9
        steps = max(1000, walk.moves.count // 4)
        left, idle = int(self.wanted(state.number).sum()), 0
        while left and idle < 8 and not walk.stuck and not deadline.passed:
            walk.advance(steps)
            state.admit(walk.x)
            before, left = left, int(self.wanted(state.number).sum())
            idle = 0 if left < before else idle + 1

    def _stretch(self, state: _Atom, deadline: Deadline) -> None:
        """For each cell that is left, look for a table just far enough from one that is known: up, else down."""
        assert self.width is not None
        moves, random = basic_moves(state.lattice, state.lower == state.upper), seeded(2)
        for cell in np.flatnonzero(self.wanted(state.number)):
            for side in (1, -1):
                if deadline.passed or not self.wanted(state.number)[cell]:
                    break
                low, high = state.lower.copy(), state.upper.copy()
                if side > 0:
                    low[cell] = state.inner_lower[cell] + self.width
                else:
                    high[cell] = state.inner_upper[cell] - self.width
                if low[cell] <= high[cell]:
                    x = state.witness(int(cell), side).copy()
                    if jump(x, low, high, moves, SEARCH_WORK, random):
                        state.admit(x)
        state.compact()

    def _open_atoms(self) -> list[tuple[Axes, _Atom]]:
        return [(atom, state) for atom, state in zip(self.tree.atoms, self.atoms) if state is not None]


def assess(
    table: Table,
    public: Sequence[Axes],
    cells: Ints,
    width: int,
    carried: Carried,
    deadline: Deadline,
    progress: ProgressCallback | None = None,
) -> Assessed:
    """Whether the cells keep bounds `width` apart when these margins are public."""
    if not cells.size:
        nothing = np.zeros(0, np.bool_)
        return Assessed(nothing, nothing, "no sensitive cells", {})
    question = Question(table, public, cells, width)
    question.recall(carried)
    method = question.pursue(deadline, progress)
    safe, unsafe = question.verdict()
    return Assessed(safe, unsafe, method, question.carry())


def cell_bounds(table: Table, public: Sequence[Axes], cells: Ints, carried: Carried, deadline: Deadline) -> Looked:
    """What the public margins say about these cells, as sharply as time allows."""
    if not public or not cells.size:
        top = np.full(cells.size, table.total, np.int64)
        return Looked(np.zeros_like(top), top, np.zeros(cells.size, np.bool_))
    question = Question(table, public, cells, None)
    question.recall(carried)
    question.pursue(deadline)
    return Looked(*question.outer(), question.verdict()[0])


def _key(atom: Axes) -> str:
    return "atom-" + "-".join(map(str, atom))
