"""What is assumed that attackers know, as data: stated by the user, printed with every verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames.tabular.decimals import decimal_text
from discreet.tabular.additive import AdditiveTable, named_faults
from discreet.tabular.audit import Respondents, respondents
from discreet.tabular.audit.knowledge import (
    controlled_boxes,
    joined,
    percentage_box,
    rounded_box,
    within,
)
from discreet.tabular.holder import Holder
from discreet.tabular.linking import in_ring
from discreet.tabular.problem import FIXED, Ints, Problem

Flags = NDArray[np.bool_]
# What contributors may know that is not known here, by what the table says of them.
NOT_COVERED = {
    "nothing": "a contributor who knows its part of a cell: the table does not say how many contribute to cells",
    "numbers": "a contributor who knows its part of a cell that others contribute to as well: the table does not say "
    "whose contributions are",
    "largest": "a contributor who knows its part of a cell to which two others contribute more: the table names the "
    "two largest only",
    "ignored": "a contributor who knows cells or parts of cells of its own: that was left out, as asked",
}
RING = (
    "whoever uses that the same records stand behind tables that are linked in a ring: that limits cells further than "
    "that they add up"
)
_FEW = 2  # published numbers that tell nothing of a unit that they share
CHOICE = "whoever knows the rules, and tries for which tables the method would have hidden the same cells"
ROUNDING = "whoever tries for which tables the method would have rounded to the same figures"


@dataclass(frozen=True)
class Knowledge:
    """Earlier patterns, rounded and relative figures, and sets of cells that single attackers know.

    `rounded` are the values that controlled rounding published; without them cells were rounded to the nearest one.
    """

    earlier: tuple[Flags, ...] = field(default=(), repr=False)
    rounding: int | Mapping[Any, int] | None = None
    rounded: Ints | None = field(default=None, repr=False)
    percentages: Mapping[Any, tuple[Any, int]] = field(default_factory=dict)
    stated: tuple[Iterable[Any], ...] = ()
    singletons: bool | None = None
    attackers: tuple[Ints, ...] = field(default=(), repr=False)
    respondents: int = 0
    holders: tuple[Holder, ...] = field(default=(), repr=False)
    parts: str | None = None
    halves: int = 0
    chosen: bool = False
    maybe_zero: int = 0
    ring: bool = False
    grain: str | None = None

    def told(self) -> list[str]:
        """Sentences for every verdict."""
        lines = ["knows all relations, all published cells and the limits stated for each cell"]
        if self.earlier:
            lines.append(f"knows what {len(self.earlier)} earlier releases of the table published")
        if self.rounding is not None:
            near = "half their base: they were rounded to the nearest multiple"
            controlled = "the base less one unit: controlled rounding takes either multiple next to a value"
            lines.append(f"knows rounded cells to within {near if self.rounded is None else controlled}")
        if self.percentages:
            lines.append(f"knows the percentages of {len(self.percentages)} hidden cells")
        if self.attackers:
            others = len(self.attackers) - self.respondents
            parts = [f"{self.respondents} single respondents"] if self.respondents else []
            parts += [f"{others} stated attackers"] if others else []
            lines.append(f"may be one of {' and '.join(parts)} who know their own cells")
        else:
            lines.append("knows no hidden cell beforehand")
        if self.holders:
            lines.append(f"may be one of {len(self.holders)} contributors who know their own parts of several cells")
        return lines + [f"is not taken for {each}" for each in self.uncovered()]

    def uncovered(self) -> tuple[str, ...]:
        """Who may know more than any attacker here: what a verdict does not cover."""
        parts = () if self.parts is None else (NOT_COVERED[self.parts],)
        methods = ((RING, self.ring), (CHOICE, self.chosen), (ROUNDING, self.rounded is not None))
        named = [text for text, there in methods if there]
        return (*parts, *self._downward(), *self._zeros(), *self._grain(), *named)

    def _zeros(self) -> list[str]:
        """Limits that a file states may be wider than what is plain to see."""
        if not self.maybe_zero:
            return []
        cells = "1 hidden cell" if self.maybe_zero == 1 else f"{self.maybe_zero} hidden cells"
        return [f"whoever sees that zeros are not hidden: by the limits stated, {cells} may be zero"]

    def _grain(self) -> list[str]:
        """Hidden cells may be any whole numbers of the smallest unit, though no published one is."""
        if self.grain is None:
            return []
        return [
            f"whoever sees that all published cells are multiples of {self.grain}, and takes hidden ones for that too"
        ]

    def _downward(self) -> list[str]:
        """What was exactly half way may have been rounded either way, and the other box is another one."""
        if not self.halves:
            return []
        words = "a figure" if self.halves == 1 else f"{self.halves} figures"
        return [f"whoever sees {words} exactly half way between two multiples rounded down: halves are taken to go up"]

    def known_parts(self, decimals: int = 0) -> list[dict[int, tuple[Fraction, Fraction]]]:
        """For the checker: what each holder knows of its cells, in units of 10^`decimals` of the smallest one."""
        unit = 10**decimals
        return [
            {
                cell: (Fraction(low, unit), Fraction(high, unit))
                for cell, low, high in zip(*(column.tolist() for column in holder))
            }
            for holder in self.holders
        ]


def attacker_view(table: AdditiveTable, knowledge: Knowledge) -> tuple[Problem, Flags, Knowledge]:
    """The problem with the boxes that are known, the cells that are not known, and the attackers by cell numbers."""
    problem = table.problem
    hidden = problem.cells.hidden
    if knowledge.earlier:
        hidden = joined([hidden, *knowledge.earlier])
    faults, before = Faults(), hidden
    problem, hidden = _rounded(table, problem, hidden, knowledge, faults)
    problem = _percentages(table, problem, hidden, knowledge.percentages, faults)
    sets = []
    for own in knowledge.stated:
        try:
            sets.append(np.array([cell_number(table, cell) for cell in own], np.int64))
        except InputError as error:
            faults.extend(error)
    found = table.contributors
    number = None if found is None else found.number
    if knowledge.singletons and number is None:
        faults.add("the table does not say how many contributors its cells have: singletons cannot be found")
    faults.raise_if_any()
    asked = found is not None and knowledge.singletons is not False
    # What they know before anything is published, be it rounded, limits what can be asked to be hidden from them.
    single, holders = respondents(table.problem, found, hidden) if found is not None and asked else Respondents([], [])
    known = (*single, *sets)
    return (
        problem,
        hidden,
        replace(
            knowledge,
            attackers=known,
            respondents=len(single),
            holders=tuple(holders),
            parts=_unsaid(table, knowledge.singletons),
            halves=_halves(table, knowledge, before),
            chosen=bool(before.any()),
            maybe_zero=_maybe_zero(problem, before),
            ring=tells_in_ring(table) and bool(hidden.any()),
            grain=_grain(table, before),
        ),
    )


def _maybe_zero(problem: Problem, hidden: Flags) -> int:
    """How many hidden cells could be zero by their limits, though no zero is hidden."""
    cells = problem.cells
    if (hidden & (cells.value == 0)).any():
        return 0
    return int((hidden & (cells.lower <= 0) & (cells.upper >= 0)).sum())


def _grain(table: AdditiveTable, hidden: Flags) -> str | None:
    """What all published cells are multiples of, above the smallest unit, where they are no plain counts."""
    value = table.problem.cells.value
    if not hidden.any() or not (table.amounts or table.weighted):
        return None
    seen = np.unique(value[~hidden])
    common = int(np.gcd.reduce(seen if seen.size > _FEW else value))
    return decimal_text(common, table.decimals) if common > 1 else None


def tells_in_ring(table: AdditiveTable) -> bool:
    """Whether linked tables tell more than that they add up: where none is negative, nor is what no table lists."""
    return bool((table.problem.cells.value >= 0).all()) and in_ring(table)


def _unsaid(table: AdditiveTable, singletons: bool | None) -> str | None:
    """What is left unsaid about contributors; None where every part that tells something is known."""
    found, cells = table.contributors, table.problem.cells
    if found is None:
        return "nothing"
    if singletons is False:
        return "ignored"
    if bool((found.magnitude != cells.value).any()) or bool((cells.value < 0).any()):
        return None  # where amounts may be negative a part says nothing of the whole
    if found.who is None:
        return "numbers"
    more = found.parts is None and bool((found.number > found.who.shape[1]).any())
    return "largest" if more else None


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


def rounded_values(table: AdditiveTable, rounded: AdditiveTable) -> Ints:
    """What the rounded table publishes for each cell, in the smallest unit of the true one."""
    if not table.has_cells_of(rounded):
        raise InputError("the rounded table is another one: it must have the same cells as the true table")
    value, digits = rounded.problem.cells.value, table.decimals - rounded.decimals
    if digits >= 0:
        return value * 10**digits
    if (value % 10**-digits).any():
        raise InputError("the rounded table has more decimals than the true one")
    return np.asarray(value // 10**-digits)


def _rounded(
    table: AdditiveTable, problem: Problem, hidden: Flags, knowledge: Knowledge, faults: Faults
) -> tuple[Problem, Flags]:
    if knowledge.rounding is None:
        return problem, hidden
    cells, bases = problem.cells, _bases(table, knowledge.rounding, hidden)
    sound = all(isinstance(base, int) and not isinstance(base, bool) and base >= 1 for base in bases.values())
    if not faults.check(sound, "rounding must be a whole number of the smallest unit, 1 or more"):
        return problem, hidden
    own = np.array(list(bases), np.int64)
    if knowledge.rounded is None:
        boxes = [rounded_box(int(cells.value[cell]), base) for cell, base in bases.items()]
        low, high = (np.array([box[end] for box in boxes], np.int64) for end in (0, 1))
    else:
        base, told = np.array(list(bases.values()), np.int64), knowledge.rounded[own]
        odd = np.zeros(cells.n, np.bool_)
        odd[own] = told % base != 0
        named_faults(table, odd, "is no multiple of the base in the rounded table", faults)
        low, high = controlled_boxes(cells.value[own], told, base, problem.totals[own])
    hidden = hidden.copy()
    hidden[own] = True
    return within(problem, own, low, high), hidden


def _bases(table: AdditiveTable, given: int | Mapping[Any, int], hidden: Flags) -> dict[int, int]:
    """The base to which each cell was rounded, by its number."""
    if isinstance(given, Mapping):
        return {cell_number(table, cell): base for cell, base in given.items()}
    return dict.fromkeys(np.flatnonzero(~hidden & (table.problem.cells.status != FIXED)).tolist(), given)


def _halves(table: AdditiveTable, knowledge: Knowledge, hidden: Flags) -> int:
    """How many rounded or relative figures lie exactly half way between two that could have been published."""
    value, found = table.problem.cells.value.tolist(), 0
    if knowledge.rounding is not None and knowledge.rounded is None:
        bases = _bases(table, knowledge.rounding, hidden)
        found += sum(2 * value[cell] % (2 * base) == base for cell, base in bases.items())
    for cell, (total, digits) in knowledge.percentages.items():
        size = abs(value[cell_number(table, total)])
        found += 200 * 10**digits * value[cell_number(table, cell)] % (2 * size) == size
    return found


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
