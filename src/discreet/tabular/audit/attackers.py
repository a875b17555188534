"""Attackers who know cells of their own: a single respondent, a holding that is behind several cells.

Whoever knows the cells K sees the system with f = 0 on K. A move that leaves K alone is a witness against him too, so
that only sensitive cells all of whose moves touch K have to be decided again, in the component that K is in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.tabular.audit.component import DOWN, UP, Ends
from discreet.tabular.audit.decide import Wanted, decide, missing
from discreet.tabular.audit.levels import Shortfall, shortfalls, targets
from discreet.tabular.audit.propagation import SWEEPS, connect, propagate
from discreet.tabular.audit.system import Component, System, components
from discreet.tabular.problem import Ints, Problem
from discreet.work import Deadline


class Attack(NamedTuple):
    """What an attacker who knows the cells `known` leaves unproven."""

    known: Ints
    shortfalls: tuple[Shortfall, ...]


class _Moves:
    """A component's whole moves by the columns they move, and where each column stands."""

    def __init__(self, ends: Ends, count: int) -> None:
        self.ends = ends
        self.local = np.full(count, -1, np.int64)
        self.local[ends.component.place] = np.arange(ends.component.n)
        whole = [m for m, move in enumerate(ends.moves) if move.denominator == 1]
        column = np.concatenate([np.zeros(0, np.int64), *(ends.moves[m].column for m in whole)])
        self._move = np.repeat(np.array(whole, np.int64), [ends.moves[m].column.size for m in whole])
        order = np.argsort(column, kind="stable")
        self._move = self._move[order]
        self._start = np.searchsorted(column[order], np.arange(ends.component.n + 1))

    def through(self, columns: Ints) -> Ints:
        """The moves that move one of these columns."""
        found = [self._move[self._start[c] : self._start[c + 1]] for c in columns.tolist()]
        return np.unique(np.concatenate([np.zeros(0, np.int64), *found]))

    def lost(self, columns: Ints, needs: Wanted) -> NDArray[np.bool_]:
        """Columns whose levels no move reaches, or whose furthest moves are moves of these columns."""
        ends = self.ends
        gone = np.zeros(len(ends.moves) + 1, np.bool_)  # the last one stands for no move
        gone[self.through(columns)] = True
        needed = (needs.move != 0) | (needs.sliding != 0)
        short = (ends.inner[UP] < needs.move[UP]) | (ends.inner[DOWN] > needs.move[DOWN]) | _slides(ends, needs)
        return short | (needed[UP] & gone[ends.witness[UP]]) | (needed[DOWN] & gone[ends.witness[DOWN]])


def attacks(
    problem: Problem, system: System, results: Sequence[Ends], known: Sequence[Ints], deadline: Deadline
) -> tuple[Attack, ...]:
    """For each set of known cells the levels of others that are proven without but not against it; none: left out."""
    if not len(known):
        return ()
    column = np.full(problem.cells.n, -1, np.int64)
    column[system.cell] = np.arange(system.cell.size)
    of_component = {int(system.component[ends.component.place[0]]): ends for ends in results}
    prepared: dict[int, _Moves] = {}
    wanted, sliding = targets(problem, system.cell)
    found = []
    for own in known:
        columns = column[np.asarray(own, np.int64)]
        columns = columns[columns >= 0]
        open_columns = columns[system.component[columns] >= 0]
        short: list[Shortfall] = []
        for number in np.unique(system.component[open_columns]).tolist():
            if number in of_component:
                if number not in prepared:
                    prepared[number] = _Moves(of_component[number], system.cell.size)
                place = of_component[number].component.place
                apart = prepared[number].local[open_columns]
                needs = Wanted(wanted[:, place], sliding[place])
                short += _against(problem, system, prepared[number], apart[apart >= 0], needs, deadline)
        if short:
            found.append(Attack(np.asarray(own, np.int64), tuple(short)))
    return tuple(found)


def _against(
    problem: Problem, system: System, moves: _Moves, known: Ints, needs: Wanted, deadline: Deadline
) -> list[Shortfall]:
    """Levels of a component that are not proven against who knows the columns `known`.

    Only cells whose own witnesses move what he knows are asked again, with the other moves that are known of them.
    """
    ends = moves.ends
    asked = moves.lost(known, needs)
    asked[known] = False
    if not asked.any():
        return []
    apart = np.zeros(ends.component.n, np.bool_)
    apart[known] = True
    needs = Wanted(np.where(asked, needs.move, 0), np.where(asked, needs.sliding, 0))
    own = Ends(ends.component)
    own.outer[:, apart] = 0
    for m in np.setdiff1d(moves.through(np.flatnonzero(asked)), moves.through(known)).tolist():
        change = np.zeros(ends.component.n, np.int64)
        change[ends.moves[m].column] = ends.moves[m].change
        own.take(change)
    if not missing(own, needs.move) and not _slides(own, needs).any():
        return []  # every level is reached, but those that boxes rule out whoever attacks
    settled = _again(own, apart, needs, deadline)
    cells = set(system.cell[ends.component.place[asked]].tolist())
    already = _short(problem, system, ends, ends.outer, ends.inner)
    before = {(each.cell, each.kind) for each in already if each.proven}
    found = _short(problem, system, ends, *settled)
    return [each for each in found if each.cell in cells and (each.cell, each.kind) not in before]


def _short(problem: Problem, system: System, ends: Ends, outer: Ints, inner: Ints) -> list[Shortfall]:
    """The shortfalls of all sensitive cells for these ends of a component; others than its own are of no account."""
    every = np.zeros((2, 2, system.cell.size), np.int64)
    every[0][:, ends.component.place], every[1][:, ends.component.place] = outer, inner
    return shortfalls(problem, system.cell, every[0], every[1])


def _slides(ends: Ends, needs: Wanted) -> NDArray[np.bool_]:
    return np.asarray(ends.inner[UP] - ends.inner[DOWN] < needs.sliding)


def _again(ends: Ends, apart: NDArray[np.bool_], needs: Wanted, deadline: Deadline) -> tuple[Ints, Ints]:
    """The component without the known columns, which may fall into several; outer and inner ends of its columns."""
    part = ends.component
    low, high = np.where(apart, 0, part.low), np.where(apart, 0, part.high)
    propagate(part.start, part.column, part.sign, low, high, SWEEPS)
    linked = connect(part.start, part.column, low, high)
    rest = System(part.place, part.row, part.start, part.column, part.sign, low, high, linked)
    outer, inner = np.array([high, low]), np.where(apart, 0, ends.inner)
    for piece in components(rest):
        wanted = Wanted(needs.move[:, piece.place], needs.sliding[piece.place])
        if not (wanted.move.any() or wanted.sliding.any()):
            continue
        begun = Ends(piece)
        _carry(ends, begun, piece)
        decided = decide(piece, wanted, deadline, begun)
        outer[:, piece.place], inner[:, piece.place] = decided.outer, decided.inner
    return outer, inner


def _carry(ends: Ends, begun: Ends, piece: Component) -> None:
    """Moves that are known already count here too."""
    for move in ends.moves:
        change = np.zeros(ends.component.n, np.int64)
        change[move.column] = move.change
        begun.take(change[piece.place])
