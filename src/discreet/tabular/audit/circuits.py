"""Small moves of +1 and -1 through a cell: cycles, hypercubes, chains of totals, found by search.

A cell that moves breaks its relations; each broken relation is mended by another of its hidden cells, until none is
broken. In a two-way table that gives cycles, in a d-way table hypercubes and what resembles them. The search goes depth
first, takes the shortest broken relation, tries first the cell that leaves fewest relations broken, and gives up after
some steps. Only cells that can move by the wanted step in the wanted direction take part, so that whatever is
found is a witness of that size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from discreet.kernels import inner
from discreet.tabular.audit.system import Component
from discreet.tabular.problem import Codes, Ints

# The most cells of a move, and how many steps are spent on it before the next.
PLAN = ((4, 200), (8, 1500), (12, 1500), (24, 1500), (96, 2000))
BREADTH = 8
MOST = PLAN[-1][0]


class Graph(NamedTuple):
    """Rows by cells and cells by rows, and how far cells can move; what the search writes to is in `Scratch`."""

    start: Ints
    column: Ints
    sign: Codes
    column_start: Ints
    row: Ints
    row_sign: Codes
    low: Ints
    high: Ints


class Scratch(NamedTuple):
    used: Codes
    balance: Ints
    place: Ints
    broken: Ints
    support: Ints
    choice: Ints


def graph(component: Component) -> Graph:
    order = np.argsort(component.column, kind="stable")
    column_start = np.zeros(component.n + 1, np.int64)
    np.cumsum(np.bincount(component.column, minlength=component.n), out=column_start[1:])
    row = np.repeat(np.arange(component.row.size), np.diff(component.start))[order]
    return Graph(
        component.start,
        component.column,
        component.sign,
        column_start,
        row,
        component.sign[order],
        component.low,
        component.high,
    )


def scratch(component: Component) -> Scratch:
    rows = component.row.size
    return Scratch(
        np.zeros(component.n, np.int8),
        np.zeros(rows, np.int64),
        np.full(rows, -1, np.int64),
        np.zeros(rows + 1, np.int64),
        np.zeros(MOST + 1, np.int64),
        np.zeros((MOST + 1, BREADTH + 2), np.int64),
    )


def circuit(known: Graph, work: Scratch, column: int, sign: int, step: int) -> Ints | None:
    """A move through `column`, by at least `step` to its side, as far as boxes allow; None where none was found."""
    for cells, steps in PLAN:
        count = _search(known, work, column, sign, step, cells, steps)
        if count:
            change = np.zeros(known.low.size, np.int64)
            support = work.support[:count]
            change[support] = work.used[support]
            work.used[support] = 0
            room = np.where(change > 0, known.high, -known.low)[support].min()
            return change * room
    return None


@inner
def _apply(known: Graph, work: Scratch, j: int, direction: int, broken: int) -> int:
    """Let cell j go a step; returns how many relations are broken then."""
    work.used[j] += direction
    for t in range(known.column_start[j], known.column_start[j + 1]):
        r = known.row[t]
        before = work.balance[r]
        work.balance[r] = before + known.row_sign[t] * direction
        if before == 0:
            work.place[r] = broken
            work.broken[broken] = r
            broken += 1
        elif work.balance[r] == 0:
            broken -= 1
            last = work.broken[broken]
            work.broken[work.place[r]] = last
            work.place[last] = work.place[r]
            work.place[r] = -1
    return broken


@inner
def _candidates(known: Graph, work: Scratch, level: int, broken: int, step: int) -> None:
    """The cells that can mend the shortest broken relation, those first that leave fewest broken: choice[level]."""
    row = work.broken[0]
    for b in range(1, broken):
        r = work.broken[b]
        if known.start[r + 1] - known.start[r] < known.start[row + 1] - known.start[row]:
            row = r
    found = 0
    scores = np.empty(BREADTH, np.int64)
    for t in range(known.start[row], known.start[row + 1]):
        j = known.column[t]
        direction = -known.sign[t] if work.balance[row] > 0 else known.sign[t]
        if work.used[j] != 0 or (known.high[j] if direction > 0 else -known.low[j]) < step:
            continue
        score = 0
        for q in range(known.column_start[j], known.column_start[j + 1]):
            balance = work.balance[known.row[q]]
            score += abs(balance + known.row_sign[q] * direction) - abs(balance)
        if found == BREADTH and score >= scores[BREADTH - 1]:
            continue
        at = found if found < BREADTH else BREADTH - 1
        while at > 0 and scores[at - 1] > score:
            scores[at] = scores[at - 1]
            work.choice[level, at + 2] = work.choice[level, at + 1]
            at -= 1
        scores[at] = score
        work.choice[level, at + 2] = (j + 1) * direction
        found = min(found + 1, BREADTH)
    work.choice[level, 0] = found
    work.choice[level, 1] = 0


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _search(known: Graph, work: Scratch, column: int, sign: int, step: int, cells: int, steps: int) -> int:
    """How many cells the move has, in `work.support` with their directions in `work.used`; 0 where none was found."""
    widest = 1
    for r in range(known.column_start.size - 1):
        widest = max(widest, known.column_start[r + 1] - known.column_start[r])
    broken = _apply(known, work, column, sign, 0)
    work.support[0] = column
    count = 1
    if broken:
        _candidates(known, work, 0, broken, step)
    while broken and count and steps > 0:
        level = count - 1
        at = work.choice[level, 1]
        if at < work.choice[level, 0] and count < cells:
            steps -= 1
            work.choice[level, 1] += 1
            chosen = work.choice[level, at + 2]
            j, direction = abs(chosen) - 1, (1 if chosen > 0 else -1)
            broken = _apply(known, work, j, direction, broken)
            work.support[count] = j
            count += 1
            if broken:
                if broken > widest * (cells - count):
                    count -= 1
                    broken = _apply(known, work, j, -direction, broken)
                else:
                    _candidates(known, work, count - 1, broken, step)
        else:
            count -= 1
            if count:
                j = work.support[count]
                broken = _apply(known, work, j, -work.used[j], broken)
    if broken or count == 0:
        while count > 0:
            count -= 1
            j = work.support[count]
            if work.used[j] != 0:
                broken = _apply(known, work, j, -work.used[j], broken)
        if work.used[column] != 0:
            _apply(known, work, column, -work.used[column], broken)
        return 0
    return count
