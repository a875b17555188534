"""What attackers know beyond the published cells: rounded values, percentages, earlier releases, their own cells.

A rounded or relative figure tells a box instead of a value: the cell counts as hidden, within that box. Several
releases of one table hide only what every one of them hides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.tabular.problem import Ints, Problem

Flags = NDArray[np.bool_]


def joined(patterns: Sequence[Flags]) -> Flags:
    """The cells that are hidden in every one of several releases of the same table."""
    return np.asarray(np.logical_and.reduce(patterns))


def within(problem: Problem, cells: Ints, lower: Ints, upper: Ints) -> Problem:
    """The problem for an attacker who knows that these cells are within boxes of their own as well."""
    low, high = problem.cells.lower.copy(), problem.cells.upper.copy()
    low[cells], high[cells] = np.maximum(low[cells], lower), np.minimum(high[cells], upper)
    return problem._replace(cells=problem.cells._replace(lower=low, upper=high))


def rounded_box(value: int, base: int) -> tuple[int, int]:
    """The whole numbers that round to the multiple of `base` that `value` rounds to; ties may go either way."""
    nearest = (2 * value + base) // (2 * base) * base
    return nearest - base // 2, nearest + base // 2


def controlled_boxes(value: Ints, told: Ints, base: Ints, total: Flags) -> tuple[Ints, Ints]:
    """The whole numbers that controlled rounding can take to the multiples `told`: less than one base away.

    Where some had to go further, it is known that any may have gone as far as the farthest; but only each `total`, as
    long as no innermost cell is among them: these stay within, and everybody knows that.
    """
    away = np.abs(told - value)
    outside = away >= base
    reach = base - 1
    if outside.any():
        may = np.ones_like(total) if (outside & ~total).any() else total
        reach = np.where(may, np.maximum(reach, int(away.max())), reach)
    return told - reach, told + reach


def percentage_box(value: int, total: int, digits: int) -> tuple[int, int]:
    """The whole numbers whose percentage of a published `total` (not 0), to `digits` decimals, is that of `value`."""
    scale, size = 100 * 10**digits, abs(total)
    shown = (2 * value * scale + size) // (2 * size)
    return -((size - 2 * shown * size) // (2 * scale)), (2 * shown * size + size) // (2 * scale)


def single_respondents(problem: Problem, contributors: Ints, hidden: Flags, who: Ints | None = None) -> list[Ints]:
    """Hidden cells that one respondent knows since nobody else contributes to them, one array a respondent.

    `who` is the number of the largest contributor of each cell. Where it is not known, a total of one contributor and
    the part of one contributor that it is made of are of the same respondent.
    """
    rows = problem.relations
    one = contributors == 1
    if who is not None:
        alone = np.flatnonzero(one & hidden)
        alone = alone[np.argsort(who[alone], kind="stable")]
        return [own for own in np.split(alone, np.flatnonzero(np.diff(who[alone])) + 1) if own.size]
    root = np.arange(problem.cells.n)

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = int(root[i])
        return i

    heads = np.flatnonzero((rows.sign < 0) & one[rows.cell])
    for entry in heads.tolist():
        r = int(np.searchsorted(rows.start, entry, side="right")) - 1
        parts = rows.cell[rows.start[r] : rows.start[r + 1]]
        for part in parts[one[parts]].tolist():
            a, b = sorted((find(int(rows.cell[entry])), find(part)))
            root[b] = a
    groups: dict[int, list[int]] = {}
    for cell in np.flatnonzero(one & hidden).tolist():
        groups.setdefault(find(cell), []).append(cell)
    return [np.array(group, np.int64) for group in groups.values()]
