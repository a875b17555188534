"""What the release server needs of the table room, in its own terms: the only package here that imports it."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

import numpy as np

from discreet.release.engine.fibre import at_least, find_table, outer_bounds, synthesize, tables_with
from discreet.release.engine.question import Assessed, Carried, Looked, assess, cell_bounds
from discreet.tables.table import Ints, Margins, Table
from discreet.work import Deadline

__all__ = [
    "Assessed",
    "Carried",
    "Ints",
    "Looked",
    "Margins",
    "Table",
    "assess",
    "at_least",
    "categories_of",
    "cell_bounds",
    "find_table",
    "outer_bounds",
    "read_table",
    "synthesize",
    "tables_with",
    "warm_up",
]


def read_table(path: str | PathLike[str], variables: Iterable[str] | None = None, count: str | None = None) -> Table:
    """A table from a file: long form where there is a column of counts, else records that are counted."""
    from discreet.frames import read

    document = read(path)
    chosen = None if variables is None else list(variables)
    if count is None and "count" in document.names:
        count = "count"
    if count is None:
        return Table.from_frame(document, chosen)
    return Table.from_counts(document, count, chosen)


def categories_of(table: Table, cell: int) -> list[Any]:
    """The categories of a cell given by its flat position."""
    return [levels[i] for levels, i in zip(table.categories, np.unravel_index(cell, table.shape))]


def warm_up() -> None:
    """Have everything compiled that a decision may need, so that compiling does not eat into a time limit."""
    counts = np.array([1, 0, 2, 3, 1, 0, 4, 2, 1, 3, 0, 2]).reshape(3, 2, 2)
    table = Table.from_array(counts)
    pairs = [(0, 1), (0, 2), (1, 2)]
    cells = np.arange(12)
    assess(table, pairs, cells, 2, {}, Deadline(60.0))
    cell_bounds(table, pairs, cells, {}, Deadline(60.0))
    at_least(table, pairs, 2, Deadline(60.0))
    public = table.margins([[table.names[a] for a in pair] for pair in pairs])
    tables_with(public)
    find_table(public, [(np.zeros(12, np.int64), np.full(12, 9))], Deadline(60.0))
    synthesize(public, 1, Deadline(60.0))
