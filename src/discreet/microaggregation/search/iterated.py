"""Iterated local search, after Laszlo and Mukherjee (2015): disturb, improve, keep what is better.

A disturbance takes a record drawn at random and swaps a few records at random among the groups near it;
local search follows. If SSE did not fall, the partition before the disturbance comes back.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.kernels.xorshift import Random, below, seeded
from discreet.methods import Status
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import renumber, sse
from discreet.microaggregation.search.annealing import survey
from discreet.microaggregation.search.local_search import improve
from discreet.microaggregation.search.moves import Assignment, Ints, grouped, swap

ITERATIONS = 300
STRENGTH = 6


def run(call: Call) -> Outcome:
    points, k = call.problem
    iterations = int(call.options.get("iterations", ITERATIONS))
    strength = int(call.options.get("strength", STRENGTH))
    best = mdav(points, k)
    land = survey(points, k, call.shared)
    random = seeded(call.seed)
    least, kept, done = sse(points, best), 0, 0
    status: Status = "complete"
    for done in range(iterations + 1):
        if call.deadline.passed:
            status = "time limit"
            break
        state = grouped(land.points, best, k)
        if done:
            disturb(state, land.near, strength, random)
        improve(state, land.near, k, land.least, 1000, True)
        labels = renumber(state.labels)
        value = sse(points, labels)
        if value < least:
            best, least, kept = labels, value, kept + 1
        call.report("iterated local search", done / max(1, iterations), sse=least)
    return Outcome(best, "ils", status, {"iterations": done, "improvements": kept})


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def disturb(state: Assignment, near: Ints, strength: int, random: Random) -> None:
    """`strength` random swaps between groups around one record; sizes stay as they are."""
    x = below(random, state.labels.size)
    for _ in range(strength):
        y = np.int64(near[x, below(random, near.shape[1])])
        z = np.int64(near[y, below(random, near.shape[1])])
        if state.labels[y] != state.labels[z]:
            swap(state, y, z)
