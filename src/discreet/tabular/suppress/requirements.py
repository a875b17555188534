"""What a pattern must leave possible: one requirement for each attacker, sensitive cell and side.

Attacker 0 knows what is published. Others know cells of their own beside (a single respondent, a holding): for them
those cells do not move. Holders know their parts of several cells: for them these move less (`holder.py`).

Side 1 asks for a_p + above, side −1 for a_p − below, and side 0 (sliding) that the two ends of what is possible are at
least `sliding` apart; it is left out where the other two already give that much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from discreet.tabular.holder import Holder
from discreet.tabular.problem import PRIMARY, Codes, Ints, Problem


class Requirements(NamedTuple):
    """Requirement r is about `cell[r]`; the cells attacker a knows are known[start[a] : start[a + 1]].

    For him they move by no more than `up` and `down`, 0 where he knows them exactly. `holder[a]` is the number of the
    holder that he is, -1 for none.
    """

    cell: Ints
    side: Codes
    need: Ints
    attacker: Ints
    start: Ints
    known: Ints
    up: Ints
    down: Ints
    holder: Ints

    @property
    def n(self) -> int:
        return self.cell.size

    def known_to(self, attacker: int) -> Ints:
        return self.known[self.start[attacker] : self.start[attacker + 1]]

    def reach_of(self, attacker: int) -> tuple[Ints, Ints, Ints]:
        """The cells that an attacker knows of, and how far each may go up and down for him."""
        own = slice(self.start[attacker], self.start[attacker + 1])
        return self.known[own], self.up[own], self.down[own]

    def part(self, chosen: Ints) -> Requirements:
        return self._replace(
            cell=self.cell[chosen], side=self.side[chosen], need=self.need[chosen], attacker=self.attacker[chosen]
        )


def requirements_of(
    problem: Problem, attackers: Sequence[Sequence[int]] = (), holders: Mapping[int, Holder] | None = None
) -> Requirements:
    """All requirements of a problem; `attackers` are the cells that each single respondent or holding knows.

    `holders` are those by number who know parts of cells.
    """
    parts = holders or {}
    knows = [np.zeros(0, np.int64), *(np.unique(np.asarray(own, np.int64)) for own in attackers)]
    nothing = [np.zeros_like(own) for own in knows]
    first = len(knows)
    knows += [part.cell for part in parts.values()]
    views = [part.view(problem).cells for part in parts.values()]
    up = [*nothing, *((view.upper - view.value)[part.cell] for view, part in zip(views, parts.values()))]
    down = [*nothing, *((view.value - view.lower)[part.cell] for view, part in zip(views, parts.values()))]
    start = np.zeros(len(knows) + 1, np.int64)
    start[1:] = np.cumsum([own.size for own in knows])
    cell, side, need, attacker = [], [], [], []
    for a, own in enumerate(knows):
        cells = problem.cells if a < first else views[a - first]
        theirs = np.flatnonzero(cells.status == PRIMARY)
        if 0 < a < first:
            theirs = theirs[~np.isin(theirs, own)]
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
        np.concatenate(up),
        np.concatenate(down),
        np.array([-1] * first + list(parts), np.int64),
    )
    # Equal boxes of the intruder's program stand together: fewer changes between two solutions of it.
    return found.part(np.lexsort((found.cell, found.need, found.side, found.attacker)))
