"""What is assumed that attackers know, as data: stated by the user, printed with every verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.audit.knowledge import joined, percentage_box, rounded_box, single_respondents, within
from discreet.tabular.problem import FIXED, Ints, Problem

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Knowledge:
    """Earlier patterns, rounded and relative figures, and sets of cells that single attackers know."""

    earlier: tuple[Flags, ...] = field(default=(), repr=False)
    rounding: int | Mapping[Any, int] | None = None
    percentages: Mapping[Any, tuple[Any, int]] = field(default_factory=dict)
    stated: tuple[Iterable[Any], ...] = ()
    singletons: bool | None = None
    attackers: tuple[Ints, ...] = field(default=(), repr=False)
    respondents: int = 0

    def told(self) -> list[str]:
        """Sentences for every verdict."""
        lines = ["knows all relations, all published cells and the limits stated for each cell"]
        if self.earlier:
            lines.append(f"knows what {len(self.earlier)} earlier releases of the table published")
        if self.rounding is not None:
            lines.append("knows rounded cells to within half their base")
        if self.percentages:
            lines.append(f"knows the percentages of {len(self.percentages)} hidden cells")
        if self.attackers:
            others = len(self.attackers) - self.respondents
            parts = [f"{self.respondents} single respondents"] if self.respondents else []
            parts += [f"{others} stated attackers"] if others else []
            lines.append(f"may be one of {' and '.join(parts)} who know their own cells")
        else:
            lines.append("knows no hidden cell beforehand")
        return lines


def attacker_view(table: AdditiveTable, knowledge: Knowledge) -> tuple[Problem, Flags, Knowledge]:
    """The problem with the boxes that are known, the cells that are not known, and the attackers by cell numbers."""
    problem = table.problem
    hidden = problem.cells.hidden
    if knowledge.earlier:
        hidden = joined([hidden, *knowledge.earlier])
    faults = Faults()
    problem, hidden = _rounded(table, problem, hidden, knowledge.rounding, faults)
    problem = _percentages(table, problem, hidden, knowledge.percentages, faults)
    sets = []
    for own in knowledge.stated:
        try:
            sets.append(np.array([cell_number(table, cell) for cell in own], np.int64))
        except InputError as error:
            faults.extend(error)
    number = None if table.contributors is None else table.contributors.number
    if knowledge.singletons and number is None:
        faults.add("the table does not say how many contributors its cells have: singletons cannot be found")
    faults.raise_if_any()
    single = [] if number is None or knowledge.singletons is False else single_respondents(problem, number, hidden)
    return problem, hidden, replace(knowledge, attackers=(*single, *sets), respondents=len(single))


def cell_number(table: AdditiveTable, cell: Any) -> int:
    """A cell by its number, or by its labels in the order of the variables."""
    if isinstance(cell, int | np.integer) and not isinstance(cell, bool):
        if not 0 <= cell < table.cells:
            raise InputError(f"there is no cell {int(cell)}: the table has {table.cells}")
        return int(cell)
    labels = tuple(str(label) for label in cell)
    if not table.variables or len(labels) != len(table.variables):
        raise InputError(f"a cell is its number, or {len(table.variables)} labels")
    codes = [tree.number.get(label, -1) for tree, label in zip(table.trees, labels)]
    found = np.flatnonzero((table.codes == np.array(codes)).all(axis=1))
    if not found.size:
        raise InputError("no cell has these labels: give one label for each variable, in their order")
    return int(found[0])


def _rounded(
    table: AdditiveTable, problem: Problem, hidden: Flags, given: Any, faults: Faults
) -> tuple[Problem, Flags]:
    if given is None:
        return problem, hidden
    cells = problem.cells
    if isinstance(given, Mapping):
        bases = {cell_number(table, cell): base for cell, base in given.items()}
    else:
        bases = dict.fromkeys(np.flatnonzero(~hidden & (cells.status != FIXED)).tolist(), given)
    sound = all(isinstance(base, int) and not isinstance(base, bool) and base >= 1 for base in bases.values())
    if not faults.check(sound, "rounding must be a whole number of the smallest unit, 1 or more"):
        return problem, hidden
    boxes = [rounded_box(int(cells.value[cell]), base) for cell, base in bases.items()]
    own = np.array(list(bases), np.int64)
    hidden = hidden.copy()
    hidden[own] = True
    low, high = (np.array([box[end] for box in boxes], np.int64) for end in (0, 1))
    return within(problem, own, low, high), hidden


def _percentages(
    table: AdditiveTable, problem: Problem, hidden: Flags, given: Mapping[Any, tuple[Any, int]], faults: Faults
) -> Problem:
    value = problem.cells.value
    for cell, (total, digits) in given.items():
        own, whole = cell_number(table, cell), cell_number(table, total)
        faults.check(not hidden[whole], f"the total of a percentage is hidden itself: {table.name(whole)}")
        faults.check(bool(value[whole]), f"the total of a percentage is 0: {table.name(whole)}")
        faults.check(isinstance(digits, int) and 0 <= digits <= 9, "percentages have 0 to 9 decimals")
        if faults:
            return problem
        low, high = percentage_box(int(value[own]), int(value[whole]), digits)
        problem = within(problem, *(np.array([each], np.int64) for each in (own, low, high)))
    return problem
