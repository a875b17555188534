"""`Comparison`: several results side by side, as a table, a risk-utility map, and words about who is dominated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.errors import listing, visible
from discreet.instruments.comparison.efficient import Point, dominators
from discreet.instruments.comparison.measured import Measured
from discreet.results import Measurement, Result, Section, Statement

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Figures of an instrument's own, in the order of the table.
FIGURES = ("information_loss", "gcp", "suppressed", "lower_bound", "gap", "cells", "sharp_cells", "seconds")
OWN = {"information_loss": "IL, %", "gcp": "GCP", "loss": "loss", "cost": "cost"}


class Own(NamedTuple):
    """The loss that an instrument itself minimizes: what it is called, its value, and a bound for its kind."""

    unit: str
    value: float
    bound: float | None

    @property
    def gap(self) -> float | None:
        """100·(loss − bound)/loss."""
        if self.bound is None:
            return None
        return 100.0 * max(0.0, self.value - self.bound) / self.value if self.value > 0 else 0.0


@dataclass(frozen=True)
class Compared:
    """One of the results: its name, its figures, and how it measured; `measured` is None for what is no release."""

    name: str
    result: Result = field(repr=False)
    figures: Mapping[str, Any] = field(repr=False)
    measured: Measured | None
    own: Own | None

    @property
    def k(self) -> int | None:
        return self.figures.get("k")

    @property
    def instrument(self) -> str:
        return str(self.figures.get("instrument", type(self.result).__name__.lower()))

    @property
    def method(self) -> str:
        return str(self.figures.get("method", ""))

    @property
    def risk(self) -> float | None:
        """The share of persons found by the strongest attack."""
        return None if self.measured is None else self.measured.found.share

    @property
    def loss(self) -> float | None:
        return None if self.measured is None else self.measured.loss

    @property
    def guaranteed(self) -> float | None:
        return None if self.measured is None else self.measured.guaranteed

    def row(self) -> dict[str, Any]:
        """Its figures in the table."""
        own = self.own
        figures = {name: self.figures.get(name) for name in FIGURES}
        if self.instrument == "microaggregation":
            figures["suppressed"] = None  # records there, not cells
        out = {
            "name": self.name,
            "instrument": self.instrument,
            "method": self.figures.get("method"),
            "status": self.figures.get("status"),
            "k": self.k,
            "n": self.figures.get("n"),
            "risk": self.risk,
            "attack": None if self.measured is None else self.measured.found.strongest,
            "guaranteed": self.guaranteed,
            "verified": (self.measured.outcome or None) if self.measured is not None else None,
            "loss": self.loss,
            **figures,
        }
        return out if own is None else {**out, "lower_bound": own.bound, "gap": own.gap}


@dataclass(frozen=True)
class Comparison(Measurement):
    """Results side by side.

    Releases of records are measured by one intruder, who knows the true values of `columns` of everybody: `risk` is the
    share of persons that the strongest attack finds, `guaranteed` the most that any can find by proof, `loss` what is
    lost on one scale from 0 to 1. `unprotected` is the risk of publishing the original as it is. `dominated` says whom
    others beat in both; `efficient` are the rest. `lower_bound` and `gap` are on the scale of each instrument's own.
    """

    entries: tuple[Compared, ...]
    columns: tuple[str, ...]
    n: int | None
    unprotected: float | None
    original: Any = field(repr=False)

    def __getitem__(self, column: str) -> Any:
        """A column of the table."""
        return self.to_frame()[column]

    def __str__(self) -> str:
        return self.summary()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.entries)

    @property
    def results(self) -> tuple[Result, ...]:
        return tuple(entry.result for entry in self.entries)

    @cached_property
    def dominated(self) -> dict[str, tuple[str, ...]]:
        """The dominated ones, each with those that have neither more risk nor more loss, and less of one."""
        placed = [entry for entry in self.entries if entry.measured is not None]
        above = dominators([_point(entry) for entry in placed])
        return {entry.name: tuple(placed[b].name for b in by) for entry, by in zip(placed, above) if by}

    @property
    def efficient(self) -> tuple[str, ...]:
        """Releases that none dominates, by rising risk."""
        free = [entry for entry in self.entries if entry.measured is not None and entry.name not in self.dominated]
        return tuple(entry.name for entry in sorted(free, key=lambda entry: (entry.risk, entry.loss)))

    @property
    def sampled(self) -> int | None:
        """How many persons the attacks were tried for, where it was not for all."""
        counts = [entry.measured.found.persons for entry in self.entries if entry.measured is not None]
        least = min(counts, default=self.n)
        return None if least is None or self.n is None or least >= self.n else least

    def title(self) -> str:
        return f"Comparison of {len(self.entries)} results" + ("" if self.n is None else f" of {self.n} records")

    def facts(self) -> list[tuple[str, str]]:
        if self.unprotected is None:
            return [("results", listing(self.names))]
        by = [f"{name} (by {listing(above, 3)})" for name, above in self.dominated.items()]
        tried = "" if self.sampled is None else f", tried for {self.sampled} persons, drawn by a seed"
        return [
            ("intruder knows", f"{listing(self.columns)} of everybody{tried}"),
            ("as it is", f"{100 * self.unprotected:.2f} % would be found if the file were published unprotected"),
            ("efficient", listing(self.efficient)),
            ("dominated", "; ".join(by) or "none"),
        ]

    def summary(self) -> str:
        """The facts, and the table below them."""
        from discreet.instruments.comparison.pages import HEADS, lines

        rows = [HEADS, *lines(self)]
        widths = [max(len(str(row[j])) for row in rows) for j in range(len(HEADS))]
        table = [
            "  "
            + "  ".join(
                str(cell).ljust(w) if j == 0 else str(cell).rjust(w) for j, (cell, w) in enumerate(zip(row, widths))
            )
            for row in rows
        ]
        return "\n".join([super().summary(), "", *(visible(line.rstrip()) for line in table)])

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        rows = []
        for entry in self.entries:
            row = {name: value for name, value in entry.row().items() if value is not None}
            if entry.measured is not None:
                row["attacks"] = dict(entry.measured.found.by_attack)
                row["dominated_by"] = list(self.dominated.get(entry.name, ()))
            rows.append(row)
        return {
            "instrument": "comparison",
            "version": __version__,
            "n": self.n,
            "columns": list(self.columns),
            "unprotected": self.unprotected,
            "sampled": self.sampled,
            "efficient": list(self.efficient),
            "results": rows,
        }

    def to_frame(self) -> Any:
        """A row per result, of the kind of the original: risk, loss, bound, time, and who dominates it."""
        from discreet.frames import from_arrays

        rows = [entry.row() for entry in self.entries]
        for entry, row in zip(self.entries, rows):
            row["dominated_by"] = "; ".join(self.dominated.get(entry.name, ())) or None
        names = [name for name in rows[0] if any(row[name] is not None for row in rows)]
        columns = {name: [row[name] for row in rows] for name in names}
        return from_arrays(columns) if self.original is None else from_arrays(columns, like=self.original)

    def statement(self) -> Statement:
        from discreet.instruments.statements.compared import statement

        return statement(self)

    def sections(self) -> list[Section]:
        from discreet.instruments.comparison.pages import sections

        return sections(self)

    def plot(self, kind: str | None = None) -> Figure:
        """A picture: the risk-utility "map" with the efficient ones joined, or the "loss over k" with its proven bound,
        where there are several k."""
        from discreet.instruments.comparison.pages import pictures
        from discreet.report.figures import choose

        return choose(pictures(self), kind)


def _point(entry: Compared) -> Point:
    assert entry.measured is not None
    return Point(entry.measured.found.share, entry.measured.loss, entry.guaranteed is not None)
