"""Rounding a table with totals: multiples of a base that still add up, as near as can be, with a proven bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from discreet.errors import InfeasibleError, InputError
from discreet.frames.tabular.decimals import decimal_text
from discreet.instruments.totals.additive import table_document, table_frame, table_of
from discreet.instruments.totals.round_audit import RoundingAudit, audit_rounding
from discreet.instruments.totals.table_pages import published_sections
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.problem import FREE, Ints
from discreet.tabular.rounding import Rounding, distance_bound, round_cells
from discreet.tabular.rounding.bound import Bound
from discreet.tabular.rounding.innermost import innermost_cells
from discreet.tabular.rules import Rules, parse_rules
from discreet.work import SEED_FAULT, Deadline, ProgressCallback, Reporter, is_seed, with_bar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMED = 10


@dataclass(frozen=True)
class RoundedTable(Result):
    """A rounded table: `table` has the published values, `original` the true ones (for the custodian alone).

    `distance` is Σ |z - a| in the unit of the values, and no rounding of the kind has less than `lower_bound`.
    `outside` are the cells, by number, that had to leave the two multiples of the base next to their value.
    """

    table: AdditiveTable = field(repr=False)
    original: AdditiveTable = field(repr=False)
    rounding: Rounding = field(repr=False)
    bound: Bound = field(repr=False)
    base: int
    small: bool
    totals_first: bool
    seed: int
    seconds: float
    like: Any = field(repr=False, default=None)

    @cached_property
    def data(self) -> Any:
        """The rounded table as a long frame: labels and values, and nothing else."""
        return table_frame(self.table, public=True, levels=False, like=self.like)

    @property
    def document(self) -> Any:
        """The same for files: exact decimals."""
        return table_document(self.table, public=True, levels=False)

    @property
    def outside(self) -> tuple[int, ...]:
        return tuple(self.rounding.outside.tolist())

    @property
    def distance(self) -> int | float:
        return self._amount(self.rounding.distance)

    @property
    def lower_bound(self) -> int | float:
        return self._amount(min(self.bound.value, self.rounding.distance))

    @property
    def gap(self) -> float:
        distance = self.rounding.distance
        return (distance - min(self.bound.value, distance)) / distance if distance else 0.0

    @property
    def status(self) -> Literal["optimal", "heuristic", "time limit"]:
        if not self.totals_first and self.rounding.optimal and not self.outside:
            return "optimal"
        return "heuristic" if self.rounding.complete else "time limit"

    def _amount(self, value: int) -> int | float:
        return value if not self.table.decimals else float(decimal_text(value, self.table.decimals))

    def title(self) -> str:
        how = "Small counts rounded" if self.small else "Table rounded"
        return f"{how} to base {decimal_text(self.base, self.table.decimals)}: {self.table.cells} cells"

    def facts(self) -> list[tuple[str, str]]:
        facts = [
            ("distance", f"{self.distance}, of which {self.lower_bound} no rounding can avoid"),
            ("gap", f"{100 * self.gap:.2f} % ({self.status})"),
        ]
        if not self.small:
            facts.append(("within one base", self._outside_words()))
        return [*facts, ("time", f"{self.seconds:.2f} s")]

    def _outside_words(self) -> str:
        if not self.outside:
            return "every cell"
        names = "; ".join(self.table.name(cell) for cell in self.outside[:_NAMED])
        more = len(self.outside) - _NAMED
        known = "no rounding within exists" if self.rounding.none_within else "none within was found"
        return f"all but {len(self.outside)} cells ({known}): {names}" + (f" and {more} more" if more > 0 else "")

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": "round",
            "version": __version__,
            "k": None,
            "n": self.table.cells,
            "method": "small counts" if self.small else "controlled",
            "status": self.status,
            "seconds": self.seconds,
            "seed": self.seed,
            "base": self._amount(self.base),
            "totals_first": self.totals_first,
            "cells": self.table.cells,
            "distance": self.distance,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "outside": [dict(zip(self.table.variables, self.table.labels(cell))) for cell in self.outside],
            "none_within": self.rounding.none_within,
        }

    def certificate(self) -> dict[str, Any]:
        """The multipliers behind `lower_bound`, each relation by the variable it sums over and the labels of its total.

        `outside` are the labels of cells that left the multiples next to them.
        """
        relations, table = self.original.problem.relations, self.original
        rows = []
        for r in np.flatnonzero(self.bound.multiplier).tolist():
            head = int(relations.cell[relations.start[r]])
            part = int(relations.cell[relations.start[r] + 1])
            over = np.flatnonzero(table.codes[head] != table.codes[part])[0]
            rows.append([table.variables[over], list(table.labels(head)), int(self.bound.multiplier[r])])
        return {
            "format": "discreet rounding certificate",
            "version": 1,
            "base": decimal_text(self.base, table.decimals),
            "small": self.small,
            "distance": decimal_text(self.rounding.distance, table.decimals),
            "lower_bound": decimal_text(min(self.bound.value, self.rounding.distance), table.decimals),
            "denominator": self.bound.denominator,
            "multipliers": rows,
            "outside": [list(table.labels(cell)) for cell in self.outside],
        }

    def statement(self) -> Statement:
        from discreet.instruments.statements.totals import rounded

        return rounded(self)

    def sections(self) -> list[Section]:
        return published_sections(self.table)

    def public_sections(self) -> list[Section]:
        return published_sections(self.table, public=True)

    def publication(self) -> Publication:
        return Publication(self.data)

    def verify(self) -> Verdict:
        """The independent check: sums, multiples, distances and the bound, by code that shares nothing with this."""
        from discreet.verify.tabular.rounding import check_rounding

        before, after = (
            {each.labels(i): value for i, value in enumerate(each.problem.cells.value.tolist())}
            for each in (self.original, self.table)
        )
        parents = [
            {tree.labels[i]: tree.labels[p] for i, p in enumerate(tree.parent.tolist()) if p >= 0}
            for tree in self.table.trees
        ]
        return check_rounding(
            before, after, parents, self.table.variables, certificate=self.certificate(), decimals=self.table.decimals
        )

    def audit(self, *, time_limit: float | None = None) -> RoundingAudit:
        """What someone who knows the base infers about every cell, and which sensitive ones that tells too closely."""
        if self.small:
            raise InputError("large cells of small-count rounding are published as they are: audit them as such")
        return audit_rounding(self.original, self.table, self.base, time_limit)

    def plot(self) -> Figure:
        """How many cells moved by how much."""
        from discreet.report.bars import standing

        moved, counts = np.unique(self.rounding.change, return_counts=True)
        step = -(-moved.size // 20)
        names = [decimal_text(int(y), self.table.decimals) for y in moved[::step]]
        sums = np.add.reduceat(counts, np.arange(0, counts.size, step))
        return standing("Changes by rounding", names, sums.tolist(), "rounded minus true", "cells")


@with_bar
def round_table(
    table: Any,
    base: int | float | str,
    *,
    hierarchies: Mapping[str, Any] | None = None,
    rules: Rules | Iterable[str] | None = None,
    small: bool = False,
    totals_first: bool = False,
    time_limit: float | None = None,
    random_state: int | None = None,
    progress: ProgressCallback | None = None,
) -> RoundedTable:
    """Round every cell to a multiple of the base next to it, so that the table still adds up.

    Parameters
    ----------
    table : the result of `discreet.tabulate`, an `AdditiveTable`, or a file (several linked ones) with all totals.
    base : what published values are multiples of, in the unit of the table.
    hierarchies : as for `discreet.tabulate`, for files.
    rules : what makes a cell sensitive, for the audit of the result; for files.
    small : round only innermost counts below the base, to 0 or the base; everything else follows by addition.
    totals_first : a total weighs as much as all innermost cells in it together, so that totals stay near.
    time_limit : seconds; then the best so far is taken.
    """
    begin = perf_counter()
    if not is_seed(random_state):
        raise InputError(SEED_FAULT)
    deadline, reporter = Deadline(time_limit), Reporter(progress)
    original = _table(table, hierarchies, rules)
    unit = _base(base, original)
    problem = original.problem
    weight = _weights(original) if totals_first else None
    if 8.0 * unit * original.cells * (1 if weight is None else int(weight.max())) >= 2.0**60:
        raise InputError("the base is too large for sums over this many cells to stay exact: take a smaller one")
    found = round_cells(
        problem, unit, small=small, weight=weight, seed=random_state or 0, deadline=deadline, reporter=reporter
    )
    if found is None:
        raise InfeasibleError(
            "no additive rounding of this table was found: its linked tables share totals but not the cells below; "
            "round them one by one, or give more time"
        )
    bound = found.bound
    if totals_first:
        bound = _plain_bound(problem, unit, found, small, deadline)
    value = problem.cells.value + found.change
    cells = problem.cells._replace(value=value, lower=value, upper=value, status=np.full(value.size, FREE, np.int8))
    rounded = replace(original, problem=problem._replace(cells=cells), counts=None, contributors=None)
    if not original.amounts:
        rounded = replace(rounded, counts=value)
    like = getattr(table, "like", None)
    seconds = perf_counter() - begin
    return RoundedTable(
        rounded, original, found, bound, unit, small, totals_first, random_state or 0, seconds, like
    )  # fmt: skip


def _table(given: Any, hierarchies: Mapping[str, Any] | None, rules: Rules | Iterable[str] | None) -> AdditiveTable:
    asked = rules if rules is None or isinstance(rules, Rules) else parse_rules(rules)
    table = table_of(given, hierarchies, asked)
    if not table.variables:
        raise InputError("a problem without labels cannot be rounded: give the table as a long file")
    if table.problem.relations.right.any():
        raise InputError("the table does not add up exactly: rounding needs totals that are the sums of their parts")
    return table


def _base(base: int | float | str, table: AdditiveTable) -> int:
    """The base in the smallest unit of the table."""
    try:
        if isinstance(base, bool):
            raise InvalidOperation
        scaled = Decimal(str(base)).scaleb(table.decimals)
        sound = scaled.is_finite() and scaled == int(scaled) and 2 <= scaled < 2**50
    except (InvalidOperation, ValueError, OverflowError):
        sound = False
    if not sound:
        raise InputError("base must be a number of at least two of the table's smallest units, such as 5")
    return int(scaled)


def _weights(table: AdditiveTable) -> Ints:
    """How many innermost cells are in each cell: 1 in an innermost one."""
    cells = innermost_cells(table.cells, table.problem.relations)
    if cells is None:
        raise InputError("totals_first needs a table that its innermost cells determine: linked tables have none")
    return cells.sums(np.ones(cells.cell.size, np.int64))


def _plain_bound(problem: Any, base: int, found: Rounding, small: bool, deadline: Deadline) -> Bound:
    """A bound on the plain distance, where the search minimized a weighted one."""
    if small or found.outside.size:
        return Bound(0, 1, np.zeros(problem.relations.n, np.int64))
    return distance_bound(problem, base, deadline)
