"""Large n: split the records into blocks, solve each, then split again along other directions and improve.

Round 0 splits the records recursively along the column of largest variance until a block has at most B
records; each block is partitioned by MDAV and improved by annealing and local search. Every later round
splits the groups, each as a whole, by their centroids along random directions, so that records that met a
border before are inside a block now. A block keeps what it had unless its SSE falls: no round makes the
partition worse.

Work is n·B for MDAV and neighbor lists plus a fixed number of proposals a record; memory is a few arrays of
length n beyond the data. Blocks go to the executor one by one, each with its own seed, and come back in
order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numba import njit

from discreet.kernels.renumber import renumber
from discreet.kernels.xorshift import seeded
from discreet.microaggregation.constructions.mdav import mdav_kernel
from discreet.microaggregation.constructions.remaining import by_falling
from discreet.microaggregation.methods import Call, Outcome
from discreet.microaggregation.problem import Floats, Labels, group_means, sse
from discreet.microaggregation.search.annealing import LOGARITHMS, Schedule, cool, scaled
from discreet.microaggregation.search.local_search import improve
from discreet.microaggregation.search.moves import Ints, grouped, padded, total
from discreet.microaggregation.search.restarts import Until
from discreet.scale import ordered_map, workers
from discreet.solvers.neighbours import nearest_kernel


@dataclass(frozen=True)
class BlockEffort:
    """How much work an effort level is.

    | field | what it says |
    |---|---|
    | size | records of a block, at most |
    | first | what is done in a block in round 0 |
    | later | what is done in every later round |
    | rounds | later rounds |
    """

    size: int
    first: Schedule
    later: Schedule
    rounds: int


# Shorter lists than for small data: a record has few near ones in its block that it has not in common with others.
_NEIGHBORS = 12
_PASS = Schedule(0, passes=1, regroup=False)
PLANS = {
    "fast": BlockEffort(2048, Schedule(0, passes=2, regroup=False), _PASS, 0),
    "default": BlockEffort(4096, _PASS, Schedule(30, 0.1, 0.02, passes=2, regroup=False), 1),
    "best": BlockEffort(4096, Schedule(100, 0.4, 0.02), Schedule(300, 0.5, 0.02), 8),
}
# With large k there are fewer groups, and each takes longer to search.
_LARGE_K = BlockEffort(2048, _PASS, _PASS, 0)


def plan_of(effort: str, k: int) -> BlockEffort:
    return _LARGE_K if effort == "default" and k > 5 else PLANS[effort]


def run(call: Call) -> Outcome:
    points, k = call.problem
    plan = plan_of(call.effort or "default", k)
    # With a time limit `best` goes on until it; without one its work is fixed and the result the same everywhere.
    endless = call.effort == "best" and call.deadline.limit is not None
    labels: Labels | None = None
    blocks = completed = rounds = 0
    with workers(call.executor) as executor:
        while True:
            labels, count, finished = do_round(replace(call, executor=executor), labels, rounds)
            blocks += count
            completed += finished
            rounds += 1
            call.report(f"blocks, round {rounds}", 1.0, sse=sse(points, labels))
            if call.deadline.passed or (rounds > plan.rounds and not endless):
                break
    done = completed == blocks and not endless and rounds > plan.rounds
    proposals = len(points) * (plan.first.proposals + (rounds - 1) * plan.later.proposals)
    detail = {"rounds": rounds, "blocks": blocks, "proposals": int(proposals)}
    return Outcome(labels, name_of(plan), "complete" if done else "time limit", detail)


def name_of(plan: BlockEffort) -> str:
    """How the method is called where this plan is carried out."""
    inner = "annealing" if plan.first.proposals or plan.later.proposals else "local search"
    return f"blocks({inner})"


def do_round(call: Call, before: Labels | None, number: int) -> tuple[Labels, int, int]:
    """One round: the groups after it, how many blocks there were, and how many of them there was time to solve.

    `before` are the groups that there are, None in round 0.
    """
    points, k = call.problem
    plan = plan_of(call.effort or "default", k)
    size = max(plan.size, 16 * k)
    random = np.random.default_rng([call.seed, number])
    if before is None:
        division, schedule = split(points, None, size, random), plan.first
    else:
        division, schedule = split_groups(points, before, size, random), plan.later
    labels = np.full(len(points), -1, np.int64)
    count = len(division.ends)
    tasks = division.tasks(points, k, schedule, int(random.integers(2**62)), Until.of(call.deadline))
    groups = completed = 0
    with workers(call.executor) as executor:
        for b, (found, finished) in enumerate(ordered_map(executor, solve_block, tasks)):
            labels[division.members(b)] = found.astype(np.int64) + groups
            groups += int(found.max()) + 1
            completed += finished
            call.report(f"blocks, round {number}", (b + 1) / count)
    return labels, count, completed


@dataclass(frozen=True)
class Division:
    """Records in the order of blocks; block b ends before ends[b]. `labels` runs along, where groups exist
    already."""

    order: Labels
    ends: Labels
    labels: Ints | None

    def members(self, b: int) -> Labels:
        return self.order[self.ends[b - 1] if b else 0 : self.ends[b]]

    def block(self, points: Floats, b: int) -> tuple[Floats, Ints | None]:
        """The points of block b, and its labels from 0 where there are groups."""
        labels = None
        if self.labels is not None:
            labels = self.labels[self.ends[b - 1] if b else 0 : self.ends[b]]
            labels = labels - labels[0]
        return points[self.members(b)], labels

    def tasks(
        self, points: Floats, k: int, schedule: Schedule, seed: int, until: Until
    ) -> Iterator[tuple[Floats, Ints | None, int, Schedule, int, Until]]:
        for b in range(len(self.ends)):
            yield *self.block(points, b), k, schedule, seed + b, until


def split(centers: Floats, weights: Labels | None, size: int, random: np.random.Generator) -> Division:
    """Split recursively until a part weighs at most `size`: along the widest column into parts near that weight, or
    along random directions where there are weights (groups), off the middle so that borders move.
    """
    order = np.arange(len(centers))
    ends: list[int] = []
    stack = [(0, len(centers))]
    while stack:
        lo, hi = stack.pop()
        part = order[lo:hi]
        weight = hi - lo if weights is None else int(weights[part].sum())
        pieces = min(-(-weight // size), hi - lo)
        if pieces == 1:
            ends.append(hi)
            continue
        sample = centers[part[:: max(1, (hi - lo) // 2000)]]
        if weights is None:
            along = centers[part, int(sample.var(axis=0).argmax())]
            middle = (hi - lo) * (pieces // 2) // pieces
        else:
            # A random direction stretched like the data: wide columns are cut more often than narrow ones.
            direction = random.standard_normal(centers.shape[1]) * sample.std(axis=0)
            direction = (sample - sample.mean(axis=0)).T @ ((sample - sample.mean(axis=0)) @ direction)
            along = centers[part] @ direction
            middle = max(1, min(hi - lo - 1, int((hi - lo) * random.uniform(0.35, 0.65))))
        order[lo:hi] = part[np.argpartition(along, middle)]
        stack.append((lo + middle, hi))
        stack.append((lo, lo + middle))
    return Division(order, np.array(ends), None)


def split_groups(points: Floats, labels: Labels, size: int, random: np.random.Generator) -> Division:
    """Blocks of whole groups; `labels` of the division number the groups along the order."""
    sizes = np.bincount(labels)
    groups = split(group_means(points, labels, len(sizes)), sizes, size, random)
    by_group = np.argsort(labels, kind="stable")
    start = np.cumsum(sizes) - sizes
    length = sizes[groups.order]
    after = np.cumsum(length)
    # Place i of the new order is member i − (its group's first place) of that group.
    places = np.repeat(start[groups.order] - (after - length), length) + np.arange(len(labels))
    numbers = np.repeat(np.arange(len(sizes), dtype=np.int32), length)
    return Division(by_group[places], after[groups.ends - 1], numbers)


def solve_block(
    points: Floats,
    labels: Ints | None,
    k: int,
    schedule: Schedule,
    seed: int,
    until: Until,
    neighbors: int = _NEIGHBORS,
) -> tuple[Ints, bool]:
    """A block's labels 0 .. g−1, and whether there was time to solve it."""
    if until.passed:
        return (halved(points, k) if labels is None else labels), False
    if len(points) < 2 * k:
        return np.zeros(len(points), np.int32), True
    start = mdav_kernel(points, k).astype(np.int32) if labels is None else labels
    # Single precision will do for lists that only guide the search, and it is twice as fast.
    columns = np.ascontiguousarray(points.T, np.float32)
    near, distance = nearest_kernel(columns, 0, len(points), min(neighbors, len(points) - 1))
    radius = distance[:, min(k, near.shape[1]) - 1].astype(np.float64)
    state = grouped(padded(points), start, k)
    before = total(state)
    course = schedule.course(len(points))
    if course.steps:
        cool(state, near, scaled(radius, schedule.alpha), k, seeded(seed), LOGARITHMS, course, 0, course.steps)
    improve(state, near, k, 1e-9 * before / len(points), schedule.passes, schedule.regroup)
    return (renumber(state.labels) if total(state) < before else start), True


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def halved(points: Floats, k: int) -> Ints:
    """Groups of k .. 2k−1 by halving along the widest column: what there is time for when there is none."""
    n, d = points.shape
    labels = np.zeros(n, np.int32)
    order = np.arange(n)
    stack = np.empty((128, 2), np.int64)
    stack[0, 0], stack[0, 1] = 0, n
    height, groups = 1, 0
    while height > 0:
        height -= 1
        lo, hi = stack[height, 0], stack[height, 1]
        if hi - lo < 2 * k:
            for a in range(lo, hi):
                labels[order[a]] = groups
            groups += 1
            continue
        widest, column = -1.0, 0
        for l in range(d):
            low = high = points[order[lo], l]
            for a in range(lo, hi):
                v = points[order[a], l]
                low, high = min(low, v), max(high, v)
            if high - low > widest:
                widest, column = high - low, l
        values = np.empty(hi - lo)
        for a in range(lo, hi):
            values[a - lo] = points[order[a], column]
        part = order[lo:hi].copy()
        sorted_places = by_falling(values)
        for a in range(hi - lo):
            order[lo + a] = part[sorted_places[a]]
        middle = lo + (hi - lo) // 2 // k * k
        stack[height, 0], stack[height, 1] = lo, middle
        stack[height + 1, 0], stack[height + 1, 1] = middle, hi
        height += 2
    return labels
