"""A first table with the margins, found from the margins alone.

Fit the log-linear model, round its free cells and let the equations set the others (an integer table whose counts may
be negative), descend toward the fit, then jump into the outer bounds. Where that fails, CP-SAT decides, which also
proves that there is none. Where it does not know either, longer searches follow within the time limit.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from discreet.kernels.randoms import seeded
from discreet.tables.sharpen.fibre_search import descend, jump
from discreet.tables.sharpen.integer_program import IntegerSearch
from discreet.tables.state.atom import AtomState
from discreet.tables.theory.basic_moves import basic_moves
from discreet.tables.theory.loglinear import fit_margins
from discreet.work import Deadline

# Searches before CP-SAT is asked, and longer ones after it, where there is a time limit to keep.
TRIES = 3
# Cells evaluated by each search at first.
BUDGET = 60_000_000
# A rough fit will do on small tables: what it lacks, the search repairs in less time than further rounds take.
SMALL, ROUGH = 128, 4

Found = Literal["found", "none", "unknown"]


def first_table(state: AtomState, integer: IntegerSearch, deadline: Deadline) -> Found:
    """Admit a first table; "found", "none" where it is proven that there is none, "unknown" otherwise."""
    if state.feasible:
        return "found"
    lattice = state.lattice
    if (state.lower == state.upper).all():
        return "found" if state.admit(state.lower) else "none"
    if deadline.remaining <= 0:
        return "unknown"
    rounds = ROUGH if lattice.size < SMALL else 60 if lattice.size <= 2048 else 15
    fitted = fit_margins(lattice.shape, state.margins, tolerance=1e-4, iterations=rounds).expected.reshape(-1)
    fitted = np.clip(fitted, state.lower, state.upper)
    start = lattice.complete(np.rint(fitted).astype(np.int64), state.right_side)
    weights = 1.0 / (1.0 + fitted)
    if deadline.remaining <= 0:
        return "unknown"
    moves, budget = basic_moves(lattice), BUDGET
    for seed in range(2 * TRIES):
        if seed == TRIES:
            answer = integer.table(state, state.lower, state.upper, deadline.remaining)
            if answer != "unknown":
                return "found" if answer == "feasible" else "none"
            if deadline.limit is None:
                return "unknown"
            budget *= 4
        random = seeded(seed)
        x = start.copy()
        descend(x, fitted, weights if seed % 2 == 0 else np.ones(x.size), moves, budget, random, deadline)
        if deadline.remaining <= 0:
            break
        state.work["jumps"] += 1
        if jump(x, state.lower, state.upper, moves, budget, random, deadline) and state.admit(x):
            return "found"
        if deadline.remaining <= 0:
            break
    return "unknown"
