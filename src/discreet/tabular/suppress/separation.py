"""Which inequalities does a fractional x violate? One intruder's program for each requirement.

Two tricks make few rounds do (measured on hierarchical three-way tables): capacities are cut at the need inside the
program, so that it looks for rows that stay violated after strengthening; and x is moved a little into the interior (by
`lift` on all candidates), so that among the optimal multipliers those are found that also cut near points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.tabular.problem import Ints
from discreet.tabular.suppress.attack import Attack, Unmet, check
from discreet.tabular.suppress.capacity import violated
from discreet.tabular.suppress.master import Master
from discreet.tabular.suppress.model import Floats
from discreet.work import Deadline

_UNLIMITED = 1e6


class Phase(NamedTuple):
    """How to separate: cut capacities at `most` needs, and lift x by `lift`."""

    most: float
    lift: float


# Fast ones first; few and good ones at the root; those of x alone at the nodes of the tree.
ROUGH, FINE, STRICT = Phase(_UNLIMITED, 0.0), Phase(1.0, 1e-3), Phase(1.0, 0.0)


class Separated(NamedTuple):
    """How many rows are new, and the requirements that were violated."""

    added: int
    violated: list[int]


def separate(master: Master, x: Floats, requirements: Ints, phase: Phase, deadline: Deadline) -> Separated:
    model = master.model
    lifted = np.where(model.open & model.candidate, np.minimum(x + phase.lift, 1.0), np.where(model.open, x, 0.0))
    lifted[model.forced] = 1.0
    cells = np.flatnonzero(lifted > 1e-9)
    attack = Attack(model, cells, lifted[cells])
    added, found = 0, []
    for r in requirements.tolist():
        if deadline.passed:
            break
        reach = attack.solve(r, phase.most)
        if reach.value >= 1 - 1e-4:
            continue
        cut = violated(model, r, reach.multipliers[0], reach.multipliers[1] if len(reach.multipliers) > 1 else None, x)
        if cut is not None:
            found.append(r)
            added += master.add(cut)
    return Separated(added, found)


def add_unmet(master: Master, unmet: list[Unmet], x: Floats) -> int:
    """Rows from the multipliers of a check that a 0/1 pattern x failed."""
    added = 0
    for r, _, multipliers in unmet:
        lower = multipliers[1] if len(multipliers) > 1 else None
        added += master.add(violated(master.model, r, multipliers[0], lower, x))
    return added


def separate_rounded(master: Master, x: Floats, known: dict[int, Ints], least: float) -> int:
    """Rows that x violates, by the multipliers of what the pattern of cells with x ≥ `least` does not protect.

    A cover often makes them violated where x itself satisfies every plain row.
    """
    hidden = (x >= least) | master.model.forced
    return add_unmet(master, check(master.model, hidden, known).unmet, x)
