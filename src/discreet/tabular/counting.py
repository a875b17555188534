"""Cells from records: counts, sums and the largest contributors of every combination of labels, totals included.

A record stands in one leaf of each variable's tree, and so in one cell for every choice of a level of each tree: the
combination of its ancestors there. Going through these choices, records are sorted by the cell they fall into, largest
contributions first, and each run of equal cells is added up. Work is (choices of levels) x (sorting the records);
memory is linear in records and cells.

Contributors are records or, where a holding is given, holdings: what a holding's records add up to in a cell is one
contribution. Contributions are compared by their magnitude, as amounts may be negative. With sampling weights a record
takes as many places among the largest as its weight says (`weighting.py`); a holding's weighted sum is one
contribution. Where holdings are given and nothing is weighted, it is noted whose the largest contributions are, and
what every holding contributes to every innermost cell: a holding may be behind several cells, and know a part of each
(`audit/holders.py`). Beyond `MOST_PARTS` of these only the largest are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.tabular.additive import Contributors, Parts
from discreet.tabular.hierarchy import Tree
from discreet.tabular.problem import Ints
from discreet.tabular.relations import Grid, strides
from discreet.tabular.weighting import largest_places

_LARGEST = float(1 << 61)
MOST_EMPTY = 20_000_000
MOST_PARTS = 500_000


class Records(NamedTuple):
    """What is counted: the leaf of each record in each tree (records x variables), and what it brings.

    `amount` and `counts` add up in the cells, weighted already; `size` is what one such record contributes, in the unit
    of the amounts. `weight` / `unit` is how many places it takes among the largest (None: one). `holding` numbers
    holdings from 0, -1 for a record that belongs to none.

    An entry may stand for many records: for `entries` of them (None: one), with amounts of `magnitude` in all. Their
    largest contributions are entries of their own then, of no records, with a size and nothing else.
    """

    leaf: NDArray[np.int32]
    amount: Ints
    counts: Ints
    size: Ints
    holding: Ints | None = None
    weight: Ints | None = None
    unit: int = 1
    entries: Ints | None = None
    magnitude: Ints | None = None


class Counted(NamedTuple):
    """The cells with records, by rising key: what they amount to, what they count, who contributes."""

    grid: Grid
    amount: Ints
    counts: Ints
    contributors: Contributors


def count_cells(records: Records, trees: Sequence[Tree], subsets: Sequence[Sequence[int]], top: int = 2) -> Counted:
    """The cells of one table or several linked ones: `subsets` are the variables of each, the others are summed over.

    `top` is how many of the largest contributions are kept.
    """
    for sums in (records.amount if records.magnitude is None else records.magnitude, records.counts):
        if float(np.abs(sums.astype(np.float64)).sum()) >= _LARGEST:
            raise InputError("the amounts sum to more than 2^61 of their smallest unit: round them to fewer digits")
    trees = tuple(trees)
    steps = np.array(strides(trees), np.int64)
    records = _own_holdings(records)
    if records.holding is None:  # largest first: a stable sort by cell keeps that within each cell
        records = _taken(records, np.argsort(-np.abs(records.size), kind="stable"))
    levels = sorted(set(_choices(trees, subsets)))
    above = [[tree.ancestors(level) for level in range(tree.height + 1)] for tree in trees]
    parts = []
    for choice in levels:
        nodes = np.stack([above[v][level][records.leaf[:, v]] for v, level in enumerate(choice)], axis=1)
        inside = np.flatnonzero((nodes >= 0).all(axis=1))
        if inside.size:
            chosen = records if inside.size == len(nodes) else _taken(records, inside)
            parts.append(_cells(chosen, (nodes @ steps)[inside], top))
    keys, amount, count, entries, number, magnitude, largest, who = (np.concatenate(column) for column in zip(*parts))
    order = np.argsort(keys, kind="stable")
    named = who[order] if records.holding is not None and records.weight is None else None
    each = None if named is None else _parts(records, steps, subsets, keys[order])
    contributors = Contributors(entries[order], number[order], largest[order], magnitude[order], named, each)
    return Counted(Grid(trees, keys[order]), amount[order], count[order], contributors)


def with_empty(counted: Counted, subsets: Sequence[Sequence[int]]) -> Counted:
    """The same with all cells of the tables, also those that no record falls into."""
    trees, keys = counted.grid
    steps = strides(trees)
    size = sum(prod(len(trees[v].labels) for v in subset) for subset in subsets)
    if size > MOST_EMPTY:
        raise InputError(f"the tables have {size} cells, most of them empty: leave out those without records")
    every = [keys]
    for subset in subsets:
        own = np.zeros(1, np.int64)
        for v in subset:
            own = (own[:, None] + np.arange(len(trees[v].labels)) * steps[v]).ravel()
        every.append(own)
    wanted = np.unique(np.concatenate(every))
    at = np.searchsorted(wanted, keys)

    def spread(column: Ints) -> Ints:
        out = np.zeros((wanted.size, *column.shape[1:]), column.dtype)
        out[at] = column
        return out

    known = counted.contributors
    who = None if known.who is None else spread(known.who)
    records, number, top, magnitude = (spread(column) for column in known[:4])
    each = None if known.parts is None else known.parts._replace(cell=at[known.parts.cell])
    contributors = Contributors(records, number, top, magnitude, who, each)
    return Counted(Grid(trees, wanted), spread(counted.amount), spread(counted.counts), contributors)


def _choices(trees: Sequence[Tree], subsets: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """A level of each tree, the root's for variables that are summed over."""
    for subset in subsets:
        yield from product(*(range(tree.height + 1) if v in subset else (0,) for v, tree in enumerate(trees)))


def _cells(records: Records, key: Ints, top: int) -> tuple[Ints, ...]:
    """The cells of records with these keys: key, amount, count, entries, contributors, magnitude, largest, whose."""
    order = np.argsort(key, kind="stable") if records.holding is None else np.lexsort((records.holding, key))
    key = key[order]
    first = _runs(key)
    amount, count = (np.add.reduceat(column[order], first) for column in (records.amount, records.counts))
    length = np.diff(np.append(first, key.size))
    entries = length if records.entries is None else np.add.reduceat(records.entries[order], first)
    if records.holding is not None:
        return key[first], amount, count, entries, *_holdings(records, order, key, top)
    own = np.abs(records.amount) if records.magnitude is None else records.magnitude
    magnitude = np.add.reduceat(own[order], first)
    size = np.abs(records.size[order])
    if records.weight is not None:
        largest = largest_places(size, records.weight[order], records.unit, first, top)
    else:
        largest = _first_of(size, first, length, top)
    return key[first], amount, count, entries, entries, magnitude, largest, np.zeros_like(largest)


def _holdings(records: Records, order: Ints, key: Ints, top: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Contributors, magnitude, largest contributions and whose they are; records are sorted by cell and holding."""
    assert records.holding is not None
    holding = records.holding[order]
    first = np.flatnonzero(np.append(True, (key[1:] != key[:-1]) | (holding[1:] != holding[:-1])))
    size = np.abs(np.add.reduceat(records.amount[order], first))
    cell = key[first]
    largest_first = np.argsort(-size, kind="stable")
    by_cell = largest_first[np.argsort(cell[largest_first], kind="stable")]
    size, cell, who = size[by_cell], cell[by_cell], holding[first][by_cell] + 1
    begin = _runs(cell)
    number = np.diff(np.append(begin, cell.size))
    largest, whose = (_first_of(column, begin, number, top) for column in (size, who))
    return number, np.add.reduceat(size, begin), largest, whose


def _parts(records: Records, steps: Ints, subsets: Sequence[Sequence[int]], keys: Ints) -> Parts | None:
    """What each holding contributes to each innermost cell of each table; None where that is too much to keep."""
    assert records.holding is not None
    finest = {frozenset(subset) for subset in subsets}
    found: list[tuple[Ints, Ints, Ints]] = []
    for subset in sorted(map(sorted, finest)):
        if any(frozenset(subset) < other for other in finest):
            continue
        key = records.leaf[:, subset] @ steps[subset]
        order = np.lexsort((records.holding, key))
        key, holding = key[order], records.holding[order]
        first = np.flatnonzero(np.append(True, (key[1:] != key[:-1]) | (holding[1:] != holding[:-1])))
        amount = np.abs(np.add.reduceat(records.amount[order], first))
        some = amount > 0
        found.append((np.searchsorted(keys, key[first][some]), holding[first][some] + 1, amount[some]))
        if sum(cell.size for cell, *_ in found) > MOST_PARTS:
            return None
    cell, who, amount = (np.concatenate(column) for column in zip(*found))
    order = np.lexsort((who, cell))
    return Parts(cell[order], who[order], amount[order])


def _first_of(size: Ints, first: Ints, length: Ints, top: int) -> Ints:
    """The first `top` entries of each run, 0 where it is shorter."""
    at = first[:, None] + np.arange(top)
    return np.where(np.arange(top) < length[:, None], size[np.minimum(at, size.size - 1)], 0)


def _runs(sorted_keys: Ints) -> Ints:
    """Where each run of equal keys begins."""
    return np.flatnonzero(np.append(True, sorted_keys[1:] != sorted_keys[:-1]))


def _own_holdings(records: Records) -> Records:
    """A record without a holding is one of its own."""
    if records.holding is None or (records.holding >= 0).all():
        return records
    own = records.holding < 0
    fresh = int(records.holding.max(initial=-1)) + 1 + np.arange(int(own.sum()))
    holding = records.holding.copy()
    holding[own] = fresh
    return records._replace(holding=holding)


def _taken(records: Records, rows: Ints) -> Records:
    return Records(
        records.leaf[rows],
        records.amount[rows],
        records.counts[rows],
        records.size[rows],
        None if records.holding is None else records.holding[rows],
        None if records.weight is None else records.weight[rows],
        records.unit,
        None if records.entries is None else records.entries[rows],
        None if records.magnitude is None else records.magnitude[rows],
    )
