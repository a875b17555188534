"""What protects what: for each cell that was hidden to protect others, the sensitive cells that need it.

A sensitive cell needs a hidden one if it is not proven to keep its levels when that one alone is published as well. It
is asked again cell by cell; witnesses of the pattern that do not move the cell stand as they are, so that most need no
further work. In a large pattern that would take long: there the witnesses themselves
say what moves along with a sensitive cell, which is more than it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.tabular.audit.holders import against_holders
from discreet.tabular.audit.intervals import Intervals
from discreet.tabular.audit.protection import protects
from discreet.tabular.holder import Holder
from discreet.tabular.problem import PRIMARY, SECONDARY, Ints, Problem

# Cells that are published for a trial one by one.
TRIALS = 200


class Guard(NamedTuple):
    """A hidden cell and the sensitive cells that need it, or that move along with it."""

    cell: int
    protects: tuple[int, ...]


class Guards(NamedTuple):
    """`tried` says that each cell was published for a trial; else who moves along with whom is all that is known."""

    guards: tuple[Guard, ...]
    tried: bool


def guards(
    problem: Problem, intervals: Intervals, known: Sequence[Ints] = (), holders: Sequence[Holder] = ()
) -> Guards:
    """The guards of a pattern that `intervals` confirms, in the order of their cells, against all these attackers."""
    chosen = np.flatnonzero(problem.cells.status == SECONDARY)
    if chosen.size > TRIALS:
        return Guards(_moved_along(problem, intervals), False)
    return Guards(tuple(_trial(problem, intervals, cell, known, holders) for cell in chosen.tolist()), True)


def _trial(
    problem: Problem, intervals: Intervals, cell: int, known: Sequence[Ints], holders: Sequence[Holder]
) -> Guard:
    """Publish a cell as well, and see who falls short."""
    hidden = problem.cells.hidden
    hidden[cell] = False
    standing = (w for w in intervals.witnesses if w.denominator == 1 and not (w.cell[w.change != 0] == cell).any())
    moves = [(w.cell, w.change) for w in standing]
    attackers = [own for own in known if hidden[own].any()]
    found = against_holders(problem, hidden, protects(problem, hidden, known=attackers, moves=moves), holders)
    return Guard(cell, tuple(sorted({each.cell for each in (*found.exposed, *found.undecided)})))


def _moved_along(problem: Problem, intervals: Intervals) -> tuple[Guard, ...]:
    """The cells that move in the witnesses of a sensitive one."""
    status = problem.cells.status
    found: dict[int, set[int]] = {cell: set() for cell in np.flatnonzero(status == SECONDARY).tolist()}
    for at in np.flatnonzero(status[intervals.cell] == PRIMARY).tolist():
        for number in (intervals.upper_witness[at], intervals.lower_witness[at]):
            if number < 0:
                continue
            witness = intervals.witnesses[number]
            for cell in witness.cell[witness.change != 0].tolist():
                if cell in found:
                    found[cell].add(int(intervals.cell[at]))
    return tuple(Guard(cell, tuple(sorted(those))) for cell, those in found.items())
