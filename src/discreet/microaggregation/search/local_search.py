"""Local search over neighbor lists: migrations and swaps, then founding and dissolving groups, until none
helps.

A record x is tried against the groups of its nearest records: move there, or swap with any member. The best
improving change is made at once. A pair of groups is skipped while neither has changed since x last tried it.
When no single change helps, every group is tried for dissolving and every record for founding a new group.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from discreet.kernels import unchecked
from discreet.microaggregation.problem import Floats
from discreet.microaggregation.search.moves import (
    Assignment,
    Ints,
    create,
    dissolve,
    migrate,
    refresh,
    squared,
    swap,
)


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def improve(state: Assignment, near: Ints, k: int, least: float, passes: int, regroup: bool) -> int:
    """Improve `state` by changes that gain more than `least` each; returns how many were made.

    `passes` bounds the number of times every record is visited; without `regroup` no group is founded or
    dissolved."""
    n = state.labels.size
    groups = state.size.size
    changed = np.ones(groups, np.int64)
    tried = np.zeros(n, np.int64)
    seen = np.zeros(groups, np.int64)
    own, worst = np.empty(n), np.empty(groups)
    for p in range(groups):
        _measure(state, own, worst, p)
    clock, moves = 1, 0
    for _ in range(passes):
        before = moves
        for x in range(n):
            while True:
                clock += 1
                q, z = _best_change(state, near, k, x, least, own, worst, changed, tried[x], seen, clock)
                tried[x] = clock
                if q < 0:
                    break
                p = np.int64(state.labels[x])  # type: ignore[assignment]
                if z < 0:
                    migrate(state, x, q)
                else:
                    swap(state, x, z)
                clock += 1
                changed[p] = clock
                changed[q] = clock
                _measure(state, own, worst, p)
                _measure(state, own, worst, q)
                moves += 1
        if moves > before:
            continue
        if not regroup:
            break
        for p in range(groups):
            m = state.size[p]
            if m > 0 and dissolve(state, near, k, p, -least):
                clock += 1
                changed[p] = clock
                for a in range(m):
                    changed[state.spare[0, a]] = clock
                moves += 1
        for x in range(n):
            if create(state, near, k, x, -least):
                clock += 1
                changed[state.labels[x]] = clock
                for a in range(k):
                    changed[state.spare[0, a]] = clock
                moves += 1
        if moves == before:
            break
        refresh(state)
        for p in range(groups):
            _measure(state, own, worst, p)
    refresh(state)
    return moves


@unchecked
def _measure(state: Assignment, own: Floats, worst: Floats, p: int) -> None:
    """Squared distances of the members of p to its mean, and the largest of them."""
    worst[p] = 0.0
    for a in range(state.size[p]):
        x = np.int64(state.members[p, a])
        own[x] = squared(state.points, x, state.means, p)
        worst[p] = max(worst[p], own[x])


@unchecked
def _best_change(
    state: Assignment,
    near: Ints,
    k: int,
    x: int,
    least: float,
    own: Floats,
    worst: Floats,
    changed: Ints,
    since: int,
    seen: Ints,
    mark: int,
) -> tuple[int, int]:
    """The best improving change of x: its new group, and the record it swaps with (−1: none). Group −1: stay.

    A swap changes SSE by D(x,μQ) − D(x,μP) + D(z,μP) − D(z,μQ) − D(x,z)·f with f = 1/|P| + 1/|Q|. As D(z,μP) ≥ 0 and
    D(x,z) ≤ (√D(x,μQ) + √D(z,μQ))², most partners are ruled out by what is known already; and as this bound falls with
    D(z,μQ), its value for the outermost member of Q rules out most groups at once.
    """
    points, means, size = state.points, state.means, state.size
    p = np.int64(state.labels[x])
    stale = changed[p] <= since
    best = -least
    to: int = np.int64(-1)  # type: ignore[assignment]
    partner: int = np.int64(-1)  # type: ignore[assignment]
    seen[p] = mark
    for t in range(near.shape[1]):
        q = np.int64(state.labels[near[x, t]])
        if seen[q] == mark:
            continue
        seen[q] = mark
        if stale and changed[q] <= since:
            continue
        other = squared(points, x, means, q)
        if size[p] > k and size[q] < 2 * k - 1:
            change = size[q] / (size[q] + 1.0) * other - size[p] / (size[p] - 1.0) * own[x]
            if change < best:
                best, to, partner = change, q, -1  # type: ignore[assignment]
        f = 1.0 / size[p] + 1.0 / size[q]
        root = np.sqrt(other)
        span = root + np.sqrt(worst[q])
        if other - own[x] - worst[q] - span * span * f >= best:
            continue
        for a in range(size[q]):
            z = np.int64(state.members[q, a])
            base = other - own[x] - own[z]
            span = root + np.sqrt(own[z])
            if base - span * span * f >= best:
                continue
            change = base + squared(points, z, means, p)
            if change - span * span * f >= best:
                continue
            change -= squared(points, x, points, z) * f
            if change < best:
                best, to, partner = change, q, z  # type: ignore[assignment]
    return to, partner
