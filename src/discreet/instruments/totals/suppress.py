"""Which cells of a table to hide: at the least cost, audited before anything is given out, with a proven bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames.tabular.decimals import decimal_text
from discreet.instruments.drawn.search import traced
from discreet.instruments.totals.additive import table_frame, table_of
from discreet.instruments.totals.audit_knowledge import Knowledge, attacker_view, cell_number
from discreet.instruments.totals.published import earlier_pattern
from discreet.instruments.totals.suppress_search import protecting_pattern
from discreet.instruments.totals.table_pages import map_sections, public_page, published_sections
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.tabular.additive import AdditiveTable, check_levels, named_faults
from discreet.tabular.audit import Intervals, guards
from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Codes, Problem
from discreet.tabular.rules import Rules, costs_of, parse_rules
from discreet.work import SEED_FAULT, Deadline, Moment, ProgressCallback, Reporter, is_seed, with_bar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.tabular.suppress.certificate import Status


@dataclass(frozen=True)
class SuppressedTable(Result):
    """A table with a pattern of hidden cells that its audit confirms: for the custodian; `public` is for everybody.

    `table` has status m on the cells that were chosen; `problem` is what was asked, before that. Costs are those of all
    hidden cells but the sensitive ones. `status` is "optimal" (every leaf of the certificate is proven in whole
    numbers), "closed" (to the solver's tolerance), "time limit", or "heuristic" (a large table, without a bound).
    `trace` has cost and bound over time.
    """

    table: AdditiveTable = field(repr=False)
    problem: Problem = field(repr=False)
    knowledge: Knowledge = field(repr=False)
    audit: Intervals = field(repr=False)
    rules: Rules | None
    cost_kind: str
    cost: int
    lower_bound: int
    status: Status
    seconds: float
    seed: int | None = None
    certificate: dict[str, Any] | None = field(repr=False, default=None)
    like: Any = field(repr=False, default=None)
    trace: tuple[Moment, ...] = field(default=(), repr=False, compare=False)

    @property
    def primary(self) -> int:
        return int((self.table.problem.cells.status == PRIMARY).sum())

    @property
    def secondary(self) -> int:
        return int((self.table.problem.cells.status == SECONDARY).sum())

    @property
    def gap(self) -> float:
        """100 · (cost − lower bound) / cost."""
        return 100.0 * (self.cost - self.lower_bound) / self.cost if self.cost else 0.0

    @property
    def data(self) -> Any:
        """The published table as a long frame: hidden cells are empty."""
        return table_frame(self.table, public=True, like=self.like)

    def public(self, title: str) -> str:
        """A page with the published cells and nothing else."""
        return public_page(self.table, title=title)

    def title(self) -> str:
        cells = "1 cell" if self.secondary == 1 else f"{self.secondary} cells"
        return f"{cells} hidden to protect {self.primary} of {self.table.cells}: {self.status}"

    def facts(self) -> list[tuple[str, str]]:
        cost, bound = (decimal_text(amount, self.table.cost_decimals) for amount in (self.cost, self.lower_bound))
        known = f"no pattern costs less than {bound}, gap {self.gap:.2f} %"
        if self.status == "heuristic":
            known = "no bound was looked for, as the table is large: a cheaper pattern may exist"
        facts = [
            ("hidden", f"{self.primary} sensitive cells and {self.secondary} that protect them"),
            ("cost", f"{cost} ({self.cost_kind}); {known}"),
            ("audit", "every level is attained by tables of whole numbers"),
        ]
        if self.cost_kind != "unit":
            facts.append(("keep", "these figures to yourself: published sums less the cost may tell a sensitive cell"))
        facts += [("attacker" if at == 0 else "", text) for at, text in enumerate(self.knowledge.told())]
        if self.rules is not None:
            facts += [("rule" if at == 0 else "", text) for at, text in enumerate(self.rules.told())]
        return [*facts, ("status", self.status), ("time", f"{self.seconds:.2f} s")]

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        return {
            "instrument": "suppress",
            "version": __version__,
            "k": None,
            "n": self.table.cells,
            "method": "chains" if self.status == "heuristic" else "cutting planes",
            "status": self.status,
            "seconds": self.seconds,
            "seed": self.seed,
            "cells": self.table.cells,
            "relations": self.problem.relations.n,
            "primary": self.primary,
            "secondary": self.secondary,
            "cost_kind": self.cost_kind,
            "cost": self._cost(self.cost),
            "lower_bound": self._cost(self.lower_bound),
            "gap": self.gap,
            "attackers": list(self.knowledge.told()),
            "rules": [] if self.rules is None else list(self.rules.told()),
        }

    def _cost(self, amount: int) -> int | float:
        decimals = self.table.cost_decimals
        return amount if not decimals else float(decimal_text(amount, decimals))

    def public_sections(self) -> list[Section]:
        """The table as it is published, and not why cells are hidden."""
        return published_sections(self.table, public=True)

    def publication(self) -> Publication:
        return Publication(self.data)

    def verify(self) -> Verdict:
        """The independent check of the pattern and of the certificate, in whole numbers."""
        from discreet.verify.tabular import verify_pattern

        return verify_pattern(
            self.problem,
            self.table.problem,
            certificate=self.certificate,
            witnesses=self.audit.witnesses,
            attackers=[own.tolist() for own in self.knowledge.attackers],
            holders=self.knowledge.known_parts(),
            limits=self.knowledge.uncovered(),
        )

    def statement(self) -> Statement:
        from discreet.instruments.statements.totals import suppressed

        return suppressed(self)

    def sections(self) -> list[Section]:
        from discreet.instruments.drawn.search import search_section
        from discreet.report.figures import available

        text = "How many cells are hidden for which reason; a secondary cell protects sensitive ones."
        rows = [("sensitive", self.primary), ("protects", self.secondary), ("published", self._published())]
        out = [Section("Hidden cells", text, ("reason", "cells"), rows), *published_sections(self.table)]
        known = [own for own in self.knowledge.attackers if self.table.problem.cells.hidden[own].any()]
        out += map_sections(self.table, guards(self.table.problem, self.audit, known, self.knowledge.holders))
        if self.trace and available():
            out.append(search_section(self.trace, f"cost of hidden cells ({self.cost_kind})"))
        return out

    def _published(self) -> int:
        return int((self.table.problem.cells.status >= FREE).sum())

    def plot(self, kind: str | None = None) -> Figure:
        """A picture: "cells" by what became of them, or "convergence" of the search."""
        from discreet.instruments.drawn.search import went
        from discreet.report.figures import choose

        pictures = {"cells": self._cells}
        if self.trace:
            pictures["convergence"] = lambda: went(self.trace, f"cost of hidden cells ({self.cost_kind})")
        return choose(pictures, kind)

    def _cells(self) -> Figure:
        from discreet.report.bars import standing

        counts = [self.primary, self.secondary, self._published()]
        return standing("Cells by what became of them", ["sensitive", "protects", "published"], counts, "", "cells")


@with_bar
def suppress(
    table: Any,
    *,
    hierarchies: Mapping[str, Any] | None = None,
    rules: Rules | Iterable[str] | None = None,
    cost: str | None = None,
    published: Iterable[Any] = (),
    hidden: Iterable[Any] = (),
    earlier: Sequence[Any] = (),
    attackers: Sequence[Iterable[Any]] = (),
    singletons: bool | None = None,
    certify: bool = True,
    time_limit: float | None = None,
    random_state: int | None = None,
    progress: ProgressCallback | None = None,
) -> SuppressedTable:
    """Hide the cheapest cells such that the audit passes.

    Parameters
    ----------
    table : a `.jj`/`.csp` problem, long CSV or τ-ARGUS files (several are linked by their labels), or a table.
    hierarchies, rules : for files that do not state them.
    cost : what hiding a cell costs: "unit", "count", "value" or "file"; by default what the file states, or its value.
    published, hidden : cells (numbers or tuples of labels) that must be published or hidden. Cells that the file marks
        as hidden (m) stay hidden.
    earlier : earlier releases of the same table: what one of them published stays published.
    attackers : sets of cells, each known to an attacker beforehand.
    singletons : whether single respondents know their own cells; by default where the table tells contributors.
    certify : keep the evidence of the bound.
    """
    begin = perf_counter()
    deadline = Deadline(time_limit)
    if not is_seed(random_state):
        raise InputError(SEED_FAULT)
    asked = rules if rules is None or isinstance(rules, Rules) else parse_rules(rules)
    given = table_of(table, hierarchies, asked)
    others = [earlier_pattern(given, each, lambda one: table_of(one, hierarchies)) for each in earlier]
    kind = cost_kind(given, cost)
    posed = posed_table(given, kind, list(published), list(hidden), others)
    knowledge = attackers_of(posed, tuple(attackers), singletons)
    known = [own.tolist() for own in knowledge.attackers]
    reporter = Reporter(progress)
    found, intervals = protecting_pattern(posed, known, knowledge.holders, deadline, reporter, random_state or 0)
    unit = 10.0**-posed.cost_decimals
    end = Moment(deadline.elapsed, unit * found.cost, unit * found.lower_bound)
    status = np.where(found.hidden & (given.problem.cells.status != PRIMARY), SECONDARY, given.problem.cells.status)
    return SuppressedTable(
        posed.with_status(status),
        posed.problem,
        knowledge,
        intervals,
        asked if asked is not None else getattr(table, "rules", None),
        kind,
        found.cost,
        found.lower_bound,
        found.status,
        perf_counter() - begin,
        random_state,
        found.certificate if certify else None,
        getattr(table, "like", None),
        traced(reporter.trace, end, unit),
    )


def cost_kind(table: AdditiveTable, cost: str | None) -> str:
    """The kind of costs: as asked, else what the file states, else its values."""
    return cost or ("file" if (table.problem.cells.cost != 1).any() or not table.variables else "value")


def posed_table(
    table: AdditiveTable, kind: str, published: list[Any], hidden: list[Any], earlier: Sequence[NDArray[np.bool_]]
) -> AdditiveTable:
    """The table with costs and with the statuses that the user and earlier releases force."""
    faults = Faults()
    status: Codes = table.problem.cells.status.copy()
    marks = np.zeros((2, table.cells), np.bool_)
    for at, cells in enumerate((published, hidden)):
        for cell in cells:
            try:
                marks[at, cell_number(table, cell)] = True
            except InputError as error:
                faults.extend(error)
    for other in earlier:
        marks[0] |= ~other
    named_faults(table, marks[0] & (status == PRIMARY), "is sensitive and was or must be published: choose", faults)
    kept = marks[0] & ~marks[1] & (status == SECONDARY)
    named_faults(table, kept, "is marked m, to stay hidden, and was or must be published: choose", faults)
    named_faults(table, marks[0] & marks[1], "must be both published and hidden: choose", faults)
    named_faults(table, marks[1] & (status == FIXED), "must be hidden and is marked z, never to be: choose", faults)
    faults.raise_if_any()
    status[marks[0]] = FIXED
    status[marks[1] & (status == FREE)] = SECONDARY
    changed = table.problem.cells._replace(cost=costs_of(table, kind), status=status)
    posed = replace(table.with_problem(table.problem._replace(cells=changed)), cost_decimals=_decimals(table, kind))
    check_levels(posed, faults)
    faults.raise_if_any()
    return posed


def _decimals(table: AdditiveTable, kind: str) -> int:
    """Of the costs: the file's, or those of what costs are made of."""
    return {"unit": 0, "count": table.count_decimals, "value": table.decimals}.get(kind, table.cost_decimals)


def attackers_of(table: AdditiveTable, attackers: tuple[Iterable[Any], ...], singletons: bool | None) -> Knowledge:
    """The attackers: respondents of every cell that may be hidden, as nobody knows yet which will be."""
    everything = np.where(table.problem.cells.status == FREE, SECONDARY, table.problem.cells.status)
    _, _, knowledge = attacker_view(table.with_status(everything), Knowledge(stated=attackers, singletons=singletons))
    return knowledge
