"""Cutting planes at the root: the linear master program, separation, fixing, and patterns repaired from its solutions.

Rough rows first, while they are many; strict ones, which are cheap too; then fine ones with covers, roundings and
bridges, until the bound stands still.
"""

from __future__ import annotations

import numpy as np

from discreet.tabular.problem import Ints
from discreet.tabular.suppress.model import Floats
from discreet.tabular.suppress.separation import FINE, ROUGH, STRICT, Phase, Separated, separate, separate_rounded
from discreet.tabular.suppress.state import State

_NEXT = {ROUGH: STRICT, STRICT: FINE}
_EVERY = 6  # rounds between two repairs
_NEWS = 2e-3  # a bound that grew by less leads to the same pattern again


def cut_root(state: State) -> None:
    """Raise the bound of the linear program until it is closed, stands still or time is over."""
    master = state.master
    phase, values, active, rounds = ROUGH, list[float](), state.hard, 0
    repaired = -1.0
    while not state.deadline.passed and not state.closed:
        solution = master.solve()
        x = state.x = master.spread(solution.x)
        state.raise_bound(solution.value)
        values.append(solution.value)
        if state.best is not None:
            master.fix(solution, state.cost)
        state.report("cutting planes")
        rounds += 1
        found = _separate(state, x, active, phase)
        active = state.hard
        if found.violated and len(found.violated) < 0.7 * state.hard.size:
            active = np.array(found.violated, np.int64)
        stalls = len(values) > 8 and values[-1] - values[-4] < 2e-3 * values[-1]
        if phase is not FINE and (not found.added or stalls):
            phase, active, values = _NEXT[phase], state.hard, values[-1:]
            continue
        if phase is ROUGH:
            continue
        added = found.added + master.strengthen(x)
        if added < 5 or rounds % 4 == 0:
            added += master.add_bridges(x) + separate_rounded(master, x, state.own, 0.5)
        if rounds % _EVERY == 0:
            state.repair(state.model.forced, x)
            repaired = values[-1]
        if not added or (len(values) > 6 and values[-1] - values[-6] < 1e-3 * values[-1]):
            break
    if not state.closed and values and values[-1] > repaired * (1 + _NEWS):
        state.repair(state.model.forced, state.x)


def _separate(state: State, x: Floats, active: Ints, phase: Phase) -> Separated:
    """Requirements that were violated last first; all of them where those give little."""
    found = separate(state.master, x, active, phase, state.deadline)
    if active.size < state.hard.size and found.added < max(2, 0.1 * active.size):
        more = separate(state.master, x, state.hard, phase, state.deadline)
        found = Separated(found.added + more.added, more.violated)
    return found
