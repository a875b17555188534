"""The additive relations among the cells of a table over hierarchies.

A cell is a tuple of nodes, one of each variable's tree; its key is the number of that tuple in mixed radix. For every
variable and every cell that is a total in it,

    y(total) = Σ y(cell) over the cells that stand one node below it in this variable and agree in the others,

as far as they are in the table: cells that are absent are zero, and a total none of whose parts is there has no
relation in this variable. A table with linked tables in it is one set of such cells (`additive.py`), and each relation
is listed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.tabular.hierarchy import Tree
from discreet.tabular.problem import Ints, Problem, Relations


class Grid(NamedTuple):
    """The trees of a table's variables and the cells in it: their keys, rising."""

    trees: tuple[Tree, ...]
    keys: Ints

    @property
    def codes(self) -> NDArray[np.int32]:
        """The nodes of each cell, one column a variable."""
        out = np.empty((self.keys.size, len(self.trees)), np.int32)
        for v, (step, tree) in enumerate(zip(strides(self.trees), self.trees)):
            out[:, v] = self.keys // step % len(tree.labels)
        return out


def strides(trees: Sequence[Tree]) -> list[int]:
    """What a step in each variable adds to the key; the first variable counts most."""
    sizes = [len(tree.labels) for tree in trees]
    if prod(sizes) >= 1 << 62:
        raise InputError("the variables have too many combinations of labels to be numbered: take fewer of them")
    return [prod(sizes[v + 1 :]) for v in range(len(sizes))]


def relations_of(grid: Grid) -> Relations:
    """All relations of the cells of a grid, variable by variable, each total before its parts."""
    parts = [relations_in(grid, v) for v in range(len(grid.trees))]
    return joined(parts)


def relations_in(grid: Grid, variable: int) -> Relations:
    """The relations in one variable, in the order of their totals."""
    step, tree = strides(grid.trees)[variable], grid.trees[variable]
    node = grid.keys // step % len(tree.labels)
    part = np.flatnonzero(node > 0)
    above = grid.keys[part] + (tree.parent[node[part]] - node[part]) * step
    total = np.searchsorted(grid.keys, above)
    there = grid.keys[np.minimum(total, grid.keys.size - 1)] == above if part.size else np.zeros(0, np.bool_)
    part, total = part[there], total[there]
    order = np.argsort(total, kind="stable")
    part, total = part[order], total[order]
    heads, first = np.unique(total, return_index=True)
    count = np.diff(np.append(first, total.size))
    start = np.zeros(heads.size + 1, np.int64)
    np.cumsum(count + 1, out=start[1:])
    cell = np.empty(int(start[-1]), np.int64)
    sign = np.ones(cell.size, np.int8)
    cell[start[:-1]] = heads
    sign[start[:-1]] = -1
    cell[sign > 0] = part
    return Relations(start, cell, sign, np.zeros(heads.size, np.int64))


def joined(parts: Sequence[Relations]) -> Relations:
    """Relations one after the other."""
    start = np.concatenate([[0], *(np.diff(part.start) for part in parts)]).astype(np.int64)
    return Relations(
        np.cumsum(start),
        np.concatenate([np.zeros(0, np.int64), *(part.cell for part in parts)]),
        np.concatenate([np.zeros(0, np.int8), *(part.sign for part in parts)]),
        np.concatenate([np.zeros(0, np.int64), *(part.right for part in parts)]),
    )


def distinct(relations: Relations) -> Relations:
    """Each relation once, at its first place: linked tables repeat those of the cells they share.

    Two relations are the same when they have the same cells with the same signs and the same right side.
    """
    terms = relations.cell * 2 + (relations.sign > 0)
    # Equal relations have equal sums of mixed terms; those few that agree are compared term by term.
    mixed = np.zeros(terms.size + 1, np.uint64)
    np.cumsum((terms.astype(np.uint64) + np.uint64(1)) ** np.uint64(3) * np.uint64(0x9E3779B97F4A7C15), out=mixed[1:])
    sums = mixed[relations.start[1:]] - mixed[relations.start[:-1]]
    _, group, size = np.unique(sums, return_inverse=True, return_counts=True)
    keep = np.ones(relations.n, np.bool_)
    seen: set[tuple[int, bytes]] = set()
    for r in np.flatnonzero(size[group] > 1).tolist():
        own = np.sort(terms[relations.start[r] : relations.start[r + 1]])
        mark = (int(relations.right[r]), own.tobytes())
        keep[r] = mark not in seen
        seen.add(mark)
    if keep.all():
        return relations
    count = np.diff(relations.start)
    of_kept = np.repeat(keep, count)
    start = np.concatenate([[0], np.cumsum(count[keep])]).astype(np.int64)
    return Relations(start, relations.cell[of_kept], relations.sign[of_kept], relations.right[keep])


def least_totals(problem: Problem, least: Ints) -> Ints:
    """What cells are at least, when these are at least `least`: a total as much as its parts, and as theirs."""
    value, relations = problem.cells.value, problem.relations
    row = np.repeat(np.arange(relations.n), np.diff(relations.start))
    part, heads = relations.sign > 0, np.bincount(row[relations.sign < 0], minlength=relations.n) == 1
    total = np.full(relations.n, -1, np.int64)
    total[row[~part]] = relations.cell[~part]
    while True:
        sums = np.zeros(relations.n, np.int64)
        np.add.at(sums, row[part], least[relations.cell[part]])
        further = least.copy()
        np.maximum.at(further, total[heads], np.minimum(sums, value[total])[heads])
        if (further == least).all():
            return least
        least = further
