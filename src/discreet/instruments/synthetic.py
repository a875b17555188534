"""Synthetic tables: random tables with given margins, and which of their cells the margins leave no choice about.

A draw depends on the margins only, so it tells nothing that they do not tell. But where they pin a cell (least and
greatest count are the same), every table with the margins has the true count there: a synthetic table that is passed
on as harmless then carries the truth. So it is looked up which cells are pinned, by the bounds of all cells, and what
happens is the caller's choice: `pinned="refuse"` gives no table where a count of 1 to `sensitive` is pinned, or where
that could not be ruled out in time; `pinned="say"` gives it and says which cells are as they were. A table that the
margins determine altogether is never given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InfeasibleError, InputError, UnsafeReleaseError, at_least, whole
from discreet.tables.bounds.split import Split, whole_state
from discreet.tables.bounds.whole_table import Solution, first_tables, solve, solve_parts
from discreet.tables.draw.counting import Enumeration
from discreet.tables.draw.sampling import LostError, OutOfTimeError, RandomWalk, default_steps, match_persons
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Margins, Table
from discreet.tables.theory.northwest_corner import join_tables
from discreet.work import Deadline, ProgressCallback, Reporter, with_bar

if TYPE_CHECKING:
    from discreet.instruments.simulation import Simulation

Flags = NDArray[np.bool_]
Distribution = Literal["uniform", "loglinear"]
Pinned = Literal["refuse", "say"]
DISTRIBUTIONS, PINNED = get_args(Distribution), get_args(Pinned)
WALK_LIMIT = 1 << 16
# Larger tables are looked at only where the drawn table is not empty: what is pinned at 1 or more is not empty there.
ALL_CELLS = 1 << 22
# Seconds for the bounds of all cells, where no time limit is given.
BOUNDING = 30.0
PERSONS = 1 << 27
# Up to so many cells, and with so much work, the tables are counted also where none is picked by its number.
COUNTED, COUNTING = 4096, 200_000
LISTED = 1000


@dataclass(frozen=True, eq=False)
class Synthetic(Table):
    """A drawn table. `pinned` marks the cells that the margins fix, `undecided` those of which that is not known.

    Both are in the order of the flat counts (of the non-empty cells, where the table is kept as coordinates; none of
    the others is pinned at a count above 0). `tables` is the number of tables with the margins, where it was counted.
    """

    pinned: Flags = field(default_factory=lambda: np.zeros(0, np.bool_), repr=False)
    undecided: Flags = field(default_factory=lambda: np.zeros(0, np.bool_), repr=False)
    tables: int | None = None

    def result(self, margins: Margins) -> Simulation:
        """The table with the margins it was drawn from, as a result: a page, its words and its check."""
        from discreet.instruments.simulation import Simulation

        return Simulation(self, margins)

    def notices(self) -> list[str]:
        """What a reader must know: which counts are the true ones because the margins leave no other."""
        said = []
        told = int((self.pinned & (self.counts.reshape(-1) > 0)).sum())
        if self.pinned.any():
            said.append(
                f"{int(self.pinned.sum())} of {self.size} cells could not be changed: the margins fix them "
                f"({told} of them are not empty)"
            )
        if self.undecided.any():
            said.append(f"of {int(self.undecided.sum())} cells it is not known whether the margins fix them")
        return said

    def unchanged(self) -> list[dict[str, Any]]:
        """The cells that are not empty and that the margins fix, with their counts; the first thousand."""
        chosen = np.flatnonzero(self.pinned & (self.counts.reshape(-1) > 0))[:LISTED]
        found = []
        for c in chosen.tolist():
            place = np.unravel_index(c, self.shape) if self.coordinates is None else self.coordinates[c]
            labels = {name: str(levels[int(i)]) for name, levels, i in zip(self.names, self.categories, place)}
            found.append({**labels, "count": int(self.counts.reshape(-1)[c])})
        return found


@with_bar
def simulate(
    margins: Margins,
    *,
    random_state: int | None = None,
    distribution: Distribution = "uniform",
    size: int | None = None,
    steps: int | None = None,
    pinned: Pinned = "refuse",
    sensitive: int = 2,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
) -> Any:
    """A random table with these margins, or a list of `size` of them.

    `distribution` is "uniform" over all such tables, or "loglinear": by the conditional law of a log-linear model
    given its sufficient statistics, ∝ Π 1/n!. `steps` of the walk lie between tables (where a walk is needed). A walk
    that is cut short has not the law it should have: where `time_limit` does not suffice, that is an error.

    Margins may fix cells, which then are the true ones in every such table. With `pinned="refuse"` it is an error
    (`UnsafeReleaseError`) where that is so for a count from 1 to `sensitive`, or cannot be ruled out in time; with
    "say" the tables say it themselves (`Synthetic`). Margins that determine the whole table are an error either way.
    """
    faults = Faults()
    faults.check(
        distribution in DISTRIBUTIONS,
        f"unknown distribution {distribution!r}: choose one of {', '.join(DISTRIBUTIONS)}",
    )
    faults.check(pinned in PINNED, f"unknown policy for pinned cells {pinned!r}: choose one of {', '.join(PINNED)}")
    faults.check(at_least(sensitive, 0), "sensitive must be a count, 0 or more")
    faults.check(size is None or at_least(size, 1), "size must be 1 or more")
    faults.check(steps is None or at_least(steps, 1), "steps must be 1 or more")
    faults.raise_if_any()
    draw = _Draw(Deadline(time_limit), Reporter(progress), seed_of(random_state), whole(size) or 1, whole(steps))
    known = _bounded(margins, draw.deadline, draw.report)
    try:
        drawn = draw.uniform(margins) if distribution == "uniform" else draw.by_model(margins)
    except LostError:
        other = " draw with distribution='loglinear' (--distribution), or" if distribution == "uniform" else ""
        raise InputError(
            "there are too few persons in too many cells: a random walk hardly ever comes by a table with these "
            f"margins;{other} take fewer variables, or broader categories"
        ) from None
    except OutOfTimeError:
        more = " or ask for fewer tables" if draw.wanted > 1 else ""
        raise InputError(
            f"{draw.done} of {draw.wanted} tables were drawn within the time limit: allow more time{more}"
        ) from None
    if isinstance(known, Solution):
        drawn = [Table(table.names, table.categories, table.dense()) for table in drawn]
        ends = _of_all(known, drawn)
        told = [_told(table, draw.tables, ends, pinned, sensitive) for table in drawn]
    else:
        told = []
        for table in drawn:
            cells = known.at(_places(table))
            ends = *cells.ends(), *cells.ends(inner=True)
            told.append(_told(table, draw.tables, ends, pinned, int(sensitive)))
    return told[0] if size is None else told


Ends = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _bounded(margins: Margins, deadline: Deadline, report: Reporter) -> Solution | Split:
    """What the margins say about the cells; within half of the time that is left."""
    limit = BOUNDING if deadline.limit is None else min(BOUNDING, deadline.remaining / 2)
    if margins.size <= ALL_CELLS:
        return solve(margins, deadline=Deadline(limit), reporter=report)
    return solve_parts(margins, Deadline(limit), report)


def _places(table: Table) -> NDArray[np.integer[Any]]:
    return np.argwhere(np.ones(table.shape, np.bool_)) if table.coordinates is None else table.coordinates


def _of_all(known: Solution, drawn: list[Table]) -> Ends:
    """Outer and inner bounds of all cells; what was drawn shows how far they reach, too."""
    low, high = known.lower.reshape(-1), known.upper.reshape(-1)
    inner_low, inner_high = known.inner_lower.reshape(-1).copy(), known.inner_upper.reshape(-1).copy()
    for table in drawn:
        seen = table.dense().reshape(-1)
        np.minimum(inner_low, seen, out=inner_low)
        np.maximum(inner_high, seen, out=inner_high)
    return low, high, inner_low, inner_high


def _told(table: Table, tables: int | None, ends: Ends, policy: str, sensitive: int) -> Synthetic:
    """The table with what is known of its cells; refused where the policy says so."""
    low, high, inner_low, inner_high = ends
    pinned = np.asarray(low == high)
    undecided = ~pinned & (inner_low >= inner_high)
    if pinned.all() and pinned.size == table.size:
        raise UnsafeReleaseError(
            "the margins determine every cell: the only table that has them is the original, so none is drawn"
        )
    small = int((pinned & (low >= 1) & (low <= sensitive)).sum())
    perhaps = int((undecided & (high >= 1) & (low <= sensitive)).sum())
    if policy == "refuse" and (small or perhaps):
        what = [f"{small} counts of 1 to {sensitive} are fixed by the margins"] * bool(small)
        what += [f"of {perhaps} cells that may be so small it could not be ruled out in time"] * bool(perhaps)
        raise UnsafeReleaseError(
            f"{'; '.join(what)}: every table with these margins has the true counts there, a synthetic one too. "
            "Release less, or draw it all the same with a list of those cells (pinned='say', --pinned say)"
        )
    found = table.names, table.categories, table.counts, table.coordinates
    return Synthetic(*found, pinned=pinned, undecided=undecided, tables=tables)


@dataclass
class _Draw:
    """One call of `simulate`."""

    deadline: Deadline
    report: Reporter
    seed: int
    wanted: int
    steps: int | None
    done: int = 0
    # How many tables there are, where they were counted.
    tables: int | None = None

    def uniform(self, margins: Margins) -> list[Table]:
        state = whole_with_table(margins, self.deadline, self.report)
        rng = np.random.default_rng(self.seed)
        search = Enumeration(state.lattice, state.right_side, state.lower, state.upper)
        total = search.count(20_000_000)
        if total is not None:
            self.tables = total
            numbers = rng.integers(0, total, self.wanted)
            order = np.argsort(numbers, kind="stable")
            tables = np.empty((self.wanted, state.lattice.size), np.int64)
            tables[order] = search.tables(numbers[order])
        else:
            walk, thin = self._walk(state, self.seed, factorial=False)
            tables = np.array([self._next(walk, thin) for _ in range(self.wanted)])
        return [Table(margins.names, margins.categories, x.reshape(margins.shape)) for x in tables]

    def by_model(self, margins: Margins) -> list[Table]:
        if margins.total > PERSONS:
            raise InputError(
                f"the table has {margins.total} persons, more than the {PERSONS} that can be matched one by one: "
                "draw with distribution='uniform'"
            )
        split = _first_tables(margins, self.deadline, self.report)
        rng = np.random.default_rng(self.seed)
        if margins.size <= COUNTED:
            state = whole_with_table(margins, self.deadline, self.report)
            self.tables = Enumeration(state.lattice, state.right_side, state.lower, state.upper).count(COUNTING)
        walks: dict[int, tuple[RandomWalk, int]] = {}
        for j, part in enumerate(split.parts):
            if part.state is not None:
                walks[j] = self._walk(part.state, int(rng.integers(1 << 62)), factorial=True)
        drawn = []
        for _ in range(self.wanted):
            tables = []
            for j, part in enumerate(split.parts):
                if part.state is None:
                    tables.append(part.table())
                else:
                    walk, thin = walks[j]
                    tables.append(walk.sample(thin).reshape(part.state.lattice.shape))
            cells, counts = match_persons(margins.shape, split.tree, tables, rng)
            drawn.append(Table.from_coordinates(cells, counts, margins.names, margins.categories))
            self.done += 1
        return drawn

    def _walk(self, state: AtomState, seed: int, *, factorial: bool) -> tuple[RandomWalk, int]:
        """A walk that has left its start, and the steps between tables."""
        walk = RandomWalk(
            state.lattice,
            state.tables[0],
            state.lower,
            state.upper,
            seed,
            factorial=factorial,
            deadline=self.deadline,
            beat=lambda: self.report("walking", self.done / self.wanted),
        )
        thin = self.steps or default_steps(walk.moves)
        walk.settle(5 * thin)
        return walk, thin

    def _next(self, walk: RandomWalk, thin: int) -> NDArray[np.int64]:
        table = walk.sample(thin)
        self.done += 1
        return table


def _first_tables(margins: Margins, deadline: Deadline, reporter: Reporter) -> Split:
    split = first_tables(margins, deadline, reporter)
    if not all(part.feasible for part in split.parts):
        raise InfeasibleError("no table with these margins was found within the time limit: allow more time")
    return split


def whole_with_table(margins: Margins, deadline: Deadline, reporter: Reporter) -> AtomState:
    """The lattice of the whole table with its bounds by shuttle and a first table."""
    if margins.size > WALK_LIMIT:
        raise InputError(
            f"the table has {margins.size} cells, more than the {WALK_LIMIT} that can be walked or counted: "
            "simulate with distribution='loglinear', or take fewer variables"
        )
    split = _first_tables(margins, deadline, reporter)
    state = whole_state(margins)
    tables, cell = [part.table() for part in split.parts], [0] * len(margins.shape)
    if not state.admit(join_tables(margins.shape, split.tree, tables, cell, 1).reshape(-1)):
        raise AssertionError("joined tables must have the margins")
    return state


def seed_of(random_state: int | None) -> int:
    number = 0 if random_state is None else whole(random_state)
    if number is None or not 0 <= number < 1 << 62:
        raise InputError("random_state must be a whole number, 0 or more and below 2^62")
    return number
