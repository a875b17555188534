"""Sharp integer bounds of one atom: every side closed by a proof from outside and a table from inside.

Outside: the shuttle; for sides still open the linear program, its dual bound evaluated in integers and rounded; then
probing (pin the cell at its bound, run the shuttle, step by one at a contradiction); at last CP-SAT, which proves that
the cell cannot have its bound. Inside: every table found counts for every cell. Tables come from integral vertices,
and from search in the fibre: descend from a known table to the vertex, then jump into the box in which the cell is
pinned at its bound. Rounded linear programs alone are not sharp (Rochdale, all 3-way margins: 15, the truth is 14).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.randoms import scaled_below, seeded
from discreet.tables.sharpen.fibre_search import Sweep, descend, jump
from discreet.tables.sharpen.first_table import Found, first_table
from discreet.tables.sharpen.integer_program import IntegerSearch
from discreet.tables.sharpen.linear_program import LinearProgram
from discreet.tables.sharpen.pivots import FRACTIONAL
from discreet.tables.sharpen.simplex_walk import SimplexWalk
from discreet.tables.sharpen.whole_tables import DIVES
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Ints
from discreet.tables.theory.basic_moves import Moves, basic_moves
from discreet.tables.theory.dictionary import dictionary
from discreet.tables.update.margin_walk import LEFT, WALK_UP_TO, MarginWalk
from discreet.tables.update.prior import Prior
from discreet.work import Deadline, Reporter

Floats = NDArray[np.float64]

# Cells evaluated by each jump of a sweep; longer ones only on tables where a linear program costs more.
SWEEPS = (2_000, 10_000, 50_000)
SWEEP_PER_CELL = 300
# On larger tables short jumps from tables that are not old ones are mostly in vain.
AGAIN_UP_TO = 500
# Between two looks at the clock, and for the tables of one sweep.
SWEEP_WORK = 20_000_000
SWEEP_BYTES = 1 << 28
# On smaller tables a linear program is cheaper than a failed attempt to reach the shuttle's bound.
SEARCH_FROM = 128
# Entries of dictionaries between two looks at the clock; steps after which a walk is given up.
WALK_WORK = 1_000_000
WALK_LIMIT = 1000
# Steps per side beyond which old tables are left to other means: they are too far off.
CARRY_PIVOTS = 24


@dataclass(frozen=True)
class Effort:
    """How long each means is tried before the next; searches in cells evaluated, so that runs repeat."""

    # A search for a side at the shuttle's bound, before any linear program.
    brief: int = 500_000
    # From a known table, or from near a vertex of the linear program.
    short: int = 1_500_000
    # Where all else has failed.
    long: int = 12_000_000
    # With more open sides than this after the linear programs, CP-SAT's tables come before long searches.
    many: int = 40
    # Whether CP-SAT may be asked, and seconds for each question.
    integer: bool = True
    integer_limit: float = 20.0
    # Stop at a first table.
    first_only: bool = False


class Sharpener:
    """Closes the sides of a state until none is open or time is up."""

    def __init__(self, state: AtomState, deadline: Deadline, reporter: Reporter, effort: Effort) -> None:
        self.state = state
        self.deadline = deadline
        self.report = reporter
        self.effort = effort
        self.integer = IntegerSearch(allowed=effort.integer, limit=effort.integer_limit)
        self.random = seeded(20)
        self.prior: Prior | None = None
        self.located = False
        self.pinned = int(np.count_nonzero(state.lower == state.upper))

    @cached_property
    def moves(self) -> Moves:
        return basic_moves(self.state.lattice, self.state.lower == self.state.upper)

    def run(self, prior: Prior | None = None, *, again: bool = False) -> Found:
        """ "found" with bounds as sharp as time allowed, or what `first_table` said.

        `again` says that less was released before; `prior` has the tables of then, where they are of these cells.
        """
        state = self.state
        if prior is not None:
            self.prior = prior
            if not self._walk_to_margin(prior):
                self._sweeps(prior)
        found = first_table(state, self.integer, self.deadline)
        if found != "found":
            return found
        if not state.open_count:
            state.compact()
            return "found"
        small = state.lattice.size < SEARCH_FROM
        # Without old tables a larger one is a start like any other.
        again = again and (prior is not None or state.lattice.size <= AGAIN_UP_TO)
        stages = [self._linear, self._wide, self._last]
        if again and (prior is None or not small):
            self._sweeps(None)
        if not small:
            # What old tables do not reach has mostly moved: the linear program says where to.
            stages[:0] = [self._locate, self._brief_search] if again else [self._brief_search]
        for stage in stages:
            if self.deadline.passed or not state.open_count:
                break
            stage()
        if self.deadline.passed and state.open_count:
            state.reasons.add("the time limit was reached")
        state.compact()
        return "found"

    def _walk_to_margin(self, prior: Prior) -> bool:
        """Walks from the old tables to the new margins, where the table is small; whether it is."""
        state = self.state
        if state.lattice.size > WALK_UP_TO:
            return False
        walk = MarginWalk(state, prior.old, prior.tables)
        if not walk.possible:
            return False
        cells, sides = state.open_arrays()
        portion = max(1, WALK_WORK // (walk.entries + 1))
        patience = WALK_LIMIT if state.lattice.size < SEARCH_FROM else CARRY_PIVOTS
        for i in range(0, cells.size, portion):
            if self.deadline.passed:
                break
            self.report("search", i / cells.size, open=float(cells.size - i))
            sweep = self._sweep_of(cells[i : i + portion], sides[i : i + portion])
            ends = walk.run(sweep, WALK_LIMIT, DIVES, self.random, patience)
            state.work["pivots"] += sweep.tried
            state.tighten(sweep.lower, sweep.upper)
            state.admit_all(sweep.fresh)
            if ends[-1] == LEFT:
                break
        return True

    def _sweeps(self, prior: Prior | None) -> None:
        """Short jumps to all open sides, longer ones as long as they pay; from the old tables where they are given."""
        state = self.state
        for budget in SWEEPS if state.lattice.size >= SEARCH_FROM else SWEEPS[:1]:
            todo = state.open_sides()
            if not todo or budget > SWEEP_PER_CELL * state.lattice.size:
                return
            portion = max(1, min(SWEEP_WORK // budget, SWEEP_BYTES // (8 * state.lattice.size)))
            for i in range(0, len(todo), portion):
                if self.deadline.passed or 8 * len(state.tables) * state.lattice.size > SWEEP_BYTES:
                    return
                self.report("search", i / len(todo), open=float(len(todo)))
                self._sweep(todo[i : i + portion], budget, prior)
            if 4 * (len(todo) - state.open_count) < len(todo):
                return

    def _sweep(self, todo: list[tuple[int, int]], budget: int, prior: Prior | None) -> None:
        """One jump to each of these sides that is still open."""
        sweep = self._sweep_of(*np.array(todo, np.int64).T.copy())
        if prior is None:
            sweep.run(self.moves, budget, self.random)
        else:
            source = prior.source(sweep.cells, sweep.sides)
            sweep.run(self.moves, budget, self.random, source, prior.tables, prior.lift(self.state))
        self.state.work["jumps"] += sweep.tried
        self.state.admit_all(sweep.fresh)

    def _sweep_of(self, cells: Ints, sides: Ints) -> Sweep:
        """What is known, copied, with space for one more table per side."""
        state = self.state
        known = len(state.tables)
        return Sweep(
            cells, sides, state.lower.copy(), state.upper.copy(), state.inner_lower.copy(), state.inner_upper.copy(),
            state.low_witness.copy(), state.high_witness.copy(), state.stack(cells.size), known, known,
        )  # fmt: skip

    def _brief_search(self) -> None:
        """A short try to reach the shuttle's bounds, as long as it pays."""
        tried = won = 0
        for cell, side in self.state.open_sides():
            if self.deadline.passed:
                return
            if not self.state.is_open(cell, side):
                continue
            tried += 1
            won += self._pursue(cell, side, self.effort.brief)
            if (tried >= 12 and won * 4 < tried) or (self.located and tried >= 4 and won * 2 < tried):
                return

    def _locate(self) -> None:
        """Bounds of the linear program for all open sides, and tables where its vertices are whole."""
        self._walk(dives=0)
        self.located = True

    def _walk(self, dives: int = DIVES) -> dict[tuple[int, int], Floats]:
        """Walks along edges to all open sides, where the table is small; the vertices at which those left open end."""
        state = self.state
        found: dict[tuple[int, int], Floats] = {}
        known = dictionary(state.lattice, state.lower == state.upper)
        if known is None:
            return found
        state.known = known
        walk = SimplexWalk(known, state.lower, state.upper)
        todo = state.open_sides()
        portion = max(1, WALK_WORK // (walk.entries + 1))
        for i in range(0, len(todo), portion):
            if self.deadline.passed:
                break
            self.report("linear programs", i / len(todo), open=float(state.open_count))
            sweep = self._sweep_of(*np.array(todo[i : i + portion], np.int64).T.copy())
            ends, vertices = walk.run(sweep, WALK_LIMIT, dives, self.random)
            state.work["pivots"] += sweep.tried
            state.tighten(sweep.lower, sweep.upper)
            state.admit_all(sweep.fresh)
            for side, end, vertex in zip(todo[i : i + portion], ends, vertices):
                if end == FRACTIONAL:
                    found[side] = vertex
        return found

    def _linear(self) -> None:
        state = self.state
        if not state.propagate():
            raise AssertionError("proven bounds contradict a table that was found")
        walked = self._walk()
        todo = state.open_sides()
        program = LinearProgram(state) if any(side not in walked for side in todo) else None
        guided = led = 0
        for i, (cell, side) in enumerate(todo):
            if self.deadline.passed:
                return
            self.report("linear programs", i / len(todo), open=float(state.open_count))
            if not state.is_open(cell, side):
                continue
            vertex = walked.get((cell, side))
            if vertex is None:
                assert program is not None
                vertex = program.extreme(cell, side, self.deadline)
                if vertex is None or not state.is_open(cell, side):
                    continue
            if self._ask_first:
                # The few sides that a further margin leaves open are sooner settled by CP-SAT than by long searches.
                self._pursue(cell, side, self.effort.brief)
                continue
            if self.prior is not None and self._pursue(cell, side, self.effort.brief):
                continue
            if self._pursue(cell, side, self.effort.short, state.witness(cell, side)):
                continue
            # Where vertices are far from whole tables, the way from there is long: go on only while it pays.
            if guided < 10 or led * 5 >= guided:
                guided += 1
                led += self._pursue(cell, side, self.effort.short, self._toward(vertex, cell))
        self._refresh()

    def _start(self, cell: int, side: int, low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where to search from: the furthest table, or the one before the last margin where that is nearer the box."""
        now = self.state.witness(cell, side)
        if self.prior is None:
            return now
        before = self.prior.lifted(self.state, cell, side, low, high)
        near, far = (np.abs(x - x.clip(low, high)).sum() for x in (before, now))
        return before if near <= far else now

    def _toward(self, goal: Floats, cell: int) -> NDArray[np.int64]:
        """A table of the fibre near the vertex of the linear program, cells perhaps outside their bounds."""
        x = self.state.tables[0].copy()
        weights = np.ones(x.size)
        weights[cell] = 4.0
        descend(x, goal, weights, self.moves, 4 * self.effort.short, self.random, self.deadline)
        return x

    def _refresh(self) -> None:
        """Leave out moves through cells that have been pinned since."""
        pinned = self.state.lower == self.state.upper
        if int(pinned.sum()) > self.pinned:
            self.pinned = int(pinned.sum())
            self.__dict__.pop("moves", None)

    def _wide(self) -> None:
        """Tables by CP-SAT: they lie at the bounds of many cells at once, so the first ones close many sides."""
        state, asked, closed = self.state, 0, 0
        while not self.deadline.passed and self.integer.available:
            todo = state.open_sides()
            if len(todo) <= self.effort.many or (asked >= 4 and closed < 4 * asked):
                return
            self.report("integer programs", None, open=float(len(todo)))
            cell, side = todo[int(scaled_below(self.random, len(todo)))]
            self._settle(cell, side, tries=1)
            asked += 1
            closed += len(todo) - state.open_count

    @cached_property
    def _ask_first(self) -> bool:
        """Whether CP-SAT is asked before long searches for the sides that a further margin leaves open."""
        return self.prior is not None and self.state.lattice.free.size <= 256 and self.integer.available

    def _last(self) -> None:
        """Long searches and CP-SAT, first the one that is quicker here: its questions cost little on small lattices."""
        small = self.state.lattice.free.size <= 256 and self.integer.available
        stages = (self._long, self._integer)
        for stage in stages[::-1] if self._ask_first or (small and self.state.open_count > 4) else stages:
            if self.state.open_count:
                stage()

    def _long(self) -> None:
        """Search once more from tables that have come nearer since, then longer, then by small steps."""
        for budget in (self.effort.short, self.effort.long):
            todo = self.state.open_sides()
            for i, (cell, side) in enumerate(todo):
                if self.deadline.passed:
                    return
                self.report("search", i / len(todo), open=float(self.state.open_count))
                if self.state.is_open(cell, side):
                    self._pursue(cell, side, budget, self.state.witness(cell, side))
                if budget == self.effort.long and self.state.is_open(cell, side):
                    self._approach(cell, side)

    def _pursue(self, cell: int, side: int, budget: int, start: NDArray[np.int64] | None = None) -> bool:
        """Search a table with the cell at its outer bound, stepping the bound in where probing refutes it.

        A bound that is refuted twice is far off: the linear program finds its place in one go.
        """
        state = self.state
        for _ in range(2 if budget == self.effort.brief else state.lattice.size):
            if not state.is_open(cell, side):
                return True
            target = state.outer(cell, side)
            box = state.box_at(cell, target)
            if box is None:
                state.bound_side(cell, side, target - side)
                continue
            x = (self._start(cell, side, *box) if start is None else start).copy()
            state.work["jumps"] += 1
            return jump(x, *box, self.moves, budget, self.random, self.deadline) and state.admit(x)
        return not state.is_open(cell, side)

    def _approach(self, cell: int, side: int) -> None:
        """From the best table toward the bound by quarters of the gap."""
        state = self.state
        while state.is_open(cell, side) and not self.deadline.passed:
            x = state.witness(cell, side).copy()
            target, current = state.outer(cell, side), int(x[cell])
            low, high = state.lower.copy(), state.upper.copy()
            nearer = current + side * max(1, abs(target - current) // 4)
            low[cell], high[cell] = min(nearer, target), max(nearer, target)
            state.work["jumps"] += 1
            if not (jump(x, low, high, self.moves, self.effort.short, self.random, self.deadline) and state.admit(x)):
                return

    def _integer(self) -> None:
        state = self.state
        todo = state.open_sides()
        for i, (cell, side) in enumerate(todo):
            if self.deadline.passed:
                return
            self.report("integer programs", i / len(todo), open=float(state.open_count))
            self._settle(cell, side, tries=state.lattice.size)

    def _settle(self, cell: int, side: int, tries: int) -> None:
        """Ask CP-SAT whether the cell can have its outer bound, and step the bound in where it cannot."""
        state = self.state
        while state.is_open(cell, side) and tries > 0 and not self.deadline.passed:
            target = state.outer(cell, side)
            box = state.box_at(cell, target)
            if box is None:
                state.bound_side(cell, side, target - side)
                continue
            tries -= 1
            answer = self.integer.table(state, *box, self.deadline.remaining)
            if answer == "infeasible":
                state.bound_side(cell, side, target - side)
                self._pursue(cell, side, self.effort.short, state.witness(cell, side))
            elif answer == "unknown":
                if self.integer.available:
                    state.reasons.add("the integer solver gave up on some sides within its own time limit")
                return
