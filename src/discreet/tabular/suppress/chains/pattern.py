"""A pattern from witnesses: one for each sensitive cell, the most demanding first; then each is looked for anew.

When a witness is looked for, hidden cells cost nothing, so that witnesses share cells. In later passes each is dropped
and found again, last first, at the prices that the others leave; it is replaced where that is cheaper. Then attackers
who know cells of their own: a sensitive cell whose witness moves such a cell gets another one that does not. What no
chain reaches is asked of linear programs over a neighborhood (local.py), and what these do not reach is `missing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.tabular.problem import PRIMARY, Ints, Problem
from discreet.tabular.suppress.chains.lattice import Lattice
from discreet.tabular.suppress.chains.local import Neighbors
from discreet.tabular.suppress.chains.witnesses import Pattern, Witness, wanted
from discreet.work import Deadline, Reporter

Flags = NDArray[np.bool_]
PASSES = 4
# A pass that gains less of the cost is the last.
_GAIN = 0.002
_EVERY = 64


class Chained(NamedTuple):
    """A pattern, the witnesses it is made of, and the sensitive cells without one, with what an attacker knows."""

    hidden: Flags
    cost: int
    witnesses: list[Witness]
    missing: list[tuple[int, Ints]]


def chain_pattern(
    problem: Problem,
    lattice: Lattice | None,
    attackers: Sequence[Ints],
    deadline: Deadline,
    reporter: Reporter,
    *,
    seed: int = 0,
) -> Chained:
    """The pattern; improved as long as time allows. Without a `lattice` there are no chains, and programs do it all."""
    search = _Search(problem, lattice, deadline, reporter, seed)
    search.first()
    for _ in range(PASSES):
        cost = search.cost
        if not search.again() or cost - search.cost < _GAIN * cost:
            break
    search.against(attackers)
    witnesses = [*search.found.values(), *search.others]
    return Chained(search.pattern.hidden, search.cost, witnesses, search.missing)


class _Search:
    """`found` is the witness of each sensitive cell, `others` are those against attackers who know cells."""

    def __init__(
        self, problem: Problem, lattice: Lattice | None, deadline: Deadline, reporter: Reporter, seed: int
    ) -> None:
        self.problem, self.pattern = problem, Pattern(problem, lattice, seed)
        self.found: dict[int, Witness] = {}
        self.others: list[Witness] = []
        self.missing: list[tuple[int, Ints]] = []
        self._deadline, self._reporter = deadline, reporter
        self._near: Neighbors | None = None
        needs = {int(p): wanted(problem, int(p)) for p in np.flatnonzero(problem.cells.status == PRIMARY)}
        self._needs = {p: want for p, want in needs.items() if any(want)}

    @property
    def cost(self) -> int:
        cells = self.problem.cells
        return int(cells.cost[self.pattern.hidden & (cells.status != PRIMARY)].sum())

    def first(self) -> None:
        """A witness for each sensitive cell, the largest level first."""
        order = sorted(self._needs, key=lambda p: (-max(self._needs[p]), p))
        for p in self._told(order, "chains"):
            witness = self._witness(p, [])
            if witness is not None:
                self.found[p] = witness

    def again(self) -> int:
        """One pass: every witness that has cells of its own is looked for anew; how many were replaced."""
        replaced = 0
        for p in self._told(list(self.found)[::-1], "routes again"):
            old = self.found[p]
            if self._deadline.passed:
                return 0
            if old.rise is None:
                continue
            new = self.pattern.find(p, self._needs[p]) if self.pattern.drop(old) else None
            if new is not None and self.pattern.price_of(new) < self.pattern.price_of(old):
                self.found[p] = new
                replaced += 1
            self.pattern.add(self.found[p])
        return replaced

    def against(self, attackers: Sequence[Ints]) -> None:
        """Witnesses that leave alone what attackers know, for the cells whose first one does not.

        The second witness avoids the cells of everybody who knows some of the first, so that whoever knows cells of the
        second knows none of the first. Where there is no such witness, each attacker gets one of his own.
        """
        who: dict[int, list[int]] = {}
        for a, own in enumerate(attackers):
            for cell in own.tolist():
                who.setdefault(cell, []).append(a)
        if not who:
            return
        for p in self._told(list(self.found), "attackers"):
            known = {a for cell in self.found[p].cell.tolist() if cell != p for a in who.get(cell, ())}
            able = [a for a in sorted(known) if p not in attackers[a]]
            if not able:
                continue
            barred = np.unique(np.concatenate([attackers[a] for a in able]))
            second = self.pattern.find(p, self._needs[p], barred)
            if second is not None:
                self.pattern.add(second)
                self.others.append(second)
                continue
            for a in able:
                witness = self._witness(p, attackers[a])
                if witness is not None:
                    self.others.append(witness)

    def _witness(self, p: int, known: Iterable[int]) -> Witness | None:
        """A witness, added to the pattern; by chains or else by programs, or noted as missing."""
        barred = np.array(list(known), np.int64)
        witness = self.pattern.find(p, self._needs[p], barred)
        if witness is None:
            if self._near is None:
                self._near = Neighbors(self.pattern)
            witness = self._near.protect(p, barred, self._deadline)
        if witness is None:
            self.missing.append((p, barred))
        else:
            self.pattern.add(witness)
        return witness

    def _told(self, cells: list[int], stage: str) -> Iterable[int]:
        for at, p in enumerate(cells):
            if at % _EVERY == 0:
                self._reporter(stage, at / len(cells))
            yield p
