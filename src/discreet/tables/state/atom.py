"""What is known about the cells of one atom: outer bounds that are proven, and tables that show how far they reach.

Outer bounds hold for every table with the margins. Inner bounds are attained by a table that was found. A side of a
cell is sharp where the two meet, open otherwise. Where only some cells are wanted, sides of the others do not count as
open, so that all means leave them alone; who put the question is told whenever something moves, and may want less. The
state can be carried on (another margin, a time limit), saved and loaded; every table that enters is checked against the
margins first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.tables.outer.shuttle import LINES_LIMIT, line_bounds, line_cells, tighten_lines
from discreet.tables.state import sides
from discreet.tables.table import Ints
from discreet.tables.theory.dictionary import Dictionary
from discreet.tables.theory.flat_margins import FlatMargins
from discreet.tables.theory.graph import Axes
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline

Flags = NDArray[np.bool_]

# Of the tables that are kept.
TABLES_BYTES = 1 << 30


class AtomState:
    """Bounds of one table under work, cells in flat order."""

    def __init__(self, lattice: Lattice, margins: Mapping[Axes, Ints]) -> None:
        self.lattice = lattice
        self.margins = dict(margins)
        n = lattice.size
        total = int(next(iter(self.margins.values())).sum())
        self.lower = np.zeros(n, np.int64)
        self.upper = self.lower + total
        self.inner_lower = self.upper + 1
        self.inner_upper = self.lower - 1
        # Cells that are to be bounded, and who is told when bounds or tables have moved, to say which are wanted still.
        self.wanted: Flags = np.ones(n, np.bool_)
        self.moved: Callable[[], None] | None = None
        self.low_witness = self.inner_upper.copy()
        self.high_witness = self.inner_upper.copy()
        self.tables: list[Ints] = []
        self.work: Counter[str] = Counter()
        self.reasons: set[str] = set()
        self.deadline: Deadline | None = None
        self.lines: tuple[Ints, Ints] | None = None
        # A dictionary of the tables, where one was worked out.
        self.known: Dictionary | None = None
        # Margins that the bounds do not know of yet.
        self._news = self.margins
        # Those that they do know of, or margins that are contained in these.
        self._before: tuple[FlatMargins, ...] = ()
        self._full = False
        self._core = tuple(slice(0, size) for size in lattice.shape)

    @cached_property
    def right_side(self) -> Ints:
        """What the lattice's equations sum to."""
        return self.lattice.right_side(self.margins)

    def shuttle(self, limit: int = LINES_LIMIT) -> bool:
        """Bounds by the shuttle, over at most `limit` lines; False where no table has the margins."""
        shape = self.lattice.shape
        flat = self._flat_news
        flat.cap(self.upper)
        if line_cells(shape) > limit:
            self.reasons.add("too many cells for the shuttle: only the released margins bound them")
            self._tell()
            return True
        lines = line_bounds(shape, flat, self.lower, self.upper, self.deadline, self.lines)
        if lines is None:
            return False
        self.lines = lines
        low, high = (bound[self._core].reshape(-1) for bound in lines)
        self.tighten(low, high)
        return True

    def tighten(self, low: Ints, high: Ints) -> None:
        """Take over bounds that hold for every cell."""
        sides.tighten(self.lower, self.upper, low, high)
        self._tell()

    def bound_side(self, cell: int, side: int, value: int) -> None:
        """No table exceeds `value` at the cell."""
        if side > 0:
            self.upper[cell] = min(self.upper[cell], value)
        else:
            self.lower[cell] = max(self.lower[cell], value)
        self._tell()

    def _tell(self) -> None:
        if self.moved is not None:
            self.moved()

    def box_at(self, cell: int, value: int) -> tuple[Ints, Ints] | None:
        """Bounds of all cells if the cell had this value; None where the shuttle finds a contradiction."""
        if self.lines is None:
            low, high = self.lower.copy(), self.upper.copy()
            low[cell] = high[cell] = value
            return low, high
        low, high = self.lines[0].copy(), self.lines[1].copy()
        shape = self.lattice.shape
        np.maximum(low[self._core], self.lower.reshape(shape), out=low[self._core])
        np.minimum(high[self._core], self.upper.reshape(shape), out=high[self._core])
        place = np.unravel_index(cell, shape)
        low[place] = high[place] = value
        self.work["probes"] += 1
        if not tighten_lines(low, high, self.deadline):
            return None
        return low[self._core].reshape(-1), high[self._core].reshape(-1)

    def propagate(self) -> bool:
        """Exchange what has been learned since the last time; False where no table has the margins."""
        if self.lines is None:
            return True
        shape = self.lattice.shape
        for bound, known, pick in (
            (self.lines[0], self.lower, np.maximum),
            (self.lines[1], self.upper, np.minimum),
        ):
            bound[self._core] = pick(bound[self._core], known.reshape(shape))
        if not tighten_lines(*self.lines, self.deadline):
            return False
        self.tighten(self.lines[0][self._core].reshape(-1), self.lines[1][self._core].reshape(-1))
        return True

    def admit(self, x: Ints) -> bool:
        """Take a table into account if it is a non-negative table with the margins; whether it is one."""
        # Sums of cells that are not negative wrap around only where the sum of all does.
        if x.min(initial=0) < 0 or float(x.sum(dtype=np.float64)) > 9.0e18:
            return False
        if not np.array_equal(self.lattice.multiply(x), self.right_side):
            return False
        self._take(x)
        return True

    def _take(self, x: Ints) -> None:
        higher, lower = x > self.inner_upper, x < self.inner_lower
        if (higher.any() or lower.any()) and self._has_space():
            table = x.copy()
            self.tables.append(table)
            self.inner_upper[higher], self.high_witness[higher] = table[higher], len(self.tables) - 1
            self.inner_lower[lower], self.low_witness[lower] = table[lower], len(self.tables) - 1
            self._tell()

    def meet(self, x: Ints, low: Ints, high: Ints) -> None:
        """Take over the least and greatest counts of tables with the margins that a walk has met, x the last of them.

        Only x is kept, as the place to go on from; it is checked as any other.
        """
        if not self.admit(x):
            raise AssertionError("a walk has left the tables with the margins")
        last, higher, lower = len(self.tables) - 1, high > self.inner_upper, low < self.inner_lower
        self.inner_upper[higher], self.high_witness[higher] = high[higher], last
        self.inner_lower[lower], self.low_witness[lower] = low[lower], last
        self._tell()

    def admit_all(self, tables: Ints) -> None:
        """Take those tables into account, one per row, that are non-negative tables with the margins."""
        if not len(tables):
            return
        fits = self._flat_news.fit(tables, self._before)
        if fits is not None:
            self._take_all(fits)
            return
        starts, cells = self.lattice.matrix
        portion = max(1, (1 << 22) // cells.size)
        for i in range(0, len(tables), portion):
            some = tables[i : i + portion]
            some = some[some.sum(axis=1, dtype=np.float64) <= 9.0e18]
            sums = np.add.reduceat(some[:, cells], starts[:-1], axis=1)
            self._take_all(some[(some.min(axis=1) >= 0) & (sums == self.right_side).all(axis=1)])

    @cached_property
    def _flat_news(self) -> FlatMargins:
        return FlatMargins(self.lattice.shape, self._news)

    def adopt(self, old: AtomState, tables: Ints) -> None:
        """Start from a state over the same cells, all of whose margins are contained in those of this one.

        Its bounds hold here; its `tables`, one per row, count where they have the other margins as well.
        """
        self.lower, self.upper = old.lower.copy(), old.upper.copy()
        fresh = {
            g: v
            for g, v in self.margins.items()
            if old.margins.get(g) is not v and not (g in old.margins and np.array_equal(old.margins[g], v))
        }
        if old.lines is not None:
            self.lines = old.lines[0].copy(), old.lines[1].copy()
            self._news, self._before = fresh, (*old._before, old._flat_news)
        if old.feasible:
            flat = self._flat_news if self._news is fresh else FlatMargins(self.lattice.shape, fresh)
            fits = flat.fit(tables)
            if fits is not None:
                self._take_all(fits)
            else:
                self.admit_all(tables)

    def _take_all(self, tables: Ints) -> None:
        if not len(tables):
            return
        if (len(self.tables) + len(tables)) * self.lattice.size * 8 > TABLES_BYTES:
            for x in tables:
                self._take(x)
            return
        sides.take_tables(
            tables, len(self.tables), self.inner_lower, self.inner_upper, self.low_witness, self.high_witness
        )
        self.tables.extend(tables)
        self._tell()

    def _has_space(self) -> bool:
        """Whether another table can be kept; what is attained counts only with the table that attains it."""
        if self._full or (len(self.tables) + 1) * self.lattice.size * 8 <= TABLES_BYTES:
            return not self._full
        before = len(self.tables)
        self.compact()
        self._full = len(self.tables) > 0.9 * before
        if self._full:
            self.reasons.add("too many tables to keep: sides beyond those were left open")
        return not self._full

    @property
    def feasible(self) -> bool:
        """Whether a table with the margins is at hand."""
        return bool(self.tables)

    def is_open(self, cell: int, side: int) -> bool:
        """Whether a side is wanted and no table reaches it."""
        if not self.wanted[cell]:
            return False
        if side > 0:
            return bool(self.inner_upper[cell] < self.upper[cell])
        return bool(self.inner_lower[cell] > self.lower[cell])

    @property
    def open_count(self) -> int:
        return int(sides.count_open(self.wanted, self.lower, self.upper, self.inner_lower, self.inner_upper))

    def open_sides(self) -> list[tuple[int, int]]:
        cells, which = self.open_arrays()
        return list(zip(cells.tolist(), which.tolist()))

    def open_arrays(self) -> tuple[Ints, Ints]:
        """As `open_sides`, cells and sides apart."""
        found: tuple[Ints, Ints] = sides.list_open(
            self.wanted, self.lower, self.upper, self.inner_lower, self.inner_upper
        )
        return found

    def outer(self, cell: int, side: int) -> int:
        return int(self.upper[cell] if side > 0 else self.lower[cell])

    def witness(self, cell: int, side: int) -> Ints:
        """The table that reaches furthest at the cell."""
        return self.tables[int(self.high_witness[cell] if side > 0 else self.low_witness[cell])]

    def stack(self, more: int = 0) -> Ints:
        """The tables, one per row, and empty rows for some more."""
        size = self.lattice.size
        if self.tables and not more:
            return np.concatenate(self.tables).reshape(-1, size)
        tables = np.empty((len(self.tables) + more, size), np.int64)
        if self.tables:
            np.concatenate(self.tables, out=tables.reshape(-1)[: len(self.tables) * size])
        return tables

    def compact(self) -> None:
        """Forget tables that no side needs."""
        used = sides.keep_needed(len(self.tables), self.low_witness, self.high_witness)
        self.tables = [self.tables[i] for i in used.tolist()]

    def to_arrays(self, most_bytes: int = TABLES_BYTES) -> dict[str, Ints]:
        """What is not cheap to find again: bounds, and tables as far as they fit, the first of them in any case."""
        self.compact()
        rows = max(1, most_bytes // (8 * self.lattice.size))
        tables = np.array(self.tables[:rows], np.int64).reshape(-1, self.lattice.size)
        return {"lower": self.lower, "upper": self.upper, "tables": tables}

    def recall(self, arrays: Mapping[str, Ints]) -> None:
        """Take over what `to_arrays` gave for these margins or for some of them.

        Its bounds are trusted, its tables checked: those count that have all the margins.
        """
        self.tighten(np.asarray(arrays["lower"], np.int64), np.asarray(arrays["upper"], np.int64))
        for table in arrays["tables"]:
            self.admit(np.array(table, np.int64))
