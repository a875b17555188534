"""Questions about some cells of a table that is known: do they keep bounds `width` apart? What are their bounds?

By Theorem 2 of Dobra and Fienberg the bounds of a cell follow from those of its projections on the atoms of the
released margins (`split`). Bounds from outside that are closer than w prove that a cell is too narrow, two tables that
differ there by w or more that it is wide enough. The true table is a first witness of everything. Others are collected
by group moves on larger atoms (`sharpen/reach`), from short searches for all cells to long ones for those that are
left; on a random walk and by short jumps; then `one_atom` is run where the atom is not too large for it. Each atom is
told which of its cells the question still depends on (`wanted` of its state): sides of the others do not count as open,
and work ends when none is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.kernels.randoms import seeded
from discreet.tables.bounds.one_atom import Effort, Sharpener
from discreet.tables.bounds.split import Part, split_margins
from discreet.tables.bounds.whole_table import SEARCH_LIMIT
from discreet.tables.draw.sampling import RandomWalk
from discreet.tables.sharpen.exchange import Exchange
from discreet.tables.sharpen.fibre_search import jump
from discreet.tables.sharpen.linear_program import LinearProgram
from discreet.tables.sharpen.reach import GroupWalk
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints, Table
from discreet.tables.theory.basic_moves import basic_moves
from discreet.tables.theory.graph import Axes
from discreet.work import Deadline, ProgressCallback, Reporter

# What an answer leaves for the next question, when more is released: arrays by name.
Carried = dict[str, Ints]
Flags = NDArray[np.bool_]
Means = Literal["no cells", "known margins", "bounds and witnesses", "exact"]

# Of the tables that are carried, per atom.
CARRIED_BYTES = 8 << 20
# Cells evaluated by a jump; and lines above which an atom is bounded by single margins only.
JUMP_WORK = 2_000_000
SHUTTLE_CELLS = 6_000_000
# A walk that settles no cell for so many legs does not pay.
IDLE_LEGS = 8
# Atoms of more cells are searched by group moves: so many of these, longer and longer for each cell (in cells
# evaluated), with a look at the clock in between. The shuttle is run on what the first search leaves.
REACH_FROM = 512
GROUP_MOVES = 1000
REACH_WORK = (2_000, 20_000, 200_000, 2_000_000, 20_000_000)
REACH_SLICE = 10_000_000
# Where few hold somebody, persons are exchanged instead: so many looked at for each cell, and before the clock.
EXCHANGED_CELLS = 16_000
EXCHANGE_WORK = (300_000, 3_000_000, 30_000_000)
EXCHANGE_SLICE = 3_000_000
# Where nothing exact can be run: cells that a linear program is asked about, and how often exchanges are tried again.
PROGRAM_SIZE, PROGRAM_CELLS, AGAIN = 1 << 23, 3, 64
# Larger counts might wrap around on the way.
REACH_TOTAL = 1 << 40


@dataclass(frozen=True)
class Verdicts:
    """Per cell: proven to be wide enough, proven to be too narrow; by which means; and what can be carried on."""

    wide: Flags
    narrow: Flags
    means: Means
    carried: Carried


@dataclass(frozen=True)
class CellBounds:
    """Outer bounds per cell and whether they are attained."""

    lower: Ints
    upper: Ints
    sharp: Flags


def judge_widths(
    table: Table,
    public: Sequence[Axes],
    cells: Ints,
    width: int,
    carried: Mapping[str, Ints],
    deadline: Deadline,
    progress: ProgressCallback | None = None,
) -> Verdicts:
    """Whether the cells (flat positions) keep bounds `width` apart when these margins are public.

    Ends where one cell is proven to be too narrow. `carried` comes from an answer when less was public.
    """
    if not cells.size:
        nothing = np.zeros(0, np.bool_)
        return Verdicts(nothing, nothing, "no cells", {})
    question = Question(table, public, cells, width)
    question.recall(carried)
    means = question.pursue(deadline, progress)
    wide, narrow = question.settled()
    return Verdicts(wide, narrow, means, question.carry())


def bound_cells(
    table: Table, public: Sequence[Axes], cells: Ints, carried: Mapping[str, Ints], deadline: Deadline
) -> CellBounds:
    """What the public margins say about these cells, as sharply as time allows."""
    if not public or not cells.size:
        top = np.full(cells.size, table.total, np.int64)
        return CellBounds(np.zeros_like(top), top, np.zeros(cells.size, np.bool_))
    question = Question(table, public, cells, None)
    question.recall(carried)
    question.pursue(deadline)
    return CellBounds(*question.cells.ends(), question.settled()[0])


def many_tables(table: Table, public: Sequence[Axes], number: int) -> bool:
    """Whether at least so many tables with these margins are at hand; False says nothing."""
    split = split_margins(table.margins([[table.names[a] for a in axes] for axes in public]))
    found = 1
    for part in split.parts:
        if part.state is not None and found < number:
            own = table.margin([table.names[a] for a in part.axes]).dense().reshape(-1)
            found <<= Exchange(part.state.lattice, own).apart((number // found).bit_length())
    return found >= number


class Question:
    """Do these cells keep bounds `width` apart, given these margins of the table? With no width: what are they?"""

    def __init__(self, table: Table, public: Sequence[Axes], cells: Ints, width: int | None) -> None:
        self._table, self._width, self._count = table, width, cells.size
        self.split = split_margins(table.margins([[table.names[a] for a in axes] for axes in public]))
        self.cells = self.split.at(np.stack(np.unravel_index(cells, table.shape), axis=1))
        self._left = -1
        for state in self.split.states():
            state.moved = self._review

    def recall(self, carried: Mapping[str, Ints]) -> None:
        """Start from the true table, from earlier bounds, which still hold, and from what tables there are."""
        for part, state in self._open_parts():
            state.admit(self._table.margin([self._table.names[a] for a in part.axes]).dense().reshape(-1))
            key = _key(part)
            arrays = {name.removeprefix(key): values for name, values in carried.items() if name.startswith(key)}
            if arrays:
                state.recall(arrays)
            self._bound(state, 0 if self._width is not None and state.lattice.size > REACH_FROM else SHUTTLE_CELLS)

    def carry(self) -> Carried:
        """What `recall` starts from next time. Tables of large atoms hardly ever have another margin as well."""
        return {
            _key(part) + name: values
            for part, state in self._open_parts()
            if state.lattice.size <= SEARCH_LIMIT
            for name, values in state.to_arrays(CARRIED_BYTES).items()
        }

    def settled(self) -> tuple[Flags, Flags]:
        """Which cells are proven to be wide enough (sharp, where no width is asked for), which too narrow."""
        (low, high), (inner_low, inner_high) = self.cells.ends(), self.cells.ends(inner=True)
        if self._width is None:
            return (low == inner_low) & (high == inner_high), np.zeros(self._count, np.bool_)
        return inner_high - inner_low >= self._width, high - low < self._width

    def _review(self) -> None:
        """Tell each atom on which of its cells the question still depends; it never comes to depend on more."""
        done, failed = self.settled()
        left = np.zeros(0, np.int64) if failed.any() else np.flatnonzero(~done)
        if left.size == self._left:
            return
        self._left = left.size
        for part, place in zip(self.split.parts, self.cells.places):
            if part.state is not None:
                part.state.wanted[:] = False
                part.state.wanted[place[left]] = True

    def pursue(self, deadline: Deadline, progress: ProgressCallback | None = None) -> Means:
        """Work until the question is settled or time is up; by which means it was."""
        means: Means = "bounds and witnesses" if any(self.split.states()) else "known margins"
        if self._width is not None and self._width <= self._table.total <= REACH_TOTAL:
            self._reach([s for s in self.split.states() if s.lattice.size > REACH_FROM], self._width, deadline)
        for state in self.split.states():
            if deadline.passed:
                break
            if state.lattice.size > SEARCH_LIMIT and self._width is not None:
                self._insist(state, self._width, deadline)
            if state.lattice.size > SEARCH_LIMIT or not state.open_count:
                continue
            if self._width is not None:
                self._wander(state, deadline)
                if state.open_count:
                    self._stretch(state, self._width, deadline)
            if state.open_count:
                means = "exact"
                Sharpener(state, deadline, Reporter(progress), Effort()).run()
        return means

    def _reach(self, states: Sequence[AtomState], width: int, deadline: Deadline) -> None:
        """Tables far apart at each cell that is left, by longer and longer searches; the shuttle after the first."""
        walks = [GroupWalk(state.lattice, state.tables[0], GROUP_MOVES) for state in states]
        for work in REACH_WORK:
            for state, walk in zip(states, walks):
                cells = np.flatnonzero(state.wanted)
                while cells.size and not deadline.passed:
                    low, high = state.inner_lower.copy(), state.inner_upper.copy()
                    done = walk.reach(cells, width, low, high, work, REACH_SLICE)
                    state.meet(walk.x, low, high)
                    cells = cells[done:]
                    cells = cells[state.wanted[cells]]
                if work == REACH_WORK[0] and state.open_count and not deadline.passed:
                    self._bound(state, SHUTTLE_CELLS)
                    if np.count_nonzero(state.tables[0]) <= EXCHANGED_CELLS:
                        self._exchange(state, width, EXCHANGE_WORK, 0, deadline)

    def _insist(self, state: AtomState, width: int, deadline: Deadline) -> None:
        """What else there is for a large atom: proofs by linear programs of too narrow cells, and more searches."""
        open_cells = np.flatnonzero(state.wanted)
        if open_cells.size and state.lattice.size * len(state.lattice.generators) <= PROGRAM_SIZE:
            program = LinearProgram(state)
            for cell in open_cells[:PROGRAM_CELLS].tolist():
                known = {
                    1: state.upper[cell] == state.inner_upper[cell],
                    -1: state.lower[cell] == state.inner_lower[cell],
                }
                for side in (1, -1):
                    if state.wanted[cell] and not known[side] and not deadline.passed:
                        program.extreme(cell, side, deadline)
        for seed in range(1, AGAIN + 1):
            if not state.wanted.any() or deadline.passed:
                return
            self._exchange(state, width, EXCHANGE_WORK[-1:], seed, deadline)

    def _exchange(self, state: AtomState, width: int, efforts: Sequence[int], seed: int, deadline: Deadline) -> None:
        """Tables far apart at each cell that is left, by exchanges of persons."""
        people = Exchange(state.lattice, state.tables[0], seed)
        for work in efforts:
            cells = np.flatnonzero(state.wanted)
            while cells.size and not deadline.passed:
                low, high = state.inner_lower.copy(), state.inner_upper.copy()
                done = people.reach(cells, width, low, high, work, EXCHANGE_SLICE)
                state.meet(state.tables[0], low, high)
                cells = cells[done:]
                cells = cells[state.wanted[cells]]

    def _bound(self, state: AtomState, lines: int) -> None:
        """Bounds from the single margins and, on so many lines at most, from the shuttle."""
        if not state.shuttle(lines):
            raise AssertionError("the margins of a table contradict each other")

    def _wander(self, state: AtomState, deadline: Deadline) -> None:
        """Collect witnesses on a random walk from the true table, each for every cell, as long as it pays.

        The walk is held inside the bounds by a price that it practically never pays.
        """
        try:
            walk = RandomWalk(state.lattice, state.tables[0], state.lower, state.upper, 1)
        except InputError:  # too many moves to walk at random
            return
        walk.penalty = 1e-9
        steps = max(1000, walk.moves.count // 4)
        left, idle = np.count_nonzero(state.wanted), 0
        while left and idle < IDLE_LEGS and not walk.stuck and not deadline.passed:
            walk.advance(steps)
            state.admit(walk.x)
            before, left = left, np.count_nonzero(state.wanted)
            idle = 0 if left < before else idle + 1

    def _stretch(self, state: AtomState, width: int, deadline: Deadline) -> None:
        """For each cell that is left, look for a table just far enough from one that is known: up, else down."""
        moves, random = basic_moves(state.lattice, state.lower == state.upper), seeded(2)
        for cell in np.flatnonzero(state.wanted):
            for side in (1, -1):
                if deadline.passed or not state.wanted[cell]:
                    break
                low, high = state.lower.copy(), state.upper.copy()
                if side > 0:
                    low[cell] = state.inner_lower[cell] + width
                else:
                    high[cell] = state.inner_upper[cell] - width
                if low[cell] <= high[cell]:
                    x = state.witness(int(cell), side).copy()
                    if jump(x, low, high, moves, JUMP_WORK, random):
                        state.admit(x)
        state.compact()

    def _open_parts(self) -> Iterator[tuple[Part, AtomState]]:
        return ((part, part.state) for part in self.split.parts if part.state is not None)


def _key(part: Part) -> str:
    return "atom-" + "-".join(map(str, part.axes)) + "."
