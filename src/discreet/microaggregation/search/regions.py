"""Improve a partition region by region: a few dozen groups around a record are annealed, all others stay.

Annealing all records at once rarely brings every part to its best in the same run. A region is small enough to be
solved almost to optimality in a tenth of a second, and keeps what it had unless its SSE falls: no round makes the
partition worse. The regions of a round are disjoint, so they are solved at the same time and the result does not depend
on the number of workers. Size, temperatures and moves are drawn anew for every region; within wide ranges all of them
find something.
"""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np

from discreet.microaggregation.problem import Floats, Labels, group_means, renumber
from discreet.microaggregation.search.annealing import Schedule, neighbor_count
from discreet.microaggregation.search.blocks import Division, solve_block
from discreet.microaggregation.search.restarts import Until
from discreet.scale import ordered_map

# Regions of a round; records of a region, from and to, and not fewer than so many groups of k.
_REGIONS = 16
_SIZES = (50, 200)
_GROUPS = (8, 30)
# The first regions of a round are round; what is left over at the end is not worth the work.
_SHARE = 0.7


def improve_regions(
    points: Floats, labels: Labels, k: int, random: np.random.Generator, executor: Executor, until: Until
) -> tuple[Labels, int, int]:
    """One round: the labels after it, how many regions became better, and how many proposals were made."""
    sizes = tuple(max(s, g * k) for s, g in zip(_SIZES, _GROUPS))
    division = regions(points, labels, random, sizes=(sizes[0], sizes[1]), most=_REGIONS, share=_SHARE)
    count = len(division.ends)
    schedules = [_schedule(random) for _ in range(count)]
    seed = int(random.integers(2**62))
    work = np.array([schedule.proposals * len(division.members(b)) for b, schedule in enumerate(schedules)])
    # The longest first: the round ends when the last worker does.
    turns = np.argsort(-work, kind="stable")
    tasks = ((*division.block(points, b), k, schedules[b], seed + b, until, neighbor_count(k)) for b in turns.tolist())
    out = labels.copy()
    groups, better = int(labels.max()) + 1, 0
    for b, (found, _) in zip(turns, ordered_map(executor, solve_block, tasks)):
        members = division.members(b)
        better += not np.array_equal(renumber(found), renumber(labels[members]))
        out[members] = found.astype(np.int64) + groups
        groups += int(found.max()) + 1
    return renumber(out), better, int(work.sum())


def regions(
    points: Floats,
    labels: Labels,
    random: np.random.Generator,
    *,
    sizes: tuple[int, int],
    most: int,
    share: float = 1.0,
) -> Division:
    """Disjoint regions of whole groups: a group drawn at random and the nearest ones not yet taken.

    At most `most` of them, of about as many records as `sizes` says (from, to), until they hold this share of all.
    """
    weights = np.bincount(labels)
    centers = group_means(points, labels, len(weights))
    by_group = np.argsort(labels, kind="stable")
    start = np.cumsum(weights) - weights
    left = np.ones(len(weights), np.bool_)
    order, numbers = [], []
    ends: list[int] = []
    used = 0
    for _ in range(most):
        size = _between(random, *sizes)
        free = np.flatnonzero(left)
        if ends and used >= share * len(labels):
            break
        seed = int(free[random.integers(len(free))])
        distance = np.square(centers[free] - centers[seed]).sum(axis=1)
        near = free[np.argsort(distance, kind="stable")]
        count = int(np.searchsorted(np.cumsum(weights[near]), size)) + 1
        taken = near[:count]
        left[taken] = False
        for number, p in enumerate(taken):
            order.append(by_group[start[p] : start[p] + weights[p]])
            numbers.append(np.full(weights[p], number, np.int32))
        used += int(weights[taken].sum())
        ends.append(used)
    return Division(np.concatenate(order), np.array(ends), np.concatenate(numbers))


def _schedule(random: np.random.Generator) -> Schedule:
    return Schedule(
        proposals=_between(random, 600, 6000),
        hot=_between(random, 0.05, 2.5),
        cold=_between(random, 0.004, 0.03),
        alpha=float(random.choice([0.0, 0.25, 0.5, 0.75, 1.0])),
        chains=float(random.uniform(0.1, 0.4)),
        regroups=float(random.uniform(0.01, 0.06)),
        best_swap=bool(random.random() < 0.5),
    )


def _between(random: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(random.uniform(np.log(low), np.log(high))))
