"""Linked tables as one: cells with the same labels are one cell.

A variable that a table lacks is one it is summed over, so its cells have the variable's total there. What two tables
say of a cell they share must agree in its value; of what an intruder knows the narrower limits count, of levels and
costs the larger, and a cell that is hidden in one table is hidden in both. Relations are all those of all tables, each
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults
from discreet.tabular.additive import AdditiveTable, Contributors, Parts, named_faults
from discreet.tabular.hierarchy import TOTAL, Tree
from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Cells, Codes, Ints, Problem
from discreet.tabular.relations import distinct, joined, strides

# Of two statuses of a cell the one that comes first counts.
_FIRST = (PRIMARY, SECONDARY, FIXED, FREE)


def linked(tables: Sequence[AdditiveTable], *, released: bool = False) -> AdditiveTable:
    """The tables as one; a single one is itself. Of `released` tables no cell may be hidden in one and not in another.

    A cell that one table is still to hide is hidden in all; a cell that one released table shows is known to everybody.
    """
    if len(tables) == 1:
        return tables[0]
    faults = Faults()
    faults.check(bool(tables), "no table was given")
    faults.check(all(table.variables for table in tables), "a .jj file has no labels by which it could be linked")
    faults.check(len({table.amounts for table in tables}) < 2, "tables of counts and of amounts do not share cells")
    faults.raise_if_any()
    variables = tuple(dict.fromkeys(v for table in tables for v in table.variables))
    trees = tuple(_tree([t.trees[t.variables.index(v)] for t in tables if v in t.variables]) for v in variables)
    steps = strides(trees)
    keys, decimals = [], max(table.decimals for table in tables)
    for table in tables:
        key = np.zeros(table.cells, np.int64)
        for v, tree, step in zip(variables, trees, steps):
            if v in table.variables:
                at = table.variables.index(v)
                number = np.array([tree.number[label] for label in table.trees[at].labels], np.int64)
                key += number[table.codes[:, at]] * step
        keys.append(key)
    cells, place = np.unique(np.concatenate(keys), return_inverse=True)
    codes = np.stack([cells // step % len(tree.labels) for step, tree in zip(steps, trees)], axis=1).astype(np.int32)
    problem, split = _problem(tables, place, cells.size, decimals)
    found = AdditiveTable(
        problem,
        variables,
        trees,
        codes,
        decimals,
        max(table.cost_decimals for table in tables),
        tables[0].amounts,
        *_counts(tables, place, cells.size),
        _contributors(tables, place, cells.size, decimals),
    )
    named_faults(found, split, "has two values in two tables: correct one of them", faults)
    if released:
        shown = np.zeros(cells.size, np.bool_)
        shown[place[~np.concatenate([table.problem.cells.hidden for table in tables])]] = True
        fault = "is hidden in one table and published in another: give it the same status in both"
        named_faults(found, shown & problem.cells.hidden, fault, faults)
    faults.raise_if_any()
    return found


def _tree(trees: Sequence[Tree]) -> Tree:
    """All labels of a variable, those of a tree with `Total` at the top first; a label keeps its first parent."""
    ordered = sorted(trees, key=lambda tree: tree.labels[0] != TOTAL)
    labels, parents = list(ordered[0].labels), ordered[0].parent.tolist()
    number = dict(ordered[0].number)
    for tree in ordered[1:]:
        for label, parent in zip(tree.labels, tree.parent.tolist()):
            if label not in number:
                number[label] = len(labels)
                labels.append(label)
                parents.append(number[tree.labels[parent]] if parent >= 0 else 0)
    return Tree(tuple(labels), np.array(parents, np.int64))


def _problem(
    tables: Sequence[AdditiveTable], place: Ints, n: int, decimals: int
) -> tuple[Problem, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The joint problem, and which cells have two values."""
    scale = [10 ** (decimals - table.decimals) for table in tables]
    cost_decimals = max(table.cost_decimals for table in tables)

    def gather(name: str) -> Ints:
        return np.concatenate([getattr(t.problem.cells, name) * s for t, s in zip(tables, scale)])

    def reduced(ufunc: np.ufunc, start: int, name: str) -> Ints:
        out = np.full(n, start, np.int64)
        ufunc.at(out, place, gather(name))
        return out

    low, high = -(1 << 62), 1 << 62
    least, most = reduced(np.minimum, high, "value"), reduced(np.maximum, low, "value")
    cost = np.zeros(n, np.int64)
    costs = [t.problem.cells.cost * 10 ** (cost_decimals - t.cost_decimals) for t in tables]
    np.maximum.at(cost, place, np.concatenate(costs))
    cells = Cells(
        least,
        reduced(np.maximum, low, "lower"),
        reduced(np.minimum, high, "upper"),
        cost,
        _statuses(tables, place, n),
        *(reduced(np.maximum, 0, name) for name in ("below", "above", "sliding")),
    )
    offset = np.cumsum([0] + [table.cells for table in tables])
    parts = [
        table.problem.relations._replace(
            cell=place[table.problem.relations.cell + first], right=table.problem.relations.right * s
        )
        for table, first, s in zip(tables, offset, scale)
    ]
    return Problem(cells, distinct(joined(parts))), least != most


def _statuses(tables: Sequence[AdditiveTable], place: Ints, n: int) -> Codes:
    rank = np.empty(len(_FIRST), np.int8)
    rank[list(_FIRST)] = np.arange(len(_FIRST))
    found = np.full(n, len(_FIRST) - 1, np.int8)
    np.minimum.at(found, place, rank[np.concatenate([table.problem.cells.status for table in tables])])
    return np.array(_FIRST, np.int8)[found]


def _counts(tables: Sequence[AdditiveTable], place: Ints, n: int) -> tuple[Ints | None, int]:
    if any(table.counts is None for table in tables):
        return None, 0
    decimals = max(table.count_decimals for table in tables)
    found = np.zeros(n, np.int64)
    np.maximum.at(
        found,
        place,
        np.concatenate([t.counts * 10 ** (decimals - t.count_decimals) for t in tables if t.counts is not None]),
    )
    return found, decimals


def _contributors(tables: Sequence[AdditiveTable], place: Ints, n: int, decimals: int) -> Contributors | None:
    """Of shared cells those of the first table; as many of the largest as all tables have."""
    known = [table.contributors for table in tables if table.contributors is not None]
    if len(known) < len(tables):
        return None
    top = min(found.top.shape[1] for found in known)
    first = np.unique(place, return_index=True)[1]
    scale = [10 ** (decimals - table.decimals) for table in tables]
    whose = [found.who[:, :top] for found in known if found.who is not None]
    return Contributors(
        np.concatenate([found.records for found in known])[first],
        np.concatenate([found.number for found in known])[first],
        np.concatenate([found.top[:, :top] * s for found, s in zip(known, scale)])[first],
        np.concatenate([found.magnitude * s for found, s in zip(known, scale)])[first],
        np.concatenate(whose)[first] if len(whose) == len(known) else None,
        _parts(known, scale, place) if len(whose) == len(known) else None,
    )


def _parts(known: Sequence[Contributors], scale: Sequence[int], place: Ints) -> Parts | None:
    """What all tables say of parts, once; None where one of them does not."""
    first = np.cumsum([0, *(found.number.size for found in known)])
    each = [(found.parts, s, at) for found, s, at in zip(known, scale, first.tolist()) if found.parts is not None]
    if len(each) < len(known):
        return None
    cell = np.concatenate([place[own.cell + at] for own, _, at in each])
    who = np.concatenate([own.who for own, _, _ in each])
    amount = np.concatenate([own.amount * s for own, s, _ in each])
    order = np.lexsort((who, cell))
    cell, who, amount = cell[order], who[order], amount[order]
    new = np.append(True, (cell[1:] != cell[:-1]) | (who[1:] != who[:-1]))[: cell.size]
    return Parts(cell[new], who[new], amount[new])


def broken_down(codes: NDArray[np.int32]) -> Ints:
    """For each cell the set of variables that it is not a total of, as bits."""
    return np.asarray((codes > 0) @ (np.int64(1) << np.arange(codes.shape[1], dtype=np.int64)), np.int64)


def largest_sets(sets: Ints) -> list[int]:
    """The sets of variables that no other one contains: of the cells' own, those of the linked tables."""
    found = np.unique(sets).tolist()
    return [own for own in found if not any(own != other and own & ~other == 0 for other in found)]


def in_ring(table: AdditiveTable) -> bool:
    """Whether tables are linked in a ring, such as x by y, y by z and x by z.

    Otherwise (Graham 1979, Yu and Özsoyoğlu 1979: striking out what only one table has leaves nothing) any values of
    the cells that add up and are not negative are those of some records; in a ring they need not be.
    """
    left = largest_sets(broken_down(table.codes)) if table.variables else []
    while len(left) > 1:
        lone = [own & ~reduce(or_, left[:at] + left[at + 1 :]) for at, own in enumerate(left)]
        fewer = largest_sets(np.array([own & ~alone for own, alone in zip(left, lone)], np.int64))
        if fewer == left:
            return True
        left = fewer
    return False
