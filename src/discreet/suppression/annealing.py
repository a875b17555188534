"""Simulated annealing over patterns: open and close at random while the temperature falls.

Only patterns with a small opening value are opened (`prices.py`), three moves in ten close one that is open: helpers
that joined a pattern to fill it go home no other way. Temperatures are in units of what a blank costs on average, times
√(k/3), as a move takes about k records along: at k = 3 the solution melts above one half, and freezes at a tenth.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.xorshift import Random
from discreet.suppression.open_close import CLOSE, GENTLY, OPEN, try_moves
from discreet.suppression.patterns import Patterns
from discreet.suppression.state import State, cost_of, state_of
from discreet.work import Deadline, Reporter

Codes = NDArray[np.int64]

_HOT, _COLD, _CLOSINGS, _COOLED = 0.4, 0.15, 0.3, 0.93
_SWEEPS = 100


def anneal(
    patterns: Patterns,
    state: State,
    k: int,
    good: Codes,
    unit: float,
    random: Random,
    deadline: Deadline,
    reporter: Reporter,
) -> State:
    """The best solution met; `good` are the patterns to open, each about seventy times if the time suffices."""
    value = least = cost_of(patterns, state.records)
    best = state.records.copy()
    if not good.size:
        return state
    draws, scale = np.random.default_rng(random), unit * sqrt(k / 3.0)
    for sweep in range(_SWEEPS):
        done = sweep / _SWEEPS
        if deadline.limit is not None:
            done = max(done, deadline.elapsed / max(deadline.limit, 1e-9))
        if done >= 1.0:
            break
        temperature = scale * _HOT * (_COLD / _HOT) ** done if done < _COOLED else 0.0
        opened = np.flatnonzero((state.load > 0) & (patterns.cost > 0))
        kinds = draws.choice(np.array([OPEN, GENTLY], np.int8), good.size)
        kinds[draws.random(good.size) < _CLOSINGS] = CLOSE
        chosen = good[draws.integers(0, good.size, good.size)]
        closing = kinds == CLOSE
        chosen[closing] = opened[draws.integers(0, opened.size, int(closing.sum()))]
        value += try_moves(patterns, state, k, chosen, kinds, temperature, random)
        if value < least:
            least = value
            best[:] = state.records
        reporter("annealing", done, cost=float(least))
    return state if value == least else state_of(patterns, best)
