"""Who publishes which pattern: a solution that is changed in place, and every change can be taken back.

Of each tuple so many records are at each of its places; a pattern's load is the sum. A solution is valid where every
load is 0 or at least k. Kernels walk the users of a pattern by a linked list and the places a tuple uses by a short
list, as both are few among all that are possible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels.compile import inner
from discreet.suppression.patterns import Patterns
from discreet.suppression.tuples import Tuples

Codes = NDArray[np.int64]
Places = NDArray[np.int32]

MOST_USED = 24
"""Places that one tuple uses at once, at most: a move that needs more is not made."""
_LOGGED = 200_000


class State(NamedTuple):
    """Records at each place, loads, users of each pattern, places in use by each tuple, and the log of moves."""

    records: Places
    load: Codes
    head: Places
    after: Places
    before: Places
    used: Places
    uses: Codes
    log: Codes
    logged: Codes
    touched: Codes
    marked: NDArray[np.int8]


def state_of(patterns: Patterns, records: Places) -> State:
    """The state with so many records at each place."""
    places, count = records.size, patterns.cost.size
    tuples = patterns.first.size - 1
    state = State(
        records.copy(),
        np.zeros(count, np.int64),
        np.full(count, -1, np.int32),
        np.empty(places, np.int32),
        np.empty(places, np.int32),
        np.zeros((tuples, MOST_USED), np.int32),
        np.zeros(tuples, np.int64),
        np.empty((_LOGGED, 4), np.int64),
        np.zeros(1, np.int64),
        np.empty(_LOGGED, np.int64),
        np.zeros(count, np.int8),
    )
    _fill(patterns, state)
    return state


def cost_of(patterns: Patterns, records: Places) -> int:
    """What the solution costs."""
    used = np.flatnonzero(records)
    return int(records[used].astype(np.int64) @ patterns.cost[patterns.pattern[used]])


def first_records(tuples: Tuples, patterns: Patterns, k: int) -> Places:
    """A first solution: tuples of k records as they are, all others blank; where these are fewer than k, some join.

    The cheapest place of a tuple of k is its own; the dearest place of every tuple that is not left out is all blank.
    """
    size = tuples.size
    records = np.zeros(patterns.pattern.size, np.int32)
    own, blank = patterns.first[:-1], patterns.first[1:] - 1
    rare = size < k
    records[np.where(rare, blank, own)] = size
    missing = k - int(size[rare].sum())
    if not rare.any() or missing <= 0:
        return records
    for t in np.argsort(-size, kind="stable"):
        lent = min(missing, int(size[t]) - k)
        if lent <= 0:
            break
        records[own[t]] -= lent
        records[blank[t]] += lent
        missing -= lent
    for t in np.argsort(size, kind="stable"):
        if missing > 0 and not rare[t]:
            moved = int(records[own[t]])
            records[own[t]] -= moved
            records[blank[t]] += moved
            missing -= moved
    return records


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _fill(patterns: Patterns, state: State) -> None:
    """Derive loads and lists from the records at each place."""
    for t in range(patterns.first.size - 1):
        for e in range(patterns.first[t], patterns.first[t + 1]):
            if state.records[e] > 0:
                q = patterns.pattern[e]
                state.load[q] += state.records[e]
                enter(state, t, e, q)


@inner
def enter(state: State, t: int, e: int, q: int) -> None:
    """Place e of tuple t comes into use."""
    state.used[t, state.uses[t]] = e
    state.uses[t] += 1
    old = state.head[q]
    state.after[e] = old
    state.before[e] = -1
    if old >= 0:
        state.before[old] = e
    state.head[q] = e


@inner
def leave(state: State, t: int, e: int, q: int) -> None:
    """Place e of tuple t is used no more."""
    last = state.uses[t] - 1
    for a in range(last + 1):
        if state.used[t, a] == e:
            state.used[t, a] = state.used[t, last]
            break
    state.uses[t] = last
    ahead, behind = state.after[e], state.before[e]
    if ahead >= 0:
        state.before[ahead] = behind
    if behind >= 0:
        state.after[behind] = ahead
    else:
        state.head[q] = ahead


@inner
def move(patterns: Patterns, state: State, t: int, source: int, target: int, amount: int) -> int:
    """Take records of tuple t from one place to another; what it costs."""
    p, q = patterns.pattern[source], patterns.pattern[target]
    state.records[source] -= amount
    state.load[p] -= amount
    if state.records[source] == 0:
        leave(state, t, source, p)
    if state.records[target] == 0:
        enter(state, t, target, q)
    state.records[target] += amount
    state.load[q] += amount
    return amount * (patterns.cost[q] - patterns.cost[p])
