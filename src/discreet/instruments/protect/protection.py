"""`Protection`: a protected file as a result: the table, figures, words, pictures, the secret and its own check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.generalization.covering import Covering, Drawn
from discreet.instruments.protect.means import Means, Sets
from discreet.instruments.protect.recipe import Recipe
from discreet.instruments.protect.totals import DomainTotal
from discreet.methods import Detail, Status
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.work import Moment

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Protection(Result):
    """A protected table, its rows in a new order, and what is known about it.

    `loss` is the mean over rows and columns of NCP (keys) and of the share of variance that is lost (numbers and
    weight), `losses` the same by column; `lower_bound`, where asked for, is below what any release of this kind
    can reach, and `gap` = 100·(loss − lower bound)/loss. `n` counts the original's rows, `rows` those
    published; `units` how many households, or persons with several rows, there are of each size. `totals` says what
    became of every total, and `domains` of weighted totals by domain. `trace` has the best loss over time, where
    records were protected one by one and the search told it.

    For the custodian only: `covering` and `sets` have the set of every row, `drawn` which record each carries,
    and the order.
    """

    data: Any = field(repr=False)
    recipe: Recipe = field(repr=False)
    covering: Covering = field(repr=False)
    sets: Sets = field(repr=False)
    drawn: Drawn = field(repr=False)
    n: int
    loss: float
    lower_bound: float | None
    gap: float | None
    method: str
    status: Status
    seconds: float
    losses: Mapping[str, float] = field(repr=False)
    widened: Mapping[str, int] = field(repr=False)
    totals: Mapping[str, Means] = field(repr=False)
    domains: tuple[DomainTotal, ...] = field(repr=False)
    units: Mapping[int, int] = field(repr=False)
    shared: frozenset[str] = field(repr=False)
    categorical: tuple[str, ...] = field(repr=False)
    hierarchies: Mapping[str, Any] = field(repr=False)
    caps: Mapping[str, Mapping[str, str]] = field(repr=False)
    detail: Detail = field(repr=False)
    original: Any = field(repr=False)
    trace: tuple[Moment, ...] = field(default=(), repr=False, compare=False)

    @property
    def k(self) -> int:
        return self.recipe.k

    @property
    def seed(self) -> int | None:
        return self.recipe.seed

    @property
    def rows(self) -> int:
        return self.covering.rows

    @property
    def whom(self) -> str:
        """Who has k matches."""
        return "person" if self.recipe.household is None else "household"

    def title(self) -> str:
        matchings = self.recipe.guarantee == "matchings"
        equally = "equally likely " if matchings and self.seed is None else ""
        what = f"{self.k} {equally}matches" if matchings else f"{self.k} or more that look alike"
        return f"Protection of {self.n} records: each {self.whom} has {what}"

    def facts(self) -> list[tuple[str, str]]:
        from discreet.instruments.protect.words import facts

        return facts(self)

    def statement(self) -> Statement:
        from discreet.instruments.statements.whole_file import statement

        return statement(self)

    def sections(self) -> list[Section]:
        from discreet.instruments.protect.words import sections

        return sections(self)

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        recipe = self.recipe
        return {
            "instrument": "protection",
            "version": __version__,
            "k": self.k,
            "l": recipe.l,
            "n": self.n,
            "rows": self.rows,
            "guarantee": recipe.guarantee,
            "recoding": recipe.recoding,
            "numbers": recipe.numbers,
            "method": self.method,
            "status": self.status,
            "seconds": self.seconds,
            "seed": self.seed,
            "secret_draw": self.seed is None,
            "loss": self.loss,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "losses": dict(self.losses),
            "widened": dict(self.widened),
            "totals": {
                name: {
                    "before": one.original,
                    "after": one.published,
                    "difference": one.difference,
                    "kept": one.kept,
                    "decimals": one.decimals,
                    "blank": one.blank_rows,
                }
                for name, one in self.totals.items()
            },
            "units": {str(size): count for size, count in self.units.items()},
            "lost": int(self.covering.lost.size),
            "recipe": recipe.to_dict(),
            "detail": dict(self.detail),
        }

    def claim(self) -> dict[str, Any]:
        """What the release claims, as arguments of `discreet.verify`, with the secret as its evidence."""
        recipe = self.recipe
        claim: dict[str, Any] = {
            "k": self.k,
            "guarantee": recipe.guarantee,
            "quasi_identifiers": recipe.boxes,
            "numeric": recipe.numeric if recipe.numbers == "mean" else (),
            "weight": recipe.weight,
            "household": recipe.household,
            "person": recipe.person,
            "rare": recipe.rare,
            "identifiers": recipe.identifiers,
            "categorical": self.categorical,
            "hierarchies": {name: tree.rows() for name, tree in self.hierarchies.items()},
            "caps": {name: dict(cap) for name, cap in self.caps.items()},
            "sensitive": recipe.sensitive[0] if recipe.l is not None else None,
            "l": recipe.l,
            "missing": "wildcard" if recipe.missing["keys"] == "wildcard" else "value",
            "accept": tuple(recipe.accept),
            "earlier": tuple(str(recipe.path(name)) for name in recipe.earlier),
            "secret": self.secret(),
        }
        idle: tuple[Any, ...] = (None, (), {})
        if recipe.unit is None:
            del claim["rare"]
        return {name: value for name, value in claim.items() if value not in idle or name == "quasi_identifiers"}

    def public_sections(self) -> list[Section]:
        from discreet.instruments.statements.whole_file import lost

        return [lost(self), *super().public_sections()]

    def publication(self) -> Publication:
        changed = [*self.recipe.boxes, *self.recipe.means, *([] if self.recipe.unit is None else [self.recipe.unit])]
        return Publication(self.data, anew=tuple(changed), order=self.drawn.origin[self.drawn.order])

    def verify(self) -> Verdict:
        """The check from the two tables and the secret: sets, boxes, means, the draw, and what other columns tell."""
        from discreet.verify import verify

        return verify(self.original, self.data, **self.claim())

    def shortfalls(self, verdict: Verdict) -> tuple[str, ...]:
        """Which checks of the recipe this release does not hold, judged by its loss and by the verdict on it."""
        checks, out = self.recipe.checks, []
        if self.loss > checks.get("loss", np.inf):
            out.append(f"the loss is {self.loss:.4f}, and the recipe allows {checks['loss']:g}")
        if "found" in checks:
            found = verdict.figures.get("found")
            if not isinstance(found, int | float):
                out.append("the recipe limits the share of persons found, which the check did not measure here")
            elif found > checks["found"]:
                out.append(
                    f"{100 * found:.1f} % of persons would be found, and the recipe allows {checks['found']:.1%}"
                )
        return tuple(out)

    def plot(self, kind: str | None = None, *, column: str | None = None) -> Figure:
        """A picture: "loss" by column, values "widened", "households" by size, "correlations" of the means, a column's
        "distribution", "convergence" of the search."""
        from discreet.instruments.drawn.protection import pictures
        from discreet.report.figures import choose

        return choose(pictures(self), kind, column)

    def secret(self) -> str:
        """Who is who as CSV, for the custodian, numbered from 0: `discreet verify --secret` reads it.

        Per published row its origin and, for matchings, which was drawn (from 1), its record in each matching and,
        where its box was made to cover more, in the column `also`, those others; for classes, the number of its class.
        """
        return self._secret

    @cached_property
    def _secret(self) -> str:
        import io

        import pyarrow as pa
        from pyarrow import csv

        covering, order = self.covering, self.drawn.order
        columns: dict[str, Any] = {"published_row": np.arange(self.rows), "origin": self.drawn.origin[order]}
        if covering.matchings is None:
            columns["class"] = self.sets.of_row[order]
        else:
            matches = covering.matchings[order]
            columns["drawn"] = self.drawn.drawn[order] + 1
            columns |= {f"match_{t + 1}": matches[:, t] for t in range(matches.shape[1])}
            wide = covering.members[order]
            if wide.shape != matches.shape or (np.sort(wide, axis=1) != np.sort(matches, axis=1)).any():
                pairs = zip(wide.tolist(), matches.tolist())
                columns["also"] = [" ".join(map(str, sorted(set(a) - set(b)))) for a, b in pairs]
        table = pa.table(columns)
        body = io.BytesIO()
        csv.write_csv(table, body, csv.WriteOptions(include_header=False, quoting_style="none"))
        return ",".join(table.column_names) + "\n" + body.getvalue().decode()
