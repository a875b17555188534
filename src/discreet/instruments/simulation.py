"""`Simulation`: a synthetic table and the margins it was drawn from, as a result: figures, words, page and check."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.tables.table import Margins

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.synthetic import Synthetic

_EDGES = (0, 1, 2, 5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True)
class Simulation(Result):
    """A drawn `table` that has the `margins` of the original, and is otherwise random.

    The seed is no part of it: whoever knows it repeats the draw, and learns which table was not given because it was
    the original.
    """

    table: Synthetic = field(repr=False)
    margins: Margins = field(repr=False)

    def title(self) -> str:
        released = ", ".join(self.margins.label(axes) for axes in self.margins.values)
        return f"Synthetic table of {self.table.total} persons with the margins {released}"

    def facts(self) -> list[tuple[str, str]]:
        facts = [
            ("cells", f"{self.margins.size}, of which the margins fix {int(self.table.pinned.sum())}"),
            ("persons", str(self.table.total)),
        ]
        if self.table.tables is not None:
            facts.append(("tables", f"{self.table.tables} have these margins, the original among them"))
        return [*facts, *(("note", notice) for notice in self.table.notices())]

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": "simulate",
            "version": __version__,
            "k": None,
            "n": self.margins.total,
            "variables": list(self.margins.names),
            "releases": [list(release) for release in self.margins.releases],
            "cells": self.margins.size,
            "tables": self.table.tables,
            "pinned_cells": int(self.table.pinned.sum()),
            "undecided_cells": int(self.table.undecided.sum()),
            "unchanged": self.table.unchanged(),
            "notices": self.table.notices(),
        }

    def statement(self) -> Statement:
        from discreet.instruments.statements.margins import drawn

        return drawn(self)

    def sections(self) -> list[Section]:
        """The cells that are as they were: for the custodian."""
        rows = [tuple(cell.values()) for cell in self.table.unchanged()]
        words = "The margins leave these cells one count only, so every table that has them is true there."
        heads = (*self.margins.names, "count")
        return [Section("Cells that could not be changed", words, heads, rows, confidential=True)] if rows else []

    def publication(self) -> Publication:
        return Publication(self.table.to_frame())

    def verify(self) -> Verdict:
        """Whether the table has the margins, added up by code that shares nothing with the draw."""
        from discreet.verify.cells.drawn import verify_drawn

        table = self.table
        places = np.argwhere(np.ones(table.shape, np.bool_)) if table.coordinates is None else table.coordinates
        return verify_drawn(table.shape, dict(self.margins.values), places, table.counts.reshape(-1))

    def plot(self) -> Figure:
        """How many cells have how large a count, in the table that was drawn."""
        from discreet.report.figures import bars, canvas

        counts = self.table.counts.reshape(-1)
        cells = [int(((counts >= a) & (counts < b)).sum()) for a, b in zip(_EDGES, (*_EDGES[1:], np.inf))]
        ends = [str(a) if b == a + 1 else f"{a}-{b - 1}" for a, b in pairwise(_EDGES)]
        figure, axis = canvas(1)
        bars(axis, [*ends, f"{_EDGES[-1]}+"], cells, "Cells by their drawn count", "count", "cells")
        return figure
