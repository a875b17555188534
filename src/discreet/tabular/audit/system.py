"""The hidden part of a table as an attacker sees it: the moves that published cells, relations and boxes leave open.

With moves f = y - a from the true table, published cells have f = 0, and

    A f = 0,   lower - a ≤ f ≤ upper - a          over the hidden cells

A relation whose hidden cells are those of another says nothing new and is dropped. Boxes are narrowed first
(propagation.py); cells that cannot move drop out, and the rest falls into components that share no relation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing
from discreet.tabular.audit.propagation import SWEEPS, connect, propagate
from discreet.tabular.problem import Codes, Ints, Problem

Flags = NDArray[np.bool_]
# Sums of moves stay whole in machine numbers below this.
LARGEST = 2.0**60


class System(NamedTuple):
    """Rows over the hidden cells: `column` numbers them, `cell` and `relation` say where they come from.

    `low` and `high` are the narrowed boxes of the moves, `component` that of each column (-1: cannot move).
    """

    cell: Ints
    relation: Ints
    start: Ints
    column: Ints
    sign: Codes
    low: Ints
    high: Ints
    component: Ints


class Component(NamedTuple):
    """One component: rows over its own columns 0, 1, …; `place` are its columns, `row` its rows in the system."""

    place: Ints
    row: Ints
    start: Ints
    column: Ints
    sign: Codes
    low: Ints
    high: Ints

    @property
    def n(self) -> int:
        return self.place.size


def hidden_system(problem: Problem, hidden: Flags | None = None) -> System:
    """The system of the cells in `hidden`; of those that their statuses hide, where it is not given."""
    cells, relations = problem
    chosen = cells.hidden if hidden is None else np.asarray(hidden, np.bool_)
    check(problem, chosen)
    number = np.full(cells.n, -1, np.int64)
    cell = np.flatnonzero(chosen)
    number[cell] = np.arange(cell.size)
    entry = chosen[relations.cell]
    sizes = np.zeros(entry.size + 1, np.int64)
    np.cumsum(entry, out=sizes[1:])
    per_row = sizes[relations.start[1:]] - sizes[relations.start[:-1]]
    relation = np.flatnonzero(per_row)
    start = np.zeros(relation.size + 1, np.int64)
    np.cumsum(per_row[relation], out=start[1:])
    column, sign = number[relations.cell[entry]], relations.sign[entry].astype(np.int8)
    keep = _distinct(start, column, sign)
    if not keep.all():
        kept = np.repeat(keep, np.diff(start))
        sizes = np.diff(start)[keep]
        relation, column, sign = relation[keep], column[kept], sign[kept]
        start = np.zeros(relation.size + 1, np.int64)
        np.cumsum(sizes, out=start[1:])
    low_box = cells.lower[cell] - cells.value[cell]
    high_box = cells.upper[cell] - cells.value[cell]
    if propagate(start, column, sign, low_box, high_box, SWEEPS) < 0:
        raise AssertionError("the true table is within its boxes, so that they contradict nothing")
    component = connect(start, column, low_box, high_box)
    return System(cell, relation, start, column, sign, low_box, high_box, component)


def check(problem: Problem, hidden: Flags) -> None:
    """One error for all that makes the table no table: sums that miss, boxes without their value, too large numbers."""
    cells, relations = problem
    faults = Faults()
    if hidden.shape != cells.value.shape:
        raise InputError(f"the pattern has {hidden.size} entries for {cells.n} cells")
    widest = np.maximum(np.abs(cells.lower.astype(np.float64)), np.abs(cells.upper.astype(np.float64)))
    widest = np.maximum(widest, np.abs(cells.value.astype(np.float64)))
    ends = np.zeros(relations.cell.size + 1)
    np.cumsum(widest[relations.cell], out=ends[1:])
    if np.diff(ends[relations.start]).max(initial=widest.max(initial=0.0)) > LARGEST:
        raise InputError("the amounts or limits are too large: those of a relation sum to more than 2^60")
    off = np.flatnonzero(relations.residuals(cells.value))
    faults.check(off.size == 0, f"relations that do not add up: {listing(off.tolist())}")
    outside = np.flatnonzero((cells.value < cells.lower) | (cells.value > cells.upper))
    faults.check(outside.size == 0, f"cells whose value is outside its own limits: {listing(outside.tolist())}")
    faults.raise_if_any()


def components(system: System) -> list[Component]:
    """The components in the order of their first columns, each with rows and columns of its own."""
    count = int(system.component.max(initial=-1)) + 1
    if not count:
        return []
    # Columns and entries of a component side by side.
    order = np.argsort(system.component, kind="stable")
    order = order[np.searchsorted(system.component[order], 0) :]
    column_ends = np.searchsorted(system.component[order], np.arange(count + 1))
    local = np.full(system.cell.size, -1, np.int64)
    local[order] = np.arange(order.size) - column_ends[system.component[order]]
    of_entry = system.component[system.column]
    row_of_entry = np.repeat(np.arange(system.relation.size), np.diff(system.start))
    entries = np.flatnonzero(of_entry >= 0)
    entries = entries[np.argsort(of_entry[entries], kind="stable")]
    entry_ends = np.searchsorted(of_entry[entries], np.arange(count + 1))
    found = []
    for c in range(count):
        mine = entries[entry_ends[c] : entry_ends[c + 1]]
        place = order[column_ends[c] : column_ends[c + 1]]
        rows = row_of_entry[mine]
        first = np.flatnonzero(np.diff(rows, prepend=-1))
        start = np.append(first, mine.size)
        found.append(
            Component(
                place,
                rows[first],
                start,
                local[system.column[mine]],
                system.sign[mine],
                system.low[place],
                system.high[place],
            )
        )
    return found


def _distinct(start: Ints, column: Ints, sign: Codes) -> Flags:
    """The first of every set of rows that are equal up to their sign."""
    if start.size <= 1:
        return np.zeros(start.size - 1, np.bool_)
    return _first_of_equals(start, column, sign, np.argsort(_digests(start, column, sign), kind="stable"))


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _digests(start: Ints, column: Ints, sign: Codes) -> NDArray[np.uint64]:
    """A number that equal rows share, whatever the order of their cells or a common sign."""
    found = np.empty(start.size - 1, np.uint64)
    for r in range(start.size - 1):
        total = np.uint64(0)
        for t in range(start[r], start[r + 1]):
            h = np.uint64(column[t] + 1) * np.uint64(0x9E3779B97F4A7C15)
            h ^= h >> np.uint64(29)
            h *= np.uint64(0xBF58476D1CE4E5B9)
            h ^= h >> np.uint64(32)
            total += h if sign[t] > 0 else np.uint64(0) - h
        other = np.uint64(0) - total
        found[r] = min(total, other)
    return found


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _first_of_equals(start: Ints, column: Ints, sign: Codes, order: Ints) -> Flags:
    """Rows next to each other in `order` that are equal, compared entry by entry: only the first is kept."""
    keep = np.ones(start.size - 1, np.bool_)
    mark = np.zeros(column.max() + 1, np.int64)
    last = -1
    for r in order:
        if last >= 0 and start[r + 1] - start[r] == start[last + 1] - start[last]:
            for t in range(start[last], start[last + 1]):
                mark[column[t]] = sign[t]
            same = opposite = True
            for t in range(start[r], start[r + 1]):
                same &= mark[column[t]] == sign[t]
                opposite &= mark[column[t]] == -sign[t]
            for t in range(start[last], start[last + 1]):
                mark[column[t]] = 0
            if same or opposite:
                keep[r] = False
                continue
        last = r
    return keep
