"""What a pattern must leave possible: one requirement for each attacker, sensitive cell and side.

Attacker 0 knows what is published. Others know cells of their own beside (a single respondent, a holding): for them
those cells do not move. Side 1 asks for a_p + above, side −1 for a_p − below, and side 0 (sliding) that the two ends of
what is possible are at least `sliding` apart; it is left out where the other two already give that much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.tabular.problem import PRIMARY, Codes, Ints, Problem


class Requirements(NamedTuple):
    """Requirement r is about `cell[r]`; the cells attacker a knows are known[start[a] : start[a + 1]]."""

    cell: Ints
    side: Codes
    need: Ints
    attacker: Ints
    start: Ints
    known: Ints

    @property
    def n(self) -> int:
        return self.cell.size

    def known_to(self, attacker: int) -> Ints:
        return self.known[self.start[attacker] : self.start[attacker + 1]]

    def part(self, chosen: Ints) -> Requirements:
        return self._replace(
            cell=self.cell[chosen], side=self.side[chosen], need=self.need[chosen], attacker=self.attacker[chosen]
        )


def requirements_of(problem: Problem, attackers: Sequence[Sequence[int]] = ()) -> Requirements:
    """All requirements of a problem; `attackers` are the cells that each single respondent or holding knows."""
    cells = problem.cells
    knows = [np.zeros(0, np.int64), *(np.unique(np.asarray(own, np.int64)) for own in attackers)]
    start = np.zeros(len(knows) + 1, np.int64)
    start[1:] = np.cumsum([own.size for own in knows])
    primary = np.flatnonzero(cells.status == PRIMARY)
    cell, side, need, attacker = [], [], [], []
    for a, own in enumerate(knows):
        theirs = primary[~np.isin(primary, own)] if a else primary
        above, below, sliding = cells.above[theirs], cells.below[theirs], cells.sliding[theirs]
        apart = np.where(sliding > np.maximum(above, 0) + np.maximum(below, 0), sliding, 0)
        for s, much in ((1, above), (-1, below), (0, apart)):
            asked = much > 0
            cell.append(theirs[asked])
            side.append(np.full(int(asked.sum()), s, np.int8))
            need.append(much[asked])
            attacker.append(np.full(int(asked.sum()), a, np.int64))
    found = Requirements(
        np.concatenate(cell),
        np.concatenate(side),
        np.concatenate(need),
        np.concatenate(attacker),
        start,
        np.concatenate(knows),
    )
    # Equal boxes of the intruder's program stand together: fewer changes between two solutions of it.
    return found.part(np.lexsort((found.cell, found.need, found.side, found.attacker)))
