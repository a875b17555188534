"""Assignment that change record by record, and what each change costs.

With D the squared Euclidean distance, μ a group's mean and m its size, exactly:

    add x to Q             m/(m+1)·D(x, μ)
    remove x from P      − m/(m−1)·D(x, μ)
    x replaces z in Q      D(x, μ) − D(z, μ) − D(x, z)/m

(the first two are equations 5 and 6 of Mortazavi and Jalili, 2015, the third their equation 3 multiplied
out). A swap is two replacements, a chain or cycle sums replacements over different groups. Two changes touch
many records at once: `create` founds a group of x and its nearest records that their groups can spare,
`dissolve` hands the members of a group to the nearest groups that may grow; both undo themselves unless the
change in SSE stays below a threshold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import unchecked
from discreet.microaggregation.problem import Floats
from discreet.microaggregation.search.lanes import distance_in_lanes

Ints = NDArray[np.int32]


class Assignment(NamedTuple):
    """The records in groups that change. `members[p, :size[p]]` lists group p, `place[x]` is x's position in that list.

    `points` is padded with zero columns to a multiple of four. `free` is a stack of empty groups, its height
    in `height[0]`; `spare` holds the records and groups that a compound move may have to restore."""

    points: Floats
    labels: Ints
    place: Ints
    size: Ints
    members: Ints
    means: Floats
    free: Ints
    height: Ints
    spare: Ints


def padded(points: Floats) -> Floats:
    """Zero columns appended so that distances are summed four coordinates at a time."""
    n, d = points.shape
    out = np.zeros((n, -(-d // 4) * 4))
    out[:, :d] = points
    return out


def grouped(points: Floats, labels: NDArray[np.integer], k: int) -> Assignment:
    """The state for the given labels 0 .. g−1. It has places for n/k groups, the most a partition
    can have."""
    n, d = points.shape
    most = n // k + 1
    state = Assignment(
        points,
        labels.astype(np.int32),
        np.zeros(n, np.int32),
        np.zeros(most, np.int32),
        np.zeros((most, 2 * k), np.int32),
        np.zeros((most, d)),
        np.zeros(most, np.int32),
        np.zeros(1, np.int32),
        np.zeros((2, 2 * k), np.int32),
    )
    _fill(state)
    return state


# Records and groups are int64 wherever they are handed on: numba would compile everything below for each other type.
@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def _fill(state: Assignment) -> None:
    most = state.size.size
    for x in range(state.labels.size):
        p = state.labels[x]
        state.place[x] = state.size[p]
        state.members[p, state.size[p]] = x
        state.size[p] += 1
    for p in range(most - 1, -1, -1):
        if state.size[p] == 0:
            state.free[state.height[0]] = p
            state.height[0] += 1
    refresh(state)


@unchecked
def refresh(state: Assignment) -> None:
    """Recompute all means: removes the rounding that single changes leave behind."""
    for p in range(state.size.size):
        m = state.size[p]
        if m > 0:
            for l in range(state.points.shape[1]):
                s = 0.0
                for a in range(m):
                    s += state.points[state.members[p, a], l]
                state.means[p, l] = s / m


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def total(state: Assignment) -> float:
    s = 0.0
    for x in range(state.labels.size):
        s += squared(state.points, x, state.means, np.int64(state.labels[x]))
    return s


@unchecked
def squared(a: Floats, i: int, b: Floats, j: int) -> float:
    return distance_in_lanes(a, i, b, j)


@unchecked
def remove(state: Assignment, x: int) -> None:
    p = state.labels[x]
    m = state.size[p] - 1
    last = state.members[p, m]
    state.members[p, state.place[x]] = last
    state.place[last] = state.place[x]
    state.size[p] = m
    if m > 0:
        f = 1.0 / m
        for l in range(state.points.shape[1]):
            state.means[p, l] += (state.means[p, l] - state.points[x, l]) * f


@unchecked
def add(state: Assignment, x: int, q: int) -> None:
    m = state.size[q]
    state.members[q, m] = x
    state.place[x] = m
    state.labels[x] = q
    state.size[q] = m + 1
    f = 1.0 / (m + 1)
    for l in range(state.points.shape[1]):
        if m == 0:
            state.means[q, l] = state.points[x, l]
        else:
            state.means[q, l] += (state.points[x, l] - state.means[q, l]) * f


@unchecked
def put_in_place(state: Assignment, x: int, z: int, q: int, at: int) -> None:
    """x takes the position `at` that z had in group q."""
    state.members[q, at] = x
    state.place[x] = at
    state.labels[x] = q
    f = 1.0 / state.size[q]
    for l in range(state.points.shape[1]):
        state.means[q, l] += (state.points[x, l] - state.points[z, l]) * f


@unchecked
def migrate(state: Assignment, x: int, q: int) -> None:
    remove(state, x)
    add(state, x, q)


@unchecked
def swap(state: Assignment, x: int, z: int) -> None:
    p, q = np.int64(state.labels[x]), np.int64(state.labels[z])
    at_x, at_z = np.int64(state.place[x]), np.int64(state.place[z])
    put_in_place(state, x, z, q, at_z)
    put_in_place(state, z, x, p, at_x)


@unchecked
def cost_to_add(state: Assignment, x: int, q: int) -> float:
    m = state.size[q]
    return m / (m + 1.0) * squared(state.points, x, state.means, q)


@unchecked
def gain_to_remove(state: Assignment, x: int) -> float:
    p = state.labels[x]
    m = state.size[p]
    return m / (m - 1.0) * squared(state.points, x, state.means, np.int64(p)) if m > 1 else 0.0


@unchecked
def create(state: Assignment, near: Ints, k: int, x: int, threshold: float) -> bool:
    """Found a group of x and the nearest k−1 records of groups above size k, if SSE changes by less than
    allowed."""
    if state.height[0] == 0 or state.size[state.labels[x]] <= k:
        return False
    new = np.int64(state.free[state.height[0] - 1])
    origin = state.spare[0]
    change = 0.0
    y, t = x, -1
    while True:
        p = state.labels[y]
        if p != new and state.size[p] > k:
            origin[state.size[new]] = p
            change += cost_to_add(state, y, new) - gain_to_remove(state, y)
            migrate(state, y, new)
            if state.size[new] == k:
                break
        t += 1
        if t == near.shape[1]:
            break
        y = np.int64(near[x, t])  # type: ignore[assignment]
    if state.size[new] == k and change < threshold:
        state.height[0] -= 1
        return True
    while state.size[new] > 0:
        last = state.size[new] - 1
        migrate(state, np.int64(state.members[new, last]), np.int64(origin[last]))
    return False


@unchecked
def dissolve(state: Assignment, near: Ints, k: int, p: int, threshold: float) -> bool:
    """Hand the members of p to the groups of their neighbors, if SSE changes by less than allowed.

    On success `state.spare[0]` lists the groups that grew, as many as p had members.
    """
    destination, record = state.spare[0], state.spare[1]
    before, moved = state.size[p], 0
    for a in range(before):
        record[a] = state.members[p, a]
    change = 0.0
    for a in range(before):
        x = np.int64(record[a])
        best, best_group = np.inf, np.int64(-1)
        for t in range(near.shape[1]):
            q = np.int64(state.labels[near[x, t]])
            if q != p and q != best_group and state.size[q] < 2 * k - 1:
                cost = cost_to_add(state, x, q)
                if cost < best:
                    best, best_group = cost, q
        if best_group < 0:
            break
        change += best - gain_to_remove(state, x)
        migrate(state, x, best_group)
        destination[a] = best_group
        moved += 1
    if moved == before and change < threshold:
        state.free[state.height[0]] = p
        state.height[0] += 1
        return True
    while moved > 0:
        moved -= 1
        migrate(state, np.int64(record[moved]), p)
    return False
