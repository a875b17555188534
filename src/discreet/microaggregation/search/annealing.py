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
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels import inlined
from discreet.kernels.xorshift import Random, below, draw, seeded
from discreet.methods import Shared
from discreet.microaggregation.problem import Floats, Labels, renumber
from discreet.microaggregation.search.local_search import improve
from discreet.microaggregation.search.moves import (
    Assignment,
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
from discreet.microaggregation.search.restarts import Until
from discreet.solvers.neighbours import nearest

_SLICE = 1 << 18
SNAPSHOTS = 3
LOGARITHMS = -np.log((np.arange(4096) + 0.5) / 4096)


class Course(NamedTuple):
    """What compiled code needs of a `Schedule`.

    | field | what it says |
    |---|---|
    | steps | proposals in all |
    | hot, cold | temperatures of the first and the last of them |
    | chains, regroups | the share of chains, and of founding and dissolving groups |
    | best_swap | whether a swap takes the best member of the other group, or one drawn at random |
    """

    steps: int
    hot: float
    cold: float
    chains: float
    regroups: float
    best_swap: bool


@dataclass(frozen=True)
class Schedule:
    """One annealing and the local search after it.

    | field | what it says |
    |---|---|
    | proposals | of the annealing, a record; none: local search alone |
    | hot, cold | temperatures at its beginning and end |
    | alpha | the exponent of the local scale |
    | chains, regroups | the share of chains, and of founding and dissolving groups, among the proposals |
    | best_swap | whether a swap takes the best member of the other group, or one drawn at random |
    | passes | of the local search over all records, at most |
    | regroup | whether the local search founds and dissolves groups |
    """

    proposals: float
    hot: float = 0.4
    cold: float = 0.02
    alpha: float = 0.5
    chains: float = 0.2
    regroups: float = 0.01
    best_swap: bool = False
    passes: int = 1000
    regroup: bool = True

    def course(self, n: int) -> Course:
        """The annealing of n records."""
        return Course(
            int(self.proposals * n),
            float(self.hot),
            float(self.cold),
            float(self.chains),
            float(self.regroups),
            bool(self.best_swap),
        )


@dataclass(frozen=True)
class Landscape:
    """What annealings of the same data share.

    | field | what it is |
    |---|---|
    | points | the records, padded with zero columns to a multiple of four |
    | near | the nearest records of each, by rising distance |
    | radius | the squared distance to the k-th nearest: the local scale |
    | k | the least size of a group |
    | least | the least gain that counts: rounding pretends smaller ones |
    """

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
    course = schedule.course(n)
    steps = course.steps
    slices = max(SNAPSHOTS * 3, -(-steps // _SLICE))
    complete = True
    for piece in range(slices):
        if until is not None and until.passed:
            complete = False
            break
        start, stop = steps * piece // slices, steps * (piece + 1) // slices
        cool(state, land.near, heat, land.k, random, LOGARITHMS, course, start, stop)
        if met is not None and piece >= slices - slices // 3 and (slices - 1 - piece) % max(1, slices // 9) == 0:
            met.append(renumber(state.labels))
    improve(state, land.near, land.k, land.least, schedule.passes, schedule.regroup)
    return state.labels.astype(np.int64), complete


@njit(cache=True, nogil=True, no_cfunc_wrapper=True, error_model="numpy")
def cool(
    state: Assignment,
    near: Ints,
    heat: Floats,
    k: int,
    random: Random,
    logarithms: Floats,
    course: Course,
    start: int,
    stop: int,
) -> int:
    """Proposals start .. stop−1 of an annealing; returns how many were accepted. `logarithms` are `LOGARITHMS`."""
    n, width, most = state.labels.size, near.shape[1], 2 * k - 1
    hot, cold, best_swap = course.hot, course.cold, course.best_swap
    points, labels, size, members, means = state.points, state.labels, state.size, state.members, state.means
    chain_below = np.int64(course.chains * 1024)
    regroup_below = chain_below + np.int64(course.regroups * 1024)
    accepted = 0
    temperature = hot
    for step in range(start, stop):
        if (step - start) % 256 == 0:
            temperature = hot * (cold / hot) ** (step / course.steps)
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
        y = np.int64(near[x, below(random, width)])
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
            w = np.int64(near[z, below(random, width)])
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


@inlined
def _chain(
    state: Assignment,
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
