"""What sensitive cells need, and whether ends that are known settle it.

Cell p is protected when tables with y_p ≥ a_p + above and y_p ≤ a_p - below are possible, and when the two ends of what
is possible are at least `sliding` apart. Inner ends, attained by tables of whole numbers, prove protection; outer ends,
which no table exceeds, prove its absence. Between them nothing is claimed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.tabular.problem import PRIMARY, Ints, Problem

ABOVE, BELOW, SLIDING = 1, -1, 0
WORDS = {ABOVE: "above", BELOW: "below", SLIDING: "sliding"}


class Shortfall(NamedTuple):
    """A requirement that is not proven to hold: cell, which (ABOVE, BELOW or SLIDING), how much is needed.

    `possible` is what no table exceeds, `attained` what one reaches, both from the true value (for SLIDING: how far the
    ends are apart). Below `needed` the first proves that the cell is exposed.
    """

    cell: int
    kind: int
    needed: int
    attained: int
    possible: int

    @property
    def proven(self) -> bool:
        return self.possible < self.needed

    @property
    def missing(self) -> int:
        """How much protection lacks for certain."""
        return max(0, self.needed - self.possible)


def shortfalls(problem: Problem, cell: Ints, outer: Ints, inner: Ints) -> list[Shortfall]:
    """Requirements of the sensitive cells that the inner ends do not prove; in the order of the cells.

    `outer` and `inner` are (2, n) moves of the hidden cells `cell`; a sensitive cell that is published has none.
    """
    cells = problem.cells
    primary = np.flatnonzero(cells.status == PRIMARY)
    place = np.full(cells.n, -1, np.int64)
    place[cell] = np.arange(cell.size)
    found = place[primary]
    ends = np.where(found >= 0, outer[:, found], 0) if cell.size else np.zeros((2, primary.size), np.int64)
    reached = np.where(found >= 0, inner[:, found], 0) if cell.size else ends
    out = []
    least = np.where(found >= 0, 0, 1)  # what is published is not protected, whatever its levels
    needs = (
        (ABOVE, np.maximum(cells.above[primary], least), reached[0], ends[0]),
        (BELOW, np.maximum(cells.below[primary], least), -reached[1], -ends[1]),
        (SLIDING, cells.sliding[primary], reached[0] - reached[1], ends[0] - ends[1]),
    )
    for kind, needed, attained, possible in needs:
        short = np.flatnonzero(attained < needed)
        rows = zip(primary[short], needed[short], attained[short], possible[short])
        out += [Shortfall(int(p), kind, int(n), int(a), int(o)) for p, n, a, o in rows]
    return sorted(out, key=lambda each: (each.cell, -each.kind))


def targets(problem: Problem, cell: Ints) -> tuple[Ints, Ints]:
    """How far each hidden cell must be able to move, (2, n), and how far apart its ends must be; 0: not sensitive."""
    cells = problem.cells
    primary = cells.status[cell] == PRIMARY
    wanted = np.array([np.where(primary, cells.above[cell], 0), np.where(primary, -cells.below[cell], 0)])
    return wanted, np.where(primary, cells.sliding[cell], 0)
