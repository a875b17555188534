"""The audit of a pattern: what everything published tells about each hidden cell, and who is protected too little."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.frames.tabular.decimals import decimal_column, decimal_text
from discreet.instruments.totals.additive import table_of
from discreet.instruments.totals.audit_certificate import interval_certificate
from discreet.instruments.totals.audit_knowledge import Knowledge, attacker_view, rounded_values
from discreet.instruments.totals.published import earlier_pattern
from discreet.instruments.totals.table_pages import published_sections
from discreet.results import Publication, Result, Section, Statement, Verdict
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.audit import Intervals, Shortfall, against_holders
from discreet.tabular.audit import audit as audit_problem
from discreet.tabular.audit import protects as protects_problem
from discreet.tabular.audit.levels import WORDS
from discreet.tabular.problem import LETTERS, PRIMARY, Ints, Problem
from discreet.tabular.rules import Rules, parse_rules
from discreet.work import Deadline, ProgressCallback, Reporter, with_bar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORST = 50


@dataclass(frozen=True)
class Audit(Result):
    """Intervals of the hidden cells and the verdict on the pattern: for the custodian alone.

    `intervals` has an entry a hidden cell, in whole numbers of the table's smallest unit. `problem` is the table as the
    attacker sees it: with the boxes of what was told rounded or as a percentage. `outcome` is "safe", "unsafe" or
    "cannot tell".
    """

    table: AdditiveTable = field(repr=False)
    problem: Problem = field(repr=False)
    intervals: Intervals = field(repr=False)
    knowledge: Knowledge = field(repr=False)
    levels_only: bool
    seconds: float

    @property
    def outcome(self) -> str:
        if self.intervals.exposed:
            return "unsafe"
        return "cannot tell" if self.intervals.undecided else "safe"

    @property
    def exit_code(self) -> int:
        return {"safe": 0, "unsafe": 1}.get(self.outcome, 2)

    @cached_property
    def exposed(self) -> tuple[int, ...]:
        """Sensitive cells that are proven to be protected too little, by number."""
        return tuple(sorted({each.cell for each in self.intervals.exposed}))

    @cached_property
    def undecided(self) -> tuple[int, ...]:
        return tuple(sorted({each.cell for each in self.intervals.undecided} - set(self.exposed)))

    @property
    def known_exactly(self) -> int:
        """Hidden cells that can be computed."""
        return int((self.intervals.lower == self.intervals.upper).sum())

    def title(self) -> str:
        return f"Audit of {self.intervals.cell.size} hidden cells of {self.table.cells}: {self.outcome}"

    def facts(self) -> list[tuple[str, str]]:
        found, sides = self.intervals, 2 * self.intervals.cell.size
        facts = [
            ("sensitive", f"{int((self.problem.cells.status == PRIMARY).sum())} cells"),
            ("exposed", self._listed(self.exposed)),
            ("undecided", self._listed(self.undecided)),
        ]
        if not self.levels_only:
            facts += [
                ("known exactly", f"{self.known_exactly} hidden cells"),
                ("sharp", f"{sides - found.open_sides} of {sides} ends are attained by a table of whole numbers"),
            ]
        facts += [("attacker" if at == 0 else "", text) for at, text in enumerate(self.knowledge.told())]
        return [*facts, ("time", f"{self.seconds:.2f} s")]

    def _listed(self, cells: Sequence[int]) -> str:
        if not cells:
            return "none"
        names = "; ".join(self.table.name(cell) for cell in cells[:10])
        return names if len(cells) <= 10 else f"{names} and {len(cells) - 10} more"

    def to_dict(self) -> dict[str, Any]:
        from discreet._version import __version__

        found = self.intervals
        return {
            "instrument": "audit",
            "version": __version__,
            "k": None,
            "n": self.table.cells,
            "method": "levels" if self.levels_only else "intervals",
            "status": "done" if found.complete else "time limit",
            "outcome": self.outcome,
            "seconds": self.seconds,
            "seed": 0,
            "cells": self.table.cells,
            "hidden": found.cell.size,
            "sensitive": int((self.problem.cells.status == PRIMARY).sum()),
            "exposed": [self._cell(cell) for cell in self.exposed],
            "undecided": [self._cell(cell) for cell in self.undecided],
            "shortfalls": [self._shortfall(each) for each in (*found.exposed, *found.undecided)],
            "attackers": list(self.knowledge.told()),
            "known_exactly": None if self.levels_only else self.known_exactly,
            "open_sides": None if self.levels_only else found.open_sides,
            "programs": found.programs,
            "components": found.components,
            "intervals": [] if self.levels_only else self._intervals(),
        }

    def _cell(self, cell: int) -> Any:
        """A cell in JSON: its labels, or its number where it has none."""
        return dict(zip(self.table.variables, self.table.labels(cell))) if self.table.variables else cell

    def _amount(self, value: int) -> int | float:
        return value if not self.table.decimals else float(decimal_text(value, self.table.decimals))

    def _intervals(self) -> list[dict[str, Any]]:
        found = self.intervals
        rows = zip(found.cell.tolist(), found.lower.tolist(), found.upper.tolist(), found.sharp.tolist())
        return [
            {"cell": self._cell(cell), "lower": self._amount(low), "upper": self._amount(high), "sharp": sharp}
            for cell, low, high, sharp in rows
        ]

    def _shortfall(self, each: Shortfall) -> dict[str, Any]:
        return {
            "cell": self._cell(each.cell),
            "level": WORDS[each.kind],
            "needed": self._amount(each.needed),
            "possible": self._amount(each.possible),
            "attained": self._amount(each.attained),
            "proven": each.proven,
        }

    def to_frame(self) -> Any:
        """One row a hidden cell, as an Arrow table: labels or cell, status, lower, upper, sharp, lp_sharp, exposed."""
        import pyarrow as pa

        found, table = self.intervals, self.table
        columns: dict[str, Any] = {}
        if table.variables:
            labels = [table.labels(cell) for cell in found.cell.tolist()]
            columns |= {name: [each[v] for each in labels] for v, name in enumerate(table.variables)}
        else:
            columns["cell"] = found.cell
        status = self.problem.cells.status[found.cell]
        columns["status"] = [LETTERS[code] for code in status.tolist()]
        for name in ("lower", "upper"):
            columns[name] = decimal_column(getattr(found, name), table.decimals) if table.decimals else None
            columns[name] = getattr(found, name) if columns[name] is None else columns[name]
        columns["sharp"] = found.sharp
        columns["lp_sharp"] = found.lp_sharp
        words: dict[int, list[str]] = {}
        for each in found.exposed:
            if WORDS[each.kind] not in words.setdefault(each.cell, []):
                words[each.cell].append(WORDS[each.kind])
        columns["exposed"] = [" ".join(words.get(cell, [])) for cell in found.cell.tolist()]
        return pa.table(columns)

    def certificate(self) -> dict[str, Any]:
        """Proofs and witnesses of every interval, for `discreet verify-pattern`."""
        if self.levels_only:
            raise InputError("an audit of levels only has no intervals to certify: leave levels_only out")
        return interval_certificate(self.intervals)

    def public_sections(self) -> list[Section]:
        """The table as it is published, and not why cells are hidden."""
        return published_sections(self.table, public=True)

    def publication(self) -> Publication:
        return Publication(self.to_frame())

    def verify(self) -> Verdict:
        """The independent check: every proof and witness added up again, every level of every attacker."""
        from discreet.verify.tabular import verify_pattern

        return verify_pattern(
            self.problem,
            certificate=None if self.levels_only else self.certificate(),
            witnesses=self.intervals.witnesses,
            attackers=[attack.tolist() for attack in self.knowledge.attackers],
            holders=self.knowledge.known_parts(),
            limits=self.knowledge.uncovered(),
            hidden=self.intervals.cell.tolist(),
        )

    def statement(self) -> Statement:
        from discreet.instruments.statements.totals import audited

        return audited(self)

    def sections(self) -> list[Section]:
        rows = [
            (self.table.name(each.cell), WORDS[each.kind], "exposed" if each.proven else "undecided", _share(each))
            for each in sorted((*self.intervals.exposed, *self.intervals.undecided), key=lambda one: one.cell)[:WORST]
        ]
        text = "Levels that do not hold, or could not be shown to hold, and how much of each is possible at most."
        shown = [Section("Cells that are protected too little", text, ("cell", "level", "outcome", "reached"), rows)]
        return [*(shown if rows else []), *published_sections(self.table)]

    def plot(self) -> Figure:
        """How wide the intervals of sensitive cells are, in parts of what their levels ask."""
        from discreet.report.bars import standing

        found, cells = self.intervals, self.problem.cells
        sensitive = cells.status[found.cell] == PRIMARY
        own = found.cell[sensitive]
        needed = np.maximum(np.maximum(cells.above[own] + cells.below[own], cells.sliding[own]), 1)
        part = (found.upper - found.lower)[sensitive] / needed
        edges = [0, 0.25, 0.5, 1, 2, 4, 8, np.inf]
        counts = [int(((part >= a) & (part < b)).sum()) for a, b in pairwise(edges)]
        names = ["< 1/4", "< 1/2", "< 1", "1-2", "2-4", "4-8", "8+"]
        return standing("Width of intervals against levels", names, counts, "times the level", "sensitive cells")


def _share(each: Shortfall) -> str:
    return "-" if not each.needed else f"{100 * each.possible / each.needed:.0f} % of the level"


@with_bar
def audit(
    tables: Any,
    *,
    hierarchies: Mapping[str, Any] | None = None,
    rules: Rules | Iterable[str] | None = None,
    earlier: Sequence[Any] = (),
    rounding: Any = None,
    percentages: Mapping[Any, tuple[Any, int]] | None = None,
    attackers: Sequence[Iterable[Any]] = (),
    singletons: bool | None = None,
    levels_only: bool = False,
    time_limit: float | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
) -> Audit:
    """What an attacker infers about every hidden cell from everything published, with proofs, and who is exposed.

    Parameters
    ----------
    tables : a `.jj`/`.csp` problem, long CSV or τ-ARGUS files (several are linked by their labels), or a table. Of a
        published file, whose hidden cells have no values, the intervals are what anybody can infer, and no hidden cell
        may be told exactly.
    hierarchies, rules : as for `discreet.suppress`, for files that do not state them.
    earlier : earlier releases of the same table (files or tables): what one of them publishes is known.
    rounding : a base to which every published cell was rounded, or one for each cell that was (in the smallest unit),
        each to its nearest multiple: a box of half a base is known then. For controlled rounding, which may take the
        other multiple, the result of `discreet.round_table`, or (base, the rounded table or its file): what was
        published is known to within the base less one unit.
    percentages : hidden cells whose percentage was published: cell → (its published total, decimals of the percentage).
    attackers : sets of cells (numbers or tuples of labels), each known to an attacker beforehand.
    singletons : whether each hidden cell with one contributor is known to that respondent; by default where the table
        says how many contributors there are.
    levels_only : decide the levels of sensitive cells and no more: faster, without intervals.
    """
    begin = perf_counter()
    deadline = Deadline(time_limit)
    asked = rules if rules is None or isinstance(rules, Rules) else parse_rules(rules)
    table = table_of(tables, hierarchies, asked, released=True)
    faults = Faults()
    others = []
    for each in earlier:
        try:
            others.append(earlier_pattern(table, each, lambda given: table_of(given, hierarchies, released=True)))
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    base, rounded = _rounding(table, rounding, hierarchies)
    knowledge = Knowledge(
        tuple(others),
        base,
        rounded,
        percentages or {},
        tuple(attackers),
        singletons,
    )
    problem, hidden, knowledge = attacker_view(table, knowledge)
    method = protects_problem if levels_only else audit_problem
    found = method(
        problem,
        hidden,
        known=knowledge.attackers,
        deadline=deadline,
        reporter=Reporter(progress),
        executor=executor,
    )
    found = against_holders(problem, hidden, found, knowledge.holders, deadline)
    return Audit(table, problem, found, knowledge, levels_only, perf_counter() - begin)


def _rounding(table: AdditiveTable, given: Any, hierarchies: Mapping[str, Any] | None) -> tuple[Any, Ints | None]:
    """The base, and what controlled rounding published, where that is known."""
    if hasattr(given, "base") and hasattr(given, "table"):
        given = given.base, given.table
    if not isinstance(given, tuple):
        return given, None
    base, rounded = given
    if isinstance(getattr(rounded, "table", rounded), AdditiveTable):
        hierarchies = None
    return base, rounded_values(table, table_of(rounded, hierarchies, released=True))
