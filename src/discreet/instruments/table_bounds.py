"""Bounds on the cells of a table, as a result: figures, words, pictures, witnesses and the independent check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.instruments.table_risk import WORST, Risk
from discreet.methods import Status
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.tables.bounds.risk import RiskPolicy, assess
from discreet.tables.bounds.whole_table import Solution
from discreet.tables.table import Margins, Table
from discreet.tables.theory.cases import case_of, explain_margins
from discreet.tables.theory.graph import Decomposition

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Numbers = NDArray[Any]
Flags = NDArray[np.bool_]

Sharpness = Literal["sharp", "time limit", "open"]
# How a method's end is called here.
SHARPNESS: Mapping[Status, Sharpness] = {"optimal": "sharp", "time limit": "time limit", "complete": "open"}


@dataclass(frozen=True)
class Bounds(Result):
    """What released margins say about each cell: `lower` ≤ count ≤ `upper`, one array axis per variable.

    `sharp` marks cells both of whose bounds are attained by a table with the margins; an open side has its outer value
    in `lower` or `upper` and the furthest that a table was found to reach in `inner_lower` or `inner_upper`. `status`
    is "sharp" (all of them), "time limit" or "open", and `reasons` says why sides were left open.
    """

    margins: Margins = field(repr=False)
    lower: Numbers = field(repr=False)
    upper: Numbers = field(repr=False)
    lower_sharp: Flags = field(repr=False)
    upper_sharp: Flags = field(repr=False)
    inner_lower: Numbers = field(repr=False)
    inner_upper: Numbers = field(repr=False)
    method: str
    status: Sharpness
    seconds: float
    reasons: tuple[str, ...]
    work: Mapping[str, int]
    tree: Decomposition = field(repr=False)
    solution: Solution | None = field(repr=False, default=None)
    # What an independent check proved: sides, proved, undecided. Empty before it.
    proofs: Mapping[str, int] = field(repr=False, default_factory=dict)
    # Under which policy cells count as exposed, and the true counts, where they were looked at.
    policy: RiskPolicy = field(default_factory=RiskPolicy)
    truth: Table | None = field(repr=False, default=None)

    @cached_property
    def sharp(self) -> Flags:
        return np.asarray(self.lower_sharp & self.upper_sharp)

    @property
    def open_sides(self) -> int:
        return int((~self.lower_sharp).sum() + (~self.upper_sharp).sum())

    def title(self) -> str:
        released = ", ".join(self.margins.label(axes) for axes in list(self.margins.values)[:8])
        more = "" if len(self.margins) <= 8 else f" and {len(self.margins) - 8} more"
        return f"Bounds on {self.margins.size} cells given {released}{more}"

    def facts(self) -> list[tuple[str, str]]:
        cells = self.margins.size
        pinned = int((self.lower == self.upper).sum())
        facts = [
            ("sharp", f"{int(self.sharp.sum())} of {cells} cells; {self.open_sides} of {2 * cells} sides open"),
            ("determined", f"{pinned} cells are known exactly from the margins"),
            ("persons", str(self.margins.total)),
            ("graph", case_of(self.tree)),
            ("method", f"{self.method}, {self.status}"),
            ("time", f"{self.seconds:.2f} s"),
        ]
        if self.proofs:
            proved, sides = self.proofs["proved"], self.proofs["sides"]
            facts.append(("checked", f"{proved} of {sides} sides proved again, {self.proofs['undecided']} undecided"))
        facts += [("open because", reason) for reason in self.reasons]
        rule = f"c = {self.policy.c}, w = {self.policy.w}"
        return [*facts, ("exposed", f"under the policy {rule}: {self.exposure().summary()}")]

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": "bounds",
            "version": __version__,
            "k": None,
            "n": self.margins.total,
            "variables": list(self.margins.names),
            "releases": [list(release) for release in self.margins.releases],
            "method": self.method,
            "status": self.status,
            "seconds": self.seconds,
            "seed": 0,
            "case": case_of(self.tree),
            "cells": self.margins.size,
            "sharp_cells": int(self.sharp.sum()),
            "open_sides": self.open_sides,
            "determined_cells": int((self.lower == self.upper).sum()),
            "reasons": list(self.reasons),
            "work": dict(self.work),
            "checked_sides": self.proofs.get("sides"),
            "proved_sides": self.proofs.get("proved"),
            "undecided_sides": self.proofs.get("undecided"),
            "policy": self.exposure().to_dict() | {"true_counts": self.truth is not None},
        }

    @cached_property
    def whole(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Lower and upper bounds as counts: fractions of the linear program rounded to what they leave of them."""
        if self.lower.dtype.kind == "i" and self.upper.dtype.kind == "i":
            return self.lower, self.upper
        return np.ceil(self.lower).astype(np.int64), np.floor(self.upper).astype(np.int64)

    def to_frame(self, like: Any = None) -> Any:
        """One row per cell: the variables, `lower`, `upper` (whole numbers), `sharp`. Of the kind of `like`."""
        from discreet.tables.convert import frame_of_cells

        lower, upper = self.whole
        columns = {"lower": lower.reshape(-1), "upper": upper.reshape(-1), "sharp": self.sharp.reshape(-1)}
        return frame_of_cells(self.margins.names, self.margins.categories, None, columns, like)

    def sides_frame(self, like: Any = None) -> Any:
        """As `to_frame`, with each side by itself: outer and inner value, and whether it is sharp."""
        from discreet.tables.convert import frame_of_cells

        names = ("lower", "inner_lower", "lower_sharp", "upper", "inner_upper", "upper_sharp")
        columns = {name: getattr(self, name).reshape(-1) for name in names}
        return frame_of_cells(self.margins.names, self.margins.categories, None, columns, like)

    def cell(self, cell: Mapping[str, Any] | Sequence[Any]) -> tuple[int, ...]:
        """Position of a cell given by its categories."""
        if isinstance(cell, Mapping):
            unknown = [name for name in self.margins.names if name not in cell]
            if unknown:
                raise InputError(f"the cell needs a category of {', '.join(unknown)}")
            wanted = [cell[name] for name in self.margins.names]
        else:
            wanted = list(cell)
        if len(wanted) != len(self.margins.names):
            raise InputError(f"a cell has {len(self.margins.names)} categories, {len(wanted)} were given")
        for name, value, levels in zip(self.margins.names, wanted, self.margins.categories):
            if value not in levels:
                raise InputError(f"variable {name!r} has no such category")
        return tuple(levels.index(value) for value, levels in zip(wanted, self.margins.categories))

    def witness(self, cell: Mapping[str, Any] | Sequence[Any], side: str) -> Table:
        """A table with the margins that attains the "lower" or "upper" bound of a cell (or comes nearest, if open)."""
        if side not in ("lower", "upper"):
            raise InputError('side must be "lower" or "upper"')
        if self.solution is None:
            raise InputError(f"the method {self.method!r} finds no tables: use 'auto' or 'exact'")
        counts = self.solution.witness(self.cell(cell), 1 if side == "upper" else -1)
        return Table(self.margins.names, self.margins.categories, counts)

    def explain(self) -> Explanation:
        """Which case of the theory applies and why; prints as words, draws as a picture."""
        return Explanation(explain_margins(self.margins, self.tree), self.margins, self.tree)

    def update(self, margin: Table | Margins, **options: Any) -> Bounds:
        """The bounds when one more margin (or several) is released, re-using all that is known."""
        from discreet.instruments.tables import bounds

        asked: dict[str, Any] = {"method": self.method, "policy": self.policy, **options}
        found = bounds(self.margins, also=margin, previous=self, **asked)
        return replace(found, truth=self.truth)

    def under(self, policy: RiskPolicy | Mapping[str, Any] | None, table: Table | None = None) -> Bounds:
        """The same bounds, with what they mean under this policy; with the true `table`, for its true small counts."""
        return replace(self, policy=RiskPolicy.of(policy), truth=table)

    def exposure(self) -> Risk:
        """Which cells are exposed, under the policy that these bounds were looked at with."""
        return self._exposure

    @cached_property
    def _exposure(self) -> Risk:
        return self.risk(self.policy, self.truth)

    def judged_beside(self) -> list[Verdict]:
        """That bounds are proven is one thing; whether cells are exposed, another."""
        return [self.exposure().verdict()]

    def headline(self, verdict: Verdict) -> str:
        if verdict.outcome == "safe":
            return "The bounds are proven. Whether they give people away is another question: see below."
        return ""

    def risk(self, policy: RiskPolicy | Mapping[str, Any] | None = None, table: Table | None = None) -> Risk:
        """Small cells that are pinned or bounded too narrowly, for a policy such as {"c": 2, "w": 3}.

        With the true `table`, small cells are those with a count of 1 to c; without, those that the margins
        themselves prove to be small.
        """
        rules = RiskPolicy.of(policy)
        counts = None
        if table is not None:
            if table.names != self.margins.names or table.categories != self.margins.categories:
                raise InputError("the table is not over the variables and categories of these bounds")
            counts = table.dense()
        lower, upper = self.whole
        figures = assess(rules, (lower, upper), (self.inner_lower, self.inner_upper), counts)
        return Risk(self, rules, figures.sensitive, figures.exposed, figures.pinned, figures.undecided, counts)

    def publication(self) -> Publication:
        return Publication(self.to_frame())

    def verify(self) -> Verdict:
        """Witnesses are checked and a sample of cells proved again, by code that shares nothing with the room."""
        from discreet.verify.cells import verify_cells

        witness = None if self.solution is None else self.solution.witness
        return verify_cells(
            self.margins.shape,
            dict(self.margins.values),
            self.lower,
            self.upper,
            self.lower_sharp,
            self.upper_sharp,
            witness=witness,
            sample=32,
        )

    def narrowest(self, count: int = WORST) -> list[tuple[Any, ...]]:
        """Occupied cells with the narrowest bounds: categories, lower, upper."""
        lower, upper = self.lower.reshape(-1), self.upper.reshape(-1)
        seen = np.nonzero(upper > 0)[0]
        order = seen[np.lexsort((upper[seen], (upper - lower)[seen]))][:count]
        return self._rows(order)

    def _rows(self, cells: NDArray[np.int64]) -> list[tuple[Any, ...]]:
        lower, upper = self.lower.reshape(-1), self.upper.reshape(-1)
        rows = []
        for c in cells:
            place = np.unravel_index(int(c), self.margins.shape)
            levels = (self.margins.categories[a][int(i)] for a, i in enumerate(place))
            rows.append((*levels, _shown(lower[c]), _shown(upper[c])))
        return rows

    def statement(self) -> Statement:
        from discreet.instruments.statements.margins import statement

        return statement(self)

    def sections(self) -> list[Section]:
        from discreet.report.figures import available

        drawn = available()
        explanation, risk = self.explain(), self.risk(self.policy)
        words = " ".join(explanation.text.split("\n"))
        return [
            Section("How the margins hang together", words, figure=explanation.plot() if drawn else None),
            Section(
                "Cells that are known best",
                "Everything here follows from the released margins alone. Cells that may be occupied, narrowest first.",
                (*self.margins.names, "lower", "upper"),
                self.narrowest(),
                confidential=True,
            ),
            Section(
                "Small counts that the margins give away",
                f"From the margins alone: {risk.summary()}. Listed are these cells only: which others are small is not "
                "public, and `risk(policy, table)` tells it to the custodian.",
                (*self.margins.names, "lower", "upper"),
                risk.worst(),
                risk.plot() if drawn and risk.sensitive.any() else None,
                confidential=True,
            ),
        ]

    def plot(self, kind: str | None = None) -> Figure:
        """A picture: the "map" of what margins tell of each cell, the "graph" of margins, cells by the "widths" of
        their bounds, or "exposure": which small counts the margins give away."""
        from discreet.instruments.drawn.bounds import pictures
        from discreet.report.figures import choose

        return choose(pictures(self), kind)


@dataclass(frozen=True)
class Explanation:
    """Words and a picture of the independence graph."""

    text: str
    margins: Margins = field(repr=False)
    tree: Decomposition = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def plot(self) -> Figure:
        """The graph of margins; variables that separate components are filled."""
        from discreet.report.pictures.margins_graph import margins_graph
        from discreet.tables.theory.graph import independence_graph

        names = self.margins.names
        graph = independence_graph(len(names), self.tree.generators)
        edges = [(v, u) for v, mask in enumerate(graph) for u in range(v + 1, len(names)) if mask >> u & 1]
        separating = {v for separator in self.tree.separators for v in separator}
        return margins_graph(names, edges, separating, title=f"Graph of margins: {case_of(self.tree)}")

    def _repr_html_(self) -> str:
        from html import escape

        from discreet.report.figures import available, svg

        picture = svg(self.plot()) if available() else ""
        return f"<p style='white-space: pre-line'>{escape(self.text)}</p>{picture}"


def _shown(value: Any) -> int | float:
    return int(value) if float(value).is_integer() else round(float(value), 4)
