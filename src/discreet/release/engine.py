"""What the release server needs of the table room, in its own terms: the only file here that imports it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from discreet.errors import InputError, UnsafeReleaseError
from discreet.tables.bounds import split
from discreet.tables.bounds.chosen_cells import Carried, CellBounds, Verdicts, bound_cells, judge_widths, many_tables
from discreet.tables.draw import listing
from discreet.tables.sharpen.box_search import table_in_box
from discreet.tables.sharpen.exchange import Exchange
from discreet.tables.table import Ints, Margins, Table
from discreet.tables.theory.lattice import lattice_of
from discreet.work import Deadline

__all__ = [
    "Carried",
    "CellBounds",
    "Ints",
    "Margins",
    "Table",
    "Verdicts",
    "at_least",
    "bound_cells",
    "categories_of",
    "find_table",
    "judge_widths",
    "outer_bounds",
    "synthesize",
    "tables_with",
    "warm_up",
]

# Tables that are listed; cells of a table that is searched as a whole.
LISTED_TABLES = 20_000
WHOLE_CELLS = 4096


def categories_of(table: Table, cell: int) -> list[Any]:
    """The categories of a cell given by its flat position."""
    return [levels[i] for levels, i in zip(table.categories, np.unravel_index(cell, table.shape))]


def at_least(table: Table, public: Sequence[tuple[int, ...]], number: int, deadline: Deadline) -> bool | None:
    """Whether at least so many tables have these margins; None where counting them takes too long."""
    margins = table.margins([[table.names[a] for a in axes] for axes in public])
    if margins.size > WHOLE_CELLS:
        return True if many_tables(table, public, number) else None
    if deadline.passed:
        return None
    return listing.at_least(split.whole_state(margins), number)


def tables_with(public: Margins) -> Ints | None:
    """All tables with these margins, one per row; None where there are too many to list."""
    return None if public.size > WHOLE_CELLS else listing.list_tables(split.whole_state(public), LISTED_TABLES)


def find_table(public: Margins, boxes: Iterable[tuple[Ints, Ints]], deadline: Deadline) -> Ints | None:
    """A table with these margins inside one of the boxes (least and greatest counts); None where none was found."""
    return None if public.size > WHOLE_CELLS else table_in_box(split.whole_state(public), boxes, deadline)


def outer_bounds(public: Margins) -> tuple[Ints, Ints]:
    """Bounds of every cell from the margins alone, quickly: proven, perhaps not sharp."""
    lower, upper = split.outer_bounds(public)
    return lower.reshape(-1), upper.reshape(-1)


def synthesize(public: Margins, seed: int, deadline: Deadline, sensitive: int = 0) -> Ints | None:
    """A random table with these margins, drawn from them alone; None where none was found in time, or may be given.

    The true table has no part in it: the walk begins at a table that the margins give. Where the margins fix a count
    of 1 to `sensitive`, or every count, it would be the true one in any table with them: then there is none to give.
    Whether that is so depends on the margins alone, which are public.
    """
    from discreet.instruments.tables import simulate

    try:
        drawn: Table = simulate(
            public,
            random_state=seed,
            distribution="loglinear",
            time_limit=deadline.remaining,
            pinned="refuse",
            sensitive=min(sensitive, public.total),
        )
    except (InputError, UnsafeReleaseError):
        return None
    return drawn.dense()


def warm_up() -> None:
    """Have everything compiled that a decision may need, so that compiling does not eat into a time limit."""
    counts = np.array([1, 0, 2, 3, 1, 0, 4, 2, 1, 3, 0, 2]).reshape(3, 2, 2)
    table = Table.from_array(counts)
    pairs = [(0, 1), (0, 2), (1, 2)]
    cells = np.arange(12)
    judge_widths(table, pairs, cells, 2, {}, Deadline(60.0))
    bound_cells(table, pairs, cells, {}, Deadline(60.0))
    ring = Table.from_array(np.resize([1, 4, 0, 2, 7], (2,) * 10))
    judge_widths(ring, [(a, (a + 1) % 10) for a in range(10)], np.arange(9), 2, {}, Deadline(60.0))
    at_least(table, pairs, 2, Deadline(60.0))
    many_tables(table, pairs, 2)
    people, met = Exchange(lattice_of(table.shape, tuple(pairs)), counts.reshape(-1)), counts.reshape(-1)
    people.reach(cells, 2, met.copy(), met.copy(), 1000, 1000)
    public = table.margins([[table.names[a] for a in pair] for pair in pairs])
    tables_with(public)
    find_table(public, [(np.zeros(12, np.int64), np.full(12, 9))], Deadline(60.0))
    for known in (public, ring.margins([[]]), ring.margins([["V1"], ["V2"]])):  # drawn in different ways
        synthesize(known, 1, Deadline(60.0))
