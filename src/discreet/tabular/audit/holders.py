"""Attackers who contribute to several cells: each knows his own part of every one of them.

A holding sees narrower boxes than everybody, in all the cells that it is behind at once (`holder.py`): a secondary cell
that it dominates can move little, and hides little from it. Against a holding with parts s_i

    max{s_i, lower_i} ≤ y_i ≤ upper_i   for the cells i it contributes to, everything else as for everybody,

every sensitive cell must keep its levels.

A move that everybody must think possible and that keeps within these boxes is one that it must think possible too, so
that only sensitive cells whose moves do not are decided again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.tabular.additive import Contributors
from discreet.tabular.audit.attackers import Attack
from discreet.tabular.audit.intervals import Intervals, Witness
from discreet.tabular.audit.knowledge import single_respondents
from discreet.tabular.audit.protection import protects
from discreet.tabular.holder import Holder
from discreet.tabular.problem import PRIMARY, SECONDARY, Ints, Problem
from discreet.work import Deadline

Flags = NDArray[np.bool_]


class Respondents(NamedTuple):
    """Attackers who know cells of their own and no more, one array each, and those who know parts of cells."""

    single: list[Ints]
    holders: list[Holder]


def respondents(problem: Problem, contributors: Contributors, hidden: Flags) -> Respondents:
    """Who knows what of the hidden cells.

    Where it is not said who contributes, only whoever is alone in a cell knows something. What a respondent knows of
    the parts of a total narrows the total for him, whatever is published. Who is alone in cells, and knows no other
    part, is a holder where that narrows a sensitive total to less than its level.
    """
    cells, who = problem.cells, contributors.who
    first = None if who is None or not who.shape[1] else who[:, 0]
    single = single_respondents(problem, contributors.number, hidden, first)
    if bool((contributors.magnitude != cells.value).any()):
        return Respondents(single, [])
    known = [(own, cells.value[own]) for own in single] if first is None else _known(problem, contributors)
    totals, sets, holders = _Totals(problem), [], []
    for own, part in known:
        alone = contributors.number[own] == 1
        value = cells.value[own]
        lower = np.where(alone, value, np.maximum(part, cells.lower[own]))
        boxes = totals.narrowed(own, lower, np.where(alone, value, cells.upper[own]))
        if alone.any():
            implied = boxes if alone.all() else totals.narrowed(own[alone], value[alone], value[alone])
            if boxes == implied and not any(_capped(problem, cell, *box) for cell, box in boxes.items()):
                if (alone & hidden[own]).any():
                    sets.append(own[alone & hidden[own]])
                continue
        mine = sorted(cell for cell in boxes if hidden[cell])
        if mine:
            ends = np.array([boxes[cell] for cell in mine], np.int64)
            holders.append(Holder(np.array(mine, np.int64), ends[:, 0], ends[:, 1]))
    return Respondents(sets, holders)


def _known(problem: Problem, contributors: Contributors) -> list[tuple[Ints, Ints]]:
    """The cells that each holding has a part of, and its parts, as far as they tell more than everybody knows."""
    cells, who, parts = problem.cells, contributors.who, contributors.parts
    assert who is not None
    cell, place = np.nonzero(who > 0)
    number, part = who[cell, place], contributors.top[cell, place]
    if parts is not None:
        cell, number, part = (
            np.concatenate(pair) for pair in ((cell, parts.cell), (number, parts.who), (part, parts.amount))
        )
    part = np.minimum(part, cells.value[cell])
    order = np.lexsort((-part, cell, number))
    cell, number, part = cell[order], number[order], part[order]
    new = np.append(True, (cell[1:] != cell[:-1]) | (number[1:] != number[:-1]))[: cell.size]
    cell, number, part = cell[new], number[new], part[new]
    tells = (part > cells.lower[cell]) | (contributors.number[cell] == 1)
    some = np.isin(number, np.unique(number[tells]))
    cell, number, part = cell[some], number[some], part[some]
    cuts = np.flatnonzero(np.diff(number)) + 1
    return list(zip(np.split(cell, cuts), np.split(part, cuts))) if cell.size else []


def _capped(problem: Problem, cell: int, lower: int, upper: int) -> bool:
    """Whether a sensitive cell of several contributors is known before to within less than its levels."""
    cells = problem.cells
    if cells.status[cell] != PRIMARY or lower == upper:
        return False
    value = cells.value[cell]
    short = cells.below[cell] > value - lower or cells.above[cell] > upper - value
    return bool(short or cells.sliding[cell] > upper - lower)


class _Totals:
    """Which totals a cell is a part of, and what they are made of."""

    def __init__(self, problem: Problem) -> None:
        rows = problem.relations
        self._cells = problem.cells
        relation = np.repeat(np.arange(rows.n), np.diff(rows.start))
        heads = np.flatnonzero(rows.sign < 0)
        single = (np.bincount(relation[heads], minlength=rows.n) == 1) & (rows.right == 0)
        self._head = np.full(rows.n, -1, np.int64)
        self._head[relation[heads]] = rows.cell[heads]
        inner = np.flatnonzero((rows.sign > 0) & single[relation])
        self._parts, self._begin = rows.cell[inner], np.searchsorted(relation[inner], np.arange(rows.n + 1))
        order = np.argsort(self._parts, kind="stable")
        self._of = relation[inner][order]
        self._first = np.searchsorted(self._parts[order], np.arange(self._cells.n + 1))
        # What the boxes of the parts of each relation sum to.
        self._sums = [
            np.diff(np.concatenate([[0], np.cumsum(box[self._parts])])[self._begin])
            for box in (self._cells.lower, self._cells.upper)
        ]

    def narrowed(self, cell: Ints, lower: Ints, upper: Ints) -> dict[int, tuple[int, int]]:
        """The boxes of some cells, and of the totals that they narrow, by cell."""
        boxes = {c: (low, high) for c, low, high in zip(cell.tolist(), lower.tolist(), upper.tolist())}
        sums: dict[int, tuple[int, int]] = {}
        waiting = [(c, self._box(c), box) for c, box in boxes.items()]
        while waiting:
            below, before, after = waiting.pop()
            for relation in self._of[self._first[below] : self._first[below + 1]].tolist():
                low, high = sums.get(relation) or self._sum(relation)
                low, high = low + after[0] - before[0], high + after[1] - before[1]
                sums[relation] = low, high
                head = int(self._head[relation])
                old = boxes.get(head) or self._box(head)
                new = max(old[0], low), min(old[1], high)
                if new != old:
                    boxes[head] = new
                    waiting.append((head, old, new))
        return boxes

    def _sum(self, relation: int) -> tuple[int, int]:
        return int(self._sums[0][relation]), int(self._sums[1][relation])

    def _box(self, cell: int) -> tuple[int, int]:
        return int(self._cells.lower[cell]), int(self._cells.upper[cell])


def holder_attacks(
    problem: Problem,
    hidden: Flags,
    found: Intervals,
    holders: Iterable[Holder],
    deadline: Deadline | None = None,
) -> tuple[list[tuple[int, Attack]], list[Witness]]:
    """The levels that do not hold against each holder and do against everybody, and the moves that showed the others.

    Attacks come with the holder's number. `found` is what the audit says of the pattern, with the moves that it knows.
    """
    cells, holders = problem.cells, list(holders)
    moves = [move for move in found.witnesses if move.denominator == 1]
    through = _through(moves)
    sensitive = set(np.flatnonzero(cells.status == PRIMARY).tolist())
    exposed = {(each.cell, each.kind) for each in found.shortfalls if each.proven}
    # Levels that no move shows are asked against every holder, the others against those whose boxes moves leave.
    open_cells = {cell for cell in sensitive if not _kept(cell, problem, moves, through, set(), exposed)}
    asking = range(len(holders)) if open_cells else _touched(holders, cells.value, moves)
    attacks, witnesses = [], list[Witness]()
    for turn in asking:
        holder = holders[turn]
        seen = holder.view(problem)
        gone = _beyond(holder, cells.value, moves, through)
        touched = {cell for number in gone for cell in moves[number].cell.tolist()} & sensitive
        asked = [
            cell
            for cell in sorted(touched | open_cells)
            if seen.cells.status[cell] == PRIMARY and not _kept(cell, seen, moves, through, gone, exposed)
        ]
        if not asked:
            continue
        status = np.where(seen.cells.status == PRIMARY, SECONDARY, seen.cells.status).astype(np.int8)
        status[asked] = PRIMARY
        left = [(move.cell, move.change) for number, move in enumerate(moves) if number not in gone]
        again = protects(seen._replace(cells=seen.cells._replace(status=status)), hidden, moves=left, deadline=deadline)
        witnesses += again.witnesses
        short = tuple(each for each in again.shortfalls if (each.cell, each.kind) not in exposed)
        if short:
            attacks.append((turn, Attack(holder.cell[hidden[holder.cell]], short)))
    return attacks, witnesses


def against_holders(
    problem: Problem, hidden: Flags, found: Intervals, holders: Sequence[Holder], deadline: Deadline | None = None
) -> Intervals:
    """The audit with what does not hold against holders, and with the moves that show what does."""
    attacks, witnesses = holder_attacks(problem, hidden, found, holders, deadline)
    against = (*found.attacks, *(attack for _, attack in attacks))
    return found._replace(attacks=against, witnesses=(*found.witnesses, *witnesses))


def _through(moves: Sequence[Witness]) -> dict[int, list[int]]:
    """For each cell the moves that move it."""
    found: dict[int, list[int]] = {}
    for number, move in enumerate(moves):
        for cell in move.cell[move.change != 0].tolist():
            found.setdefault(cell, []).append(number)
    return found


def _beyond(holder: Holder, value: Ints, moves: Sequence[Witness], through: dict[int, list[int]]) -> set[int]:
    """The moves that leave the boxes of a holder."""
    gone = set()
    for cell, low, high in zip(holder.cell.tolist(), holder.lower.tolist(), holder.upper.tolist()):
        for number in through.get(cell, ()):
            move = moves[number]
            there = int(value[cell]) + int(move.change[move.cell == cell][0])
            if not low <= there <= high:
                gone.add(number)
    return gone


def _touched(holders: Sequence[Holder], value: Ints, moves: Sequence[Witness]) -> list[int]:
    """The holders whose boxes some move leaves."""
    least, most = value.copy(), value.copy()
    for move in moves:
        there = value[move.cell] + move.change
        least[move.cell] = np.minimum(least[move.cell], there)
        most[move.cell] = np.maximum(most[move.cell], there)
    if not holders:
        return []
    cell, lower, upper = (np.concatenate(column) for column in zip(*holders))
    number = np.repeat(np.arange(len(holders)), [holder.cell.size for holder in holders])
    beyond = (least[cell] < lower) | (most[cell] > upper)
    return np.unique(number[beyond]).tolist()


def _kept(
    cell: int,
    seen: Problem,
    moves: Sequence[Witness],
    through: dict[int, list[int]],
    gone: set[int],
    exposed: set[tuple[int, int]],
) -> bool:
    """Whether moves that are not `gone` reach all levels of a cell but those that are `exposed` to everybody."""
    left = [moves[number] for number in through.get(cell, ()) if number not in gone]
    much = [int(move.change[move.cell == cell][0]) for move in left]
    up, down = max([0, *much]), min([0, *much])
    cells = seen.cells
    reached = {1: up >= cells.above[cell], -1: -down >= cells.below[cell], 0: up - down >= cells.sliding[cell]}
    return all(shown or (cell, kind) in exposed for kind, shown in reached.items())
