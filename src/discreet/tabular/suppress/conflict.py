"""Why no pattern protects: one requirement that stays unmet when every cell that may be hidden is hidden.

The multipliers of the intruder's program then prove it with the relations they use. The smallest conflict is the
requirement whose proof uses the fewest relations: a sensitive cell alone with published ones in one relation is the
most common one. Relations are taken out of a proof while the rest still proves it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from discreet.solvers.warm_lp import Box, WarmLp
from discreet.tabular.problem import Ints
from discreet.tabular.suppress.attack import check
from discreet.tabular.suppress.model import Flags
from discreet.tabular.suppress.state import State

_SHOWN = 8  # unmet requirements whose proofs are made small
_TRIED = 60  # relations taken out, one after the other


class Conflict(NamedTuple):
    """A cell whose level cannot be reached on a side, the attacker, and the relations that prove it."""

    cell: int
    side: int
    need: int
    attacker: int
    relations: Ints
    # Requirements that no pattern meets, in all.
    unmet: int


def conflict_of(state: State) -> Conflict | None:
    """The smallest conflict; None where hiding everything protects, which is then a pattern to prune."""
    model = state.model
    everything = model.forced | model.open
    checked = check(model, everything, state.own)
    if not checked.unmet:
        # Routes were looked for among the cheapest cells only.
        model.candidate[:] = True
        state.repair(everything)
        return None
    best: tuple[int, Ints] | None = None
    for unmet in checked.unmet[:_SHOWN]:
        relations = np.unique(np.concatenate([np.flatnonzero(np.abs(m) > 1e-9) for m in unmet.multipliers]))
        if model.requirements.side[unmet.requirement]:
            relations = _smaller(state, unmet.requirement, relations, everything)
        if best is None or relations.size < best[1].size:
            best = unmet.requirement, relations
    assert best is not None
    r, relations = best
    needs = model.requirements
    return Conflict(
        int(needs.cell[r]),
        int(needs.side[r]),
        int(needs.need[r]),
        int(needs.attacker[r]),
        relations,
        len(checked.unmet),
    )


def _smaller(state: State, requirement: int, relations: Ints, hidden: Flags) -> Ints:
    """One relation that proves it alone, or relations without which nothing is proven, taken out one by one."""
    transposed, p = state.model.transposed, int(state.model.requirements.cell[requirement])
    for r in transposed.indices[transposed.indptr[p] : transposed.indptr[p + 1]].tolist():
        if not _reaches(state, requirement, np.array([r]), hidden):
            return np.array([r], np.int64)
    kept = relations.tolist()
    for r in relations[:_TRIED].tolist():
        rest = [other for other in kept if other != r]
        if not _reaches(state, requirement, np.array(rest, np.int64), hidden):
            kept = rest
    return np.array(kept, np.int64)


def _reaches(state: State, requirement: int, relations: Ints, hidden: Flags) -> bool:
    """Whether the requirement can be met if only these relations hold."""
    model, needs = state.model, state.model.requirements
    p, side, need = (int(part[requirement]) for part in (needs.cell, needs.side, needs.need))
    matrix = model.matrix[relations].astype(np.float64)
    low = np.where(hidden, -np.minimum(model.down / need, 1e6), 0.0)
    high = np.where(hidden, np.minimum(model.up / need, 1e6), 0.0)
    cells, up, down = needs.reach_of(int(needs.attacker[requirement]))
    low[cells], high[cells] = -down / need * hidden[cells], up / need * hidden[cells]
    cost = np.zeros(model.count)
    cost[p] = -side
    level = np.zeros(relations.size)
    solution = WarmLp(matrix, cost, Box(low, high), Box(level, level)).run()
    return -solution.value >= 1 - 1e-7
