"""Publish again what a pattern does not need: the dearest cells first, each if every requirement can be met without it.

A hidden cell that is alone in a relation is known exactly, so that publishing one cell may publish others with it, and
so on. Where that reaches a cell with a requirement, the first cell is needed, which no linear program has to say.
"""

from __future__ import annotations

import numpy as np

from discreet.tabular.problem import Ints
from discreet.tabular.suppress.attack import WIDE, Attack, covered, moved, reversible
from discreet.tabular.suppress.model import Flags, Model
from discreet.work import Deadline


class Alone:
    """How many hidden cells each relation has, and which: the last one left is known exactly."""

    def __init__(self, model: Model, hidden: Flags) -> None:
        moves = hidden & ((model.up > 0) | (model.down > 0))
        self._start, self._relation = model.transposed.indptr.tolist(), model.transposed.indices.tolist()
        incidence = abs(model.matrix)
        self._count: list[int] = (incidence @ moves.astype(np.int64)).tolist()
        # The sum of the numbers of the cells that are left names the last one.
        self._sum: list[int] = (incidence @ np.where(moves, np.arange(model.count), 0)).tolist()
        self._moves = moves
        self._sensitive = np.zeros(model.count, np.bool_)
        self._sensitive[model.requirements.cell] = True

    def publish(self, cell: int) -> list[int] | None:
        """The cells that are known once `cell` is; None, and nothing changed, where one of them has a requirement."""
        if not self._moves[cell]:
            return [cell]
        gone, at, fails = [cell], 0, False
        self._moves[cell] = False
        while at < len(gone) and not fails:
            i = gone[at]
            at += 1
            for r in self._relation[self._start[i] : self._start[i + 1]]:
                self._count[r] -= 1
                self._sum[r] -= i
            for r in self._relation[self._start[i] : self._start[i + 1]]:
                last = self._sum[r]
                if self._count[r] == 1 and self._moves[last]:
                    fails = fails or bool(self._sensitive[last])
                    self._moves[last] = False
                    gone.append(last)
        if not fails:
            return gone
        self._restore(gone, at)
        return None

    def hide(self, gone: list[int]) -> None:
        """Undo `publish`."""
        self._restore(gone, len(gone))

    def _restore(self, gone: list[int], counted: int) -> None:
        for place, i in enumerate(gone):
            self._moves[i] = True
            if place < counted:
                for r in self._relation[self._start[i] : self._start[i + 1]]:
                    self._count[r] += 1
                    self._sum[r] += i


class _Shown:
    """By which move each requirement is shown to be met. Requirements share moves; cells know the moves they are in."""

    def __init__(self, support: dict[int, Ints]) -> None:
        self.support = support
        self._requirements: list[set[int]] = []
        self._by: dict[int, int] = {}
        self._through: dict[int, list[int]] = {}
        self.enter(support)

    def enter(self, found: dict[int, Ints]) -> None:
        """Requirements are shown by other moves from now on; those of one move have the same array of cells."""
        numbers: dict[int, int] = {}
        for r, cells in found.items():
            if id(cells) not in numbers:
                numbers[id(cells)] = len(self._requirements)
                self._requirements.append(set())
                for i in cells.tolist():
                    self._through.setdefault(i, []).append(numbers[id(cells)])
            if r in self._by:
                self._requirements[self._by[r]].discard(r)
            self._by[r] = numbers[id(cells)]
            self._requirements[numbers[id(cells)]].add(r)
            self.support[r] = cells

    def by(self, cells: list[int]) -> set[int]:
        """The requirements whose moves use one of these cells."""
        found: set[int] = set()
        for i in cells:
            live = [number for number in self._through.get(i, ()) if self._requirements[number]]
            self._through[i] = live
            found.update(*(self._requirements[number] for number in live))
        return found


def prune(model: Model, hidden: Flags, support: dict[int, Ints], deadline: Deadline) -> int:
    """Publish what is not needed, in place; how many cells that was. `support` is kept current."""
    shown = _Shown(support)
    attack, alone = Attack(model, np.flatnonzero(hidden)), Alone(model, hidden)
    secondary = np.flatnonzero(hidden & model.free)
    # Requirements that often stand in the way are asked first.
    failures = np.zeros(model.requirements.n, np.int64)
    published = 0
    for i in secondary[np.lexsort((secondary, -model.cost[secondary]))].tolist():
        if deadline.passed:
            break
        gone = alone.publish(i) if hidden[i] else None
        if gone is None:
            continue
        attack.weigh(gone, 0.0)
        moves = _moves_without(attack, shown.by(gone), failures)
        if moves is None:
            attack.weigh(gone, 1.0)
            alone.hide(gone)
            continue
        free = [j for j in gone if model.free[j]]
        hidden[free] = False
        published += len(free)
        shown.enter(moves)
    return published


def _moves_without(attack: Attack, asked: set[int], failures: Ints) -> dict[int, Ints] | None:
    """The cells that move for each requirement `asked`; None where one cannot be met any more."""
    model = attack.model
    needs = model.requirements
    pending = np.zeros(needs.n, np.bool_)
    pending[list(asked)] = True
    found: dict[int, Ints] = {}
    order = np.flatnonzero(pending)
    for r in order[np.argsort(-failures[order], kind="stable")].tolist():
        if not pending[r]:
            continue
        reach = attack.solve(r, WIDE)
        if not reach.enough:
            failures[r] += 1
            return None
        pending[r] = False
        found[r] = moved(attack, reach)
        if len(reach.moves) == 1:
            move = reach.moves[0] * float(needs.need[r])
            for way in (move, -move) if reversible(model, attack.cells, move) else (move,):
                for q in covered(model, way, attack.place, pending).tolist():
                    pending[q] = False
                    found[q] = found[r]
    return found
