"""An additive table: a problem in whole numbers, and what its cells are called.

Each cell is a tuple of labels, one a variable; `Total` (or the label at the top of the variable's hierarchy) where it
is summed over the variable. Linked tables are one such table over all their variables (`linking.py`). Problems read
from `.jj` files have no labels, and their cells are called by number.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, shown
from discreet.tabular.hierarchy import Tree
from discreet.tabular.problem import PRIMARY, Codes, Ints, Problem

_LARGEST = float(1 << 61)  # sums of this size cannot overflow
OTHER_TABLE = "an earlier release is of another table: it must have the same cells, values and relations"
_MOST = 5  # faults of a kind that are listed by name


class Parts(NamedTuple):
    """What holdings contribute to innermost cells, an entry for each cell and holding; none is 0."""

    cell: Ints
    who: Ints
    amount: Ints


class Contributors(NamedTuple):
    """Who stands behind each cell: records, contributors (holdings counted once), and the largest contributions.

    `top` is cells x t, falling along a row, magnitudes in the unit of the values; 0 where there are fewer contributors.
    `magnitude` is the sum of the magnitudes of all contributions: the value itself where none is negative. `who` are
    the numbers of the holdings behind `top`, from 1, 0 for nobody; None where it is not known who contributes. `parts`
    are all contributions to the cells that no relation of their own table divides further; None where only `top` is
    known.
    """

    records: Ints
    number: Ints
    top: Ints
    magnitude: Ints
    who: Ints | None = None
    parts: Parts | None = None


@dataclass(frozen=True, eq=False)
class AdditiveTable:
    """`codes[i, v]` is the node of cell i in `trees[v]`; values are whole numbers of 10^-`decimals`, costs and counts
    of units of their own. `amounts` says that values are amounts, and `counts` how many records they are of; in a table
    of counts the values are the counts."""

    problem: Problem
    variables: tuple[str, ...] = ()
    trees: tuple[Tree, ...] = ()
    codes: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), np.int32), repr=False)
    decimals: int = 0
    cost_decimals: int = 0
    amounts: bool = True
    counts: Ints | None = field(default=None, repr=False)
    count_decimals: int = 0
    contributors: Contributors | None = field(default=None, repr=False)

    @property
    def cells(self) -> int:
        return self.problem.cells.n

    @property
    def weighted(self) -> bool:
        """Whether counts are of weighted records, as far as it shows: not whole, or other numbers than of records."""
        found = self.contributors
        if self.amounts or self.decimals or found is None or found.who is not None:  # holdings are fewer than records
            return not self.amounts and self.decimals > 0
        return not np.array_equal(found.number, self.problem.cells.value)

    def labels(self, cell: int) -> tuple[str, ...]:
        """The labels of a cell, one a variable; none in a problem whose cells have numbers only."""
        return tuple(tree.labels[code] for tree, code in zip(self.trees, self.codes[cell])) if self.trees else ()

    def name(self, cell: int) -> str:
        """`region = North, sector = Total`, or `cell 12`."""
        if not self.variables:
            return f"cell {cell}"
        return ", ".join(f"{shown(v)} = {shown(label)}" for v, label in zip(self.variables, self.labels(cell)))

    def relation_name(self, relation: int) -> str:
        """A relation by its total: `the sum over sector that is region = North, sector = Total`, or `relation 3`."""
        rows = self.problem.relations
        first, last = int(rows.start[relation]), int(rows.start[relation + 1])
        totals = np.flatnonzero(rows.sign[first:last] < 0)
        head = int(rows.cell[first + (int(totals[0]) if totals.size else 0)])
        if not self.variables or last - first < 2:
            return f"relation {relation} (of {self.name(head)})"
        other = int(rows.cell[first + 1] if rows.cell[first] == head else rows.cell[first])
        over = [shown(v) for v, a, b in zip(self.variables, self.codes[head], self.codes[other]) if a != b]
        return f"the sum over {', '.join(over)} that is {self.name(head)}"

    def is_of(self, other: AdditiveTable) -> bool:
        """Whether both are the same cells, by labels, values and relations, whatever is hidden in either."""
        if self.decimals != other.decimals or not self.has_cells_of(other):
            return False
        mine, theirs = self.problem, other.problem
        ours: list[NDArray[Any]] = [mine.cells.value, *mine.relations]
        others: list[NDArray[Any]] = [theirs.cells.value, *theirs.relations]
        return all(np.array_equal(a, b) for a, b in zip(ours, others))

    def has_cells_of(self, other: AdditiveTable) -> bool:
        """Whether both have the same cells in the same order, by their labels, whatever their values."""
        if (self.cells, self.variables) != (other.cells, other.variables):
            return False
        return all(np.array_equal(a, b) for a, b in zip(self._names(), other._names()))

    def _names(self) -> list[NDArray[np.object_]]:
        """The label of every cell, an array a variable."""
        return [np.array(tree.labels, object)[self.codes[:, v]] for v, tree in enumerate(self.trees)]

    def with_status(self, status: Codes) -> AdditiveTable:
        """The same table with other statuses: a pattern."""
        cells = self.problem.cells._replace(status=status.astype(np.int8))
        return self.with_problem(self.problem._replace(cells=cells))

    def with_problem(self, problem: Problem) -> AdditiveTable:
        return replace(self, problem=problem)


def check_table(table: AdditiveTable, faults: Faults) -> None:
    """What cannot be: relations that do not add up, values outside their limits, levels and costs below 0."""
    cells, relations = table.problem
    largest = np.maximum(np.abs(cells.value), np.maximum(np.abs(cells.lower), np.abs(cells.upper))).astype(np.float64)
    sums = (
        np.add.reduceat(np.append(largest[relations.cell], 0.0), relations.start[:-1]) if relations.n else largest[:0]
    )
    named_faults(
        table, sums >= _LARGEST, "has limits that sum to more than 2^61 in the smallest unit", faults, relation=True
    )
    named_faults(
        table, relations.residuals(cells.value) != 0, "does not add up: correct its cells", faults, relation=True
    )
    outside = (cells.value < cells.lower) | (cells.value > cells.upper)
    named_faults(table, outside, "has a value outside the limits that are known to all", faults)
    negative = (cells.below < 0) | (cells.above < 0) | (cells.sliding < 0)
    named_faults(table, negative, "has a protection level below 0", faults)
    named_faults(table, cells.cost < 0, "has a cost below 0", faults)


def check_levels(table: AdditiveTable, faults: Faults) -> None:
    """Levels that nobody can reach: what is known to all already tells more than the level allows.

    An audit reports such a cell as exposed; a suppression cannot protect it and must not begin.
    """
    cells = table.problem.cells
    primary = cells.status == PRIMARY
    short = (cells.above > cells.upper - cells.value) | (cells.below > cells.value - cells.lower)
    short |= cells.sliding > cells.upper - cells.lower
    named_faults(
        table,
        primary & short,
        "has a protection level that nobody can reach, as the limits known to all are narrower (by rules a hidden cell "
        "is no zero): widen them, lower the level, or tabulate anew",
        faults,
    )


def named_faults(
    table: AdditiveTable, wrong: NDArray[np.bool_], fault: str, faults: Faults, *, relation: bool = False
) -> None:
    """Note a fault of some cells or relations, by their labels: the first few, and how many there are beside."""
    found = np.flatnonzero(wrong).tolist()
    for number in found[:_MOST]:
        faults.add(f"{table.relation_name(number) if relation else table.name(number)} {fault}")
    if len(found) > _MOST:
        faults.add(f"{len(found) - _MOST} more {'relations' if relation else 'cells'} have the same fault")
