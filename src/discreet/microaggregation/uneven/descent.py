"""Local search for records with weights and gaps: from any partition down to one that no single change improves.

Methods of the room know distances only: they group the `coordinates` of the records. From there every record is tried
against the groups of its nearest records: it moves there, swaps places with a member, or, where its own group is blank
somewhere, both groups become one. The best change that lowers the cost is made at once. When none is left, groups that
are blank somewhere are dissolved, where their members cost less in the groups of their nearest records. The cost of a
group is that of `records`, blanks and filled gaps included, computed from its members; there are few.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inner
from discreet.microaggregation.problem import Floats, Labels, renumber
from discreet.microaggregation.uneven.records import BLANK, Records, coordinates
from discreet.solvers.neighbours import nearest
from discreet.work import Deadline, Reporter

Ints = NDArray[np.int32]

NEIGHBORS = 12
PASSES = 50
LEAST = 1e-12  # of the whole cost: what a change must gain
ROOM = 4  # groups of uneven records hold up to so many times k


class Sought(NamedTuple):
    """Records, k, how many a group holds at most, and what a change must gain."""

    records: Records
    k: int
    most: int
    least: float


class State(NamedTuple):
    """Labels; per group its members, how many there are and what they cost; a row to try members in.

    Groups have the number of the change that made them what they are (`changed`) and of the last visit that tried them
    (`seen`), records that of the change before which they were last `tried`: nothing is tried twice."""

    labels: Labels
    members: Ints
    size: Labels
    cost: Floats
    trial: Ints
    changed: Labels
    seen: Labels
    tried: Labels


def descend(
    records: Records, k: int, labels: Labels, *, deadline: Deadline, report: Reporter
) -> tuple[Labels, int, bool]:
    """A partition at least as good as `labels`, how many changes led there, and whether the search came to its end."""
    n, groups = len(labels), int(labels.max()) + 1
    whole = bool(records.known.all())
    sizes = np.bincount(labels, minlength=groups)
    most = max(2 * k - 1 if whole else ROOM * k, int(sizes.max()))
    near = nearest(coordinates(records), NEIGHBORS)[0] if n > 1 else np.zeros((n, 0), np.int32)
    state = State(
        labels.astype(np.int64),
        np.full((groups, most + 1), -1, np.int32),
        np.zeros(groups, np.int64),
        np.zeros(groups),
        np.zeros(2 * most + 2, np.int32),
        np.ones(groups, np.int64),
        np.full(groups, -1, np.int64),
        np.zeros(n, np.int64),
    )
    _fill_state(records, k, state)
    sought = Sought(records, k, most, LEAST * float(state.cost.sum()))
    changes, ended = 1, False
    for done in range(PASSES):
        report("improving for weights and gaps", done / PASSES)
        made = int(_one_pass(sought, state, near, changes))
        if made == 0 and not whole:
            made = int(_dissolve(sought, state, near, changes))
        changes += made
        ended = made == 0
        if ended or deadline.passed:
            break
    return renumber(state.labels), changes - 1, ended or not deadline.passed


@inner
def group_cost(records: Records, k: int, members: Ints, size: int) -> float:
    """What a group of these members costs."""
    total = 0.0
    for j in range(records.values.shape[1]):
        known, weight, moment, gaps = 0, 0.0, 0.0, 0.0
        for a in range(size):
            i = members[a]
            if records.known[i, j]:
                known += 1
                weight += records.weights[i]
                moment += records.weights[i] * records.values[i, j]
            else:
                gaps += records.weights[i]
        if known == 0:
            continue
        mean = moment / weight if known >= k else 0.0
        for a in range(size):
            i = members[a]
            if records.known[i, j]:
                t = records.values[i, j] - mean
                total += records.weights[i] * t * t
        total += records.change[j] * (gaps if known >= k else BLANK * weight)
    return total


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _fill_state(records: Records, k: int, state: State) -> None:
    for i in range(state.labels.size):
        p = state.labels[i]
        state.members[p, state.size[p]] = i
        state.size[p] += 1
    for p in range(state.size.size):
        state.cost[p] = group_cost(records, k, state.members[p], state.size[p])


@inner
def _replaced(state: State, p: int, out: int, new: int) -> int:
    """The members of group p without `out` and with `new` (−1 for none) into the trial row; their number."""
    size = 0
    for a in range(state.size[p]):
        if state.members[p, a] != out:
            state.trial[size] = state.members[p, a]
            size += 1
    if new >= 0:
        state.trial[size] = new
        size += 1
    return size


@inner
def _put(sought: Sought, state: State, p: int, out: int, new: int) -> None:
    """Group p without `out` and with `new`."""
    size = _replaced(state, p, out, new)
    for a in range(size):
        state.members[p, a] = state.trial[a]
        state.labels[state.trial[a]] = p
    state.size[p] = size
    state.cost[p] = group_cost(sought.records, sought.k, state.members[p], size)


@inner
def _after(sought: Sought, state: State, p: int, out: int, new: int) -> float:
    """What group p would cost without `out` and with `new`."""
    size = _replaced(state, p, out, new)
    return group_cost(sought.records, sought.k, state.trial, size)


@inner
def _is_blank(sought: Sought, state: State, p: int) -> bool:
    """Whether a known value of group p is not published."""
    records = sought.records
    for j in range(records.values.shape[1]):
        known = 0
        for a in range(state.size[p]):
            known += records.known[state.members[p, a], j]
        if 0 < known < sought.k:
            return True
    return False


@inner
def _joined(sought: Sought, state: State, p: int, q: int) -> float:
    """What groups p and q would cost as one, whose members are in the trial row then."""
    size = _replaced(state, p, -1, -1)
    for a in range(state.size[q]):
        state.trial[size + a] = state.members[q, a]
    return group_cost(sought.records, sought.k, state.trial, size + state.size[q])


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _one_pass(sought: Sought, state: State, near: Ints, clock: int) -> int:
    """Every record once: the best change for it, where one gains. `clock` is the number of changes so far."""
    changes = 0
    state.seen[:] = -1
    for x in range(state.labels.size):
        p = state.labels[x]
        torn = _is_blank(sought, state, p)
        since = state.tried[x]
        state.tried[x] = clock + changes
        best, chosen, partner = -sought.least, -1, -1  # partner −1: move; −2: join the groups
        for t in range(near.shape[1]):
            q = state.labels[near[x, t]]
            if q == p or state.seen[q] == x or max(state.changed[p], state.changed[q]) <= since:
                continue
            state.seen[q] = x
            before = state.cost[p] + state.cost[q]
            if state.size[p] > sought.k and state.size[q] < sought.most:
                change = _after(sought, state, p, x, -1) + _after(sought, state, q, -1, x) - before
                if change < best:
                    best, chosen, partner = change, q, -1
            for a in range(state.size[q]):
                z = np.int64(state.members[q, a])
                change = _after(sought, state, p, x, z) + _after(sought, state, q, z, x) - before
                if change < best:
                    best, chosen, partner = change, q, z  # type: ignore[assignment]
            if torn and state.size[p] + state.size[q] <= sought.most:
                change = _joined(sought, state, p, q) - before
                if change < best:
                    best, chosen, partner = change, q, -2
        if chosen < 0:
            continue
        changes += 1
        state.changed[p] = clock + changes
        state.changed[chosen] = clock + changes
        if partner == -2:
            _join(sought, state, p, chosen)
        else:
            _put(sought, state, p, x, partner)
            _put(sought, state, chosen, partner, x)
    return changes


@inner
def _dissolved(sought: Sought, state: State, near: Ints, p: int, clock: int) -> bool:
    """Every member of p goes where it costs least among the groups of its nearest records; where that gains nothing,
    all come back, and the answer is False."""
    size = state.size[p]
    left = state.members[p, :size].copy()
    went = np.full(size, -1, np.int64)
    change = -state.cost[p]
    for a in range(size):
        x = np.int64(left[a])
        best, target = np.inf, -1
        for t in range(near.shape[1]):
            q = state.labels[near[x, t]]
            if q != p and state.size[q] < sought.most:
                cost = _after(sought, state, q, -1, x) - state.cost[q]
                if cost < best:
                    best, target = cost, q
        if target < 0:
            change = np.inf
            break
        change += best
        went[a] = target
        _put(sought, state, target, -1, x)
    if change < -sought.least:
        state.size[p] = 0
        state.cost[p] = 0.0
        state.changed[went] = clock
        return True
    for a in range(size):
        if went[a] >= 0:
            _put(sought, state, went[a], np.int64(left[a]), -1)
    for a in range(size):
        state.labels[left[a]] = p
    return False


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _dissolve(sought: Sought, state: State, near: Ints, clock: int) -> int:
    """Every group that is blank somewhere once; how many were dissolved."""
    changes = 0
    for p in range(state.size.size):
        if _is_blank(sought, state, p) and _dissolved(sought, state, near, p, clock + changes + 1):
            changes += 1
    return changes


@inner
def _join(sought: Sought, state: State, p: int, q: int) -> None:
    """All members of p go to q; p stays behind without any."""
    state.cost[q] = _joined(sought, state, p, q)
    size = state.size[p] + state.size[q]
    for a in range(size):
        state.members[q, a] = state.trial[a]
        state.labels[state.trial[a]] = q
    state.size[q] = size
    state.size[p] = 0
    state.cost[p] = 0.0
