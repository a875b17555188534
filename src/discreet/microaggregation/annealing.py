"""Simulated annealing over neighbor lists, followed by local search.

A proposal draws a record x and one of its nearest records y, in group Q. It is one of

    migrate    x moves to Q, where sizes allow
    swap       x changes places with a member z of Q (drawn, or the best one)
    chain      x takes z's place in Q, z moves on to a third group, or takes v's place there while v goes to x's
    create     x founds a group with its nearest records that can be spared
    dissolve   the group of x is handed to its neighbors

and is accepted when its change in SSE is below −T·s(x)·ln u, u uniform: the rule of Metropolis at
temperature T·s(x). T falls geometrically. The local scale is s(x) = r(x)^α, r the squared distance to the
k-th nearest record: α = 0 treats all records alike, α > 0 lets dense regions freeze later than outliers,
which suits skewed data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.methods import Shared
from discreet.microaggregation.local_search import improve
from discreet.microaggregation.moves import (
    Groups,
    Ints,
    add,
    cost_to_add,
    create,
    dissolve,
    grouped,
    migrate,
    padded,
    put_in_place,
    refresh,
    remove,
    squared,
    swap,
)
from discreet.microaggregation.problem import Floats, Labels, renumber
from discreet.microaggregation.restarts import Until
from discreet.solvers.neighbours import nearest

Random = NDArray[np.uint64]
_SLICE = 1 << 18
SNAPSHOTS = 3
LOGARITHMS = -np.log((np.arange(4096) + 0.5) / 4096)


@dataclass(frozen=True)
class Schedule:
    """One annealing: how many proposals a record, from which to which temperature, and the mix of moves;
    then the local search after it: how many passes, and whether it founds and dissolves groups."""

    proposals: float
    hot: float = 0.4
    cold: float = 0.02
    alpha: float = 0.5
    chains: float = 0.2
    regroups: float = 0.01
    best_swap: bool = False
    passes: int = 1000
    regroup: bool = True


@dataclass(frozen=True)
class Landscape:
    """What annealings of the same data share: padded points, neighbor lists, local scale, least gain that
    counts."""

    points: Floats
    near: Ints
    radius: Floats
    k: int
    least: float


def neighbor_count(k: int) -> int:
    return max(16, min(k + 8, 48))


def survey(points: Floats, k: int, shared: Shared | None = None) -> Landscape:
    """Neighbor lists and what else annealing needs; lists of the same length are `shared` by calls for several k."""
    count = neighbor_count(k)
    near, distance = (shared or Shared()).once(f"{count} nearest", lambda: nearest(points, count))
    radius = np.ascontiguousarray(distance[:, min(k, near.shape[1]) - 1])
    return Landscape(padded(points), near, radius, k, 1e-12 * float(np.square(points).sum() / len(points)))


def scaled(radius: Floats, alpha: float) -> Floats:
    """r^α·m^(1−α) with m the median of r: the same temperatures mean the same for every α."""
    middle = float(np.median(radius))
    if middle <= 0:
        middle = float(radius.mean()) or 1.0
    out: Floats = np.maximum(radius, 1e-4 * middle) ** alpha * middle ** (1 - alpha)
    return out


def anneal(
    land: Landscape,
    labels: NDArray[np.integer],
    schedule: Schedule,
    seed: int,
    until: Until | None = None,
    met: list[Labels] | None = None,
) -> tuple[Labels, bool]:
    """The labels after one annealing and local search, and whether the schedule ran to its end.

    A list `met` receives partitions from the last third of the way: good groups, for pooling.
    """
    n = len(land.points)
    state = grouped(land.points, labels, land.k)
    heat = scaled(land.radius, schedule.alpha)
    random = seeded(seed)
    steps = int(schedule.proposals * n)
    slices = max(SNAPSHOTS * 3, -(-steps // _SLICE))
    complete = True
    for piece in range(slices):
        if until is not None and until.passed:
            complete = False
            break
        cool(
            state, land.near, heat, land.k, random, LOGARITHMS,
            steps * piece // slices, steps * (piece + 1) // slices, steps, schedule.hot, schedule.cold,
            schedule.chains, schedule.regroups, schedule.best_swap,
        )  # fmt: skip
        if met is not None and piece >= slices - slices // 3 and (slices - 1 - piece) % max(1, slices // 9) == 0:
            met.append(renumber(state.labels))
    improve(state, land.near, land.k, land.least, schedule.passes, schedule.regroup)
    return state.labels.astype(np.int64), complete


@njit(cache=True, nogil=True, error_model="numpy")
def seeded(seed: int) -> Random:
    """State of a xorshift64* generator; seeds that follow one another are scattered by splitmix64."""
    z = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    state = np.empty(1, np.uint64)
    state[0] = (z ^ (z >> np.uint64(31))) | np.uint64(1)
    return state


@njit(cache=True, nogil=True, error_model="numpy")
def draw(random: Random) -> np.uint64:
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    return x * np.uint64(2685821657736338717)


@njit(cache=True, nogil=True, error_model="numpy")
def below(random: Random, n: int) -> int:
    """A whole number 0 .. n−1."""
    return np.int64(((draw(random) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@njit(cache=True, nogil=True, error_model="numpy")
def cool(
    state: Groups,
    near: Ints,
    heat: Floats,
    k: int,
    random: Random,
    logarithms: Floats,
    start: int,
    stop: int,
    steps: int,
    hot: float,
    cold: float,
    chains: float,
    regroups: float,
    best_swap: bool,
) -> int:
    """Proposals start .. stop−1 of an annealing of `steps`; returns how many were accepted."""
    n, reach, most = state.labels.size, near.shape[1], 2 * k - 1
    points, labels, size, members, means = state.points, state.labels, state.size, state.members, state.means
    chain_below = np.int64(chains * 1024)
    regroup_below = chain_below + np.int64(regroups * 1024)
    accepted = 0
    temperature = hot
    for step in range(start, stop):
        if (step - start) % 256 == 0:
            temperature = hot * (cold / hot) ** (step / steps)
        r = draw(random)
        kind = np.int64(r >> np.uint64(54))
        x = below(random, n)
        p = np.int64(labels[x])
        threshold = temperature * heat[x] * logarithms[np.int64((r >> np.uint64(40)) & np.uint64(4095))]
        if chain_below <= kind < regroup_below:
            if kind & 1:
                accepted += create(state, near, k, x, threshold)
            elif size[p] <= k + 1:
                accepted += dissolve(state, near, k, p, threshold)
            continue
        y = np.int64(near[x, below(random, reach)])
        q = np.int64(labels[y])
        if p == q:
            continue
        mp, mq = size[p], size[q]
        own, other = squared(points, x, means, p), squared(points, x, means, q)
        if mp > k and mq < most and r & np.uint64(1):
            if mq / (mq + 1.0) * other - mp / (mp - 1.0) * own < threshold:
                migrate(state, x, q)
                accepted += 1
            continue
        if best_swap and kind >= chain_below:
            f = 1.0 / mp + 1.0 / mq
            best, z = np.inf, np.int64(-1)
            for a in range(mq):
                c = np.int64(members[q, a])
                if c != y:
                    change = squared(points, c, means, p) - squared(points, c, means, q)
                    change -= squared(points, x, points, c) * f
                    if change < best:
                        best, z = change, c
            if z >= 0 and best + other - own < threshold:
                swap(state, x, z)
                accepted += 1
            continue
        z = np.int64(members[q, below(random, np.int64(mq))])
        if z == y:
            continue
        xz = squared(points, x, points, z)
        replace = other - squared(points, z, means, q) - xz / mq
        if kind < chain_below:
            w = np.int64(near[z, below(random, reach)])
            t = labels[w]
            if t == q:
                continue
            if t != p:
                accepted += _chain(state, k, random, x, z, w, replace, own, threshold, r & np.uint64(2) > 0)
                continue
        if replace + squared(points, z, means, p) - own - xz / mp < threshold:
            swap(state, x, z)
            accepted += 1
    refresh(state)
    return accepted


@njit(cache=True, nogil=True, error_model="numpy")
def _chain(
    state: Groups,
    k: int,
    random: Random,
    x: int,
    z: int,
    w: int,
    replace: float,
    own: float,
    threshold: float,
    open_end: bool,
) -> bool:
    """x takes z's place; z joins the group of w (open end), or takes v's place there and v goes to x's
    group."""
    points, means = state.points, state.means
    p, q, t = np.int64(state.labels[x]), np.int64(state.labels[z]), np.int64(state.labels[w])
    mp, mt = state.size[p], state.size[t]
    if mp > k and mt < 2 * k - 1 and open_end:
        if replace + cost_to_add(state, z, t) - mp / (mp - 1.0) * own >= threshold:
            return False
        at = np.int64(state.place[z])
        remove(state, x)
        put_in_place(state, x, z, q, at)
        add(state, z, t)
        return True
    v = np.int64(state.members[t, below(random, np.int64(mt))])
    if v == w:
        return False
    change = replace + squared(points, z, means, t) - squared(points, v, means, t)
    change -= squared(points, z, points, v) / mt
    change += squared(points, v, means, p) - own - squared(points, x, points, v) / mp
    if change >= threshold:
        return False
    at_x, at_z, at_v = np.int64(state.place[x]), np.int64(state.place[z]), np.int64(state.place[v])
    put_in_place(state, x, z, q, at_z)
    put_in_place(state, z, v, t, at_v)
    put_in_place(state, v, x, p, at_x)
    return True
