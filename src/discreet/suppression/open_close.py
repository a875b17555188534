"""Moves of a search over patterns: open one, or close one, and put in order whatever this breaks.

Open q: every record at a dearer pattern comes to q (or, gently, only as many as leave theirs with k). Where q has
fewer than k then, it is filled with the records that lose least and break nothing. Patterns that fell below k close:
each of their records goes to the cheapest pattern that stands. Close q: the same for q itself. A move is kept where it
costs nothing, or by chance exp(−cost/temperature); else it is taken back by its log.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels.compile import inner
from discreet.kernels.xorshift import Random, below, draw
from discreet.suppression.patterns import Patterns
from discreet.suppression.state import MOST_USED, State, move

Codes = NDArray[np.int64]

OPEN, GENTLY, CLOSE = 0, 1, 2
_LOOK = 400
_SPARE = 64
_NONE = 1 << 62


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def try_moves(
    patterns: Patterns,
    state: State,
    k: int,
    chosen: Codes,
    kinds: NDArray[np.int8],
    temperature: float,
    random: Random,
) -> int:
    """Try the moves one after another; what those that are kept cost together."""
    total = 0
    for i in range(chosen.size):
        q, kind = chosen[i], kinds[i]
        if kind == CLOSE and state.load[q] == 0:
            continue
        state.logged[0] = 0
        valid, cost = _attempt(patterns, state, k, q, kind, random)
        if valid and cost > 0:
            chance = float(draw(random) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
            valid = temperature > 0.0 and chance < np.exp(-cost / temperature)
        if valid:
            total += cost
        else:
            for z in range(state.logged[0] - 1, -1, -1):
                t, source, target, amount = state.log[z]
                move(patterns, state, t, target, source, amount)
    return total


@inner
def _attempt(patterns: Patterns, state: State, k: int, q: int, kind: int, random: Random) -> tuple[bool, int]:
    """Make the move; whether it could be completed, and what it costs."""
    touched = 0
    cost = 0
    valid = True
    if kind == CLOSE:
        state.touched[0] = q
        touched = 1
    else:
        valid, cost, touched = _gather(patterns, state, k, q, kind == GENTLY)
        if valid and state.load[q] < k:
            valid, more = _fill_up(patterns, state, k, q, random)
            cost += more
    for z in range(touched):
        p = state.touched[z]
        state.marked[p] = 0
        if not valid or state.load[p] == 0 or (kind != CLOSE and state.load[p] >= k):
            continue
        while state.head[p] >= 0:
            e = state.head[p]
            t = _tuple_at(patterns, e)
            target = _cheapest_open(patterns, state, k, t, p)
            if target < 0 or not _room(state, t):
                valid = False
                break
            cost += _logged_move(patterns, state, t, e, target, state.records[e])
    return valid, cost


@inner
def _gather(patterns: Patterns, state: State, k: int, q: int, gently: bool) -> tuple[bool, int, int]:
    """Bring records that gain to q; the patterns that lose some are listed as touched."""
    cost, touched = 0, 0
    for i in range(patterns.begin[q], patterns.begin[q + 1]):
        t, target = patterns.member[i], patterns.place[i]
        a = 0
        while a < state.uses[t]:
            source = state.used[t, a]
            p = patterns.pattern[source]
            a += 1
            if patterns.cost[p] <= patterns.cost[q]:
                continue
            amount = int(state.records[source])
            if gently:
                amount = min(amount, state.load[p] - k)
            if amount <= 0:
                continue
            if not _room(state, t) or touched >= state.touched.size - _SPARE:
                return False, cost, touched
            if amount == state.records[source]:
                a -= 1  # another place takes its position in the list
            cost += _logged_move(patterns, state, t, source, target, amount)
            if state.marked[p] == 0:
                state.marked[p] = 1
                state.touched[touched] = p
                touched += 1
    return True, cost, touched


@inner
def _fill_up(patterns: Patterns, state: State, k: int, q: int, random: Random) -> tuple[bool, int]:
    """Bring records to q that lose least, from patterns that keep k without them."""
    low, span = patterns.begin[q], patterns.begin[q + 1] - patterns.begin[q]
    start = below(random, span)
    cost = 0
    while state.load[q] < k:
        least, source, target, lender = _NONE, -1, -1, -1
        for step in range(min(span, _LOOK)):
            i = low + (start + step) % span
            t = patterns.member[i]
            for a in range(state.uses[t]):
                e = state.used[t, a]
                p = patterns.pattern[e]
                loss = patterns.cost[q] - patterns.cost[p]
                if p != q and state.load[p] > k and loss < least:
                    least, source, target, lender = loss, int(e), int(patterns.place[i]), int(t)
        if source < 0 or not _room(state, lender):
            return False, cost
        spare = state.load[patterns.pattern[source]] - k
        amount = min(k - state.load[q], spare, int(state.records[source]))
        cost += _logged_move(patterns, state, lender, source, target, amount)
    return True, cost


@inner
def _cheapest_open(patterns: Patterns, state: State, k: int, t: int, without: int) -> int:
    """The cheapest place of a tuple in a pattern of k records, other than one given; −1 where there is none."""
    for e in range(patterns.first[t], patterns.first[t + 1]):
        q = patterns.pattern[e]
        if q != without and state.load[q] >= k:
            return e
    return -1


@inner
def _tuple_at(patterns: Patterns, e: int) -> int:
    """The tuple of a place, by bisection."""
    low, high = 0, patterns.first.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if patterns.first[middle] <= e:
            low = middle
        else:
            high = middle
    return low


@inner
def _room(state: State, t: int) -> bool:
    """Whether one more move of this tuple can be made and logged."""
    return state.uses[t] < MOST_USED - 1 and state.logged[0] < state.log.shape[0] - _SPARE


@inner
def _logged_move(patterns: Patterns, state: State, t: int, source: int, target: int, amount: int) -> int:
    """Move, and remember it."""
    z = state.logged[0]
    state.log[z, 0], state.log[z, 1], state.log[z, 2], state.log[z, 3] = t, source, target, amount
    state.logged[0] = z + 1
    return move(patterns, state, t, source, target, amount)
