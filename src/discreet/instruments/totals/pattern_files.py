"""A pattern and the problem it answers, from whatever files and options they were made with, for the checker.

The checker speaks of numbered cells and relations. Tables with labels are read here, with the costs, the attackers and
the earlier releases that were asked for, and written as a problem that it reads by itself; of long files it also reads
cells and sums on its own, and compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.instruments.totals.additive import PROBLEMS, read_problem
from discreet.instruments.totals.published import earlier_pattern
from discreet.instruments.totals.suppress import attackers_of, cost_kind, posed_table
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY
from discreet.tabular.rules import Rules, parse_rules


@dataclass(frozen=True)
class Asked:
    """How the pattern was made: the options of `discreet suppress` and `discreet audit` that bear on the problem."""

    hierarchies: Mapping[str, Any] | None = None
    rules: Sequence[str] | None = None
    cost: str | None = None
    earlier: Sequence[Any] = ()
    attackers: Sequence[Iterable[Any]] = ()
    singletons: bool | None = None


@dataclass(frozen=True)
class PatternFiles:
    """`problem` is what was asked, `pattern` the same with what is hidden; `hidden` what no release has published."""

    problem: AdditiveTable
    pattern: AdditiveTable
    hidden: NDArray[np.bool_]
    attackers: list[list[int]]
    holders: list[Any]
    uncovered: tuple[str, ...]

    def differences(self, paths: Sequence[str], asked: Asked) -> list[str] | None:
        """What the checker reads otherwise in a long file; None where it has no reader of its own for it."""
        from discreet.verify.tabular.long import differences
        from discreet.verify.tabular.parts import Told, unasked

        table = self.problem
        if len(paths) > 1 or PurePath(paths[0]).suffix.lower() not in (".csv", ".tsv", ".txt"):
            return None
        labels = [table.labels(cell) for cell in range(table.cells)]
        found = differences(table.problem, labels, table.variables, paths[0], asked.hierarchies, table.decimals)
        if asked.singletons is not False and not found:
            unit = 10**table.decimals
            lower = [Fraction(low, unit) for low in table.problem.cells.lower.tolist()]
            hidden = set(np.flatnonzero(self.hidden).tolist())
            numbers = {own: cell for cell, own in enumerate(labels)}
            told = Told(numbers, lower, hidden, self.attackers, self.holders)
            missing = unasked(paths[0], table.variables, asked.hierarchies, told)
            found += [f"{missing} holdings know parts of hidden cells, and were not asked"] if missing else []
        return found


def read_pattern(paths: Sequence[str], published: str | None, asked: Asked, *, audited: bool = False) -> PatternFiles:
    """The problem in `paths` (several are linked) and the pattern in `published`; in the problem itself without it.

    For the proofs of an audit (`audited`) earlier releases narrow what is hidden; for those of a suppression they are
    part of the problem: what they publish stays published.
    """
    rules: Rules | None = None if asked.rules is None else parse_rules(asked.rules)

    read_from = paths if len(paths) > 1 else paths[0]
    given = read_problem(read_from, hierarchies=asked.hierarchies, rules=rules)
    earlier = [earlier_pattern(given, each, _statuses(asked)) for each in asked.earlier]
    shown = given.problem.cells.hidden if published is None else earlier_pattern(given, published, _statuses(asked))
    posed = posed_table(given, cost_kind(given, asked.cost), [], [], [] if audited else earlier)
    status = posed.problem.cells.status
    marked = np.where(status == PRIMARY, PRIMARY, SECONDARY)
    pattern = posed.with_status(np.where(shown, marked, np.where(status <= SECONDARY, FREE, status)))
    knowledge = attackers_of(posed, tuple(asked.attackers), asked.singletons)
    hidden = np.logical_and.reduce([shown, *(earlier if audited else [])])
    sets = [own.tolist() for own in knowledge.attackers]
    return PatternFiles(posed, pattern, hidden, sets, knowledge.known_parts(posed.decimals), knowledge.uncovered())


def _statuses(asked: Asked) -> Any:
    """A reader of files that say in their statuses what they hide, whatever the rules."""

    def read(path: Any) -> AdditiveTable:
        return read_problem(path, hierarchies=asked.hierarchies)

    return read


def has_labels(path: str) -> bool:
    """Whether a file is a table with labels, not a numbered problem."""
    return PurePath(path).suffix.lower() not in PROBLEMS
