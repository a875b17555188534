"""Windows: integer programs over the groups of small reduced cost, on a few hundred records at a time.

Good partitions are made of groups of small reduced cost. All groups up to some reduced cost are listed, about `WIDTH` a
record; the best partition is cut into windows (`regions`), and each is solved as a set-partitioning problem over the
listed groups inside it, from what it has. Windows of a round are disjoint, are solved at the same time, and never make
the partition worse. They grow while the programs are easy or gain nothing, up to the whole, and shrink where these are
hard. Simplex steps, not seconds, measure that: the result is the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from discreet.microaggregation.certificate.cuts.cut import penalties_of
from discreet.microaggregation.certificate.exact.set_partition import best_partition
from discreet.microaggregation.certificate.master.cut_master import CutMaster
from discreet.microaggregation.certificate.pricing.sweep import sweep
from discreet.microaggregation.certificate.progress import Progress
from discreet.microaggregation.certificate.space import Floats, Ints, groups_in
from discreet.microaggregation.groups import Groups, groups_of, normalized
from discreet.microaggregation.problem import Labels, renumber
from discreet.microaggregation.search.regions import regions
from discreet.scale import ordered_map

# Groups within reach, a record.
WIDTH = 24
# Simplex steps of the hardest program of a round below which windows grow and above which they shrink.
EASY, HARD = 2000, 8000
# A round that closes less than this share of the gap has gained nothing to speak of.
LEAST = 0.01


class Limits(NamedTuple):
    """How large windows are, and how hard their programs try.

    | field | what it says |
    |---|---|
    | first | records of a window at first |
    | smallest | the share of its size that a window may fall short by chance |
    | dense | groups a record in its program |
    | nodes | of its program |
    | share | of the time left, for its program |
    | restarts | of the solver: programs over everything gain by them, small ones lose |
    """

    first: int
    smallest: float
    dense: int = 8
    nodes: int = 10
    share: float = 1.0
    restarts: bool = False


# The first ones make large steps; in the end, small windows in many places find what is left.
EARLY, LATE = Limits(300, 0.7), Limits(200, 0.5)


class Reach(NamedTuple):
    """All that a round of windows chooses from: groups, their reduced costs, and the multipliers."""

    groups: Groups
    reduced: Floats
    multipliers: Floats


def reach(master: CutMaster, executor: Executor) -> Reach:
    """All groups up to some reduced cost, about `WIDTH` a record; where pricing cannot list them, those of the pool."""
    progress, columns, n = master.progress, master.columns, master.n
    penalties = penalties_of(master.proof_cuts, master.proof_weights, n)
    most = WIDTH * n
    allowance = 1e-3 * max(progress.sse - progress.proof.value, 1e-9 * progress.sse)
    found = None
    while not progress.late:
        more = sweep(
            master.space, master.multipliers, master.k, allowance,
            keep=0, max_columns=2 * most, penalties=penalties, executor=executor, deadline=progress.deadline,
        )  # fmt: skip
        if more.overflow or not more.complete.all():
            break
        found = more
        if len(more.sizes) >= most or allowance > progress.sse:
            break
        allowance *= 1.5
    if found is None or not len(found.sizes):
        reduced = columns.reduced(master.multipliers)
        rows = np.sort(np.argsort(reduced, kind="stable")[:most])
        groups, reduced = columns.subset(rows), reduced[rows]
    else:
        rows = np.sort(np.argsort(found.reduced, kind="stable")[:most])
        members, sizes = normalized(found.members[rows], columns.members.shape[1]), found.sizes[rows]
        groups, reduced = (
            groups_in(master.space, members, sizes),
            found.reduced[rows],
        )
    return Reach(groups, reduced, master.multipliers)


def improve_windows(
    master: CutMaster,
    executor: Executor,
    *,
    seed: int,
    rounds: int,
    patience: int,
    limits: Limits,
    progress: Progress | None = None,
    settled: Callable[[], bool] = lambda: False,
) -> None:
    """Rounds of windows from the best partition, each offered to `progress`; its groups go to the pool.

    They end after so many rounds, or after `patience` of them in a row that gained nothing to speak of, or once the
    matter is settled elsewhere.
    """
    progress, columns = progress or master.progress, master.columns
    progress.tell("windows")
    points, k, n = progress.points, master.k, master.n
    within = reach(master, executor)
    random = np.random.default_rng([seed, n, k])
    size, idle = min(n, max(limits.first, 20 * k)), 0
    for _ in range(rounds):
        if progress.late or progress.closed or idle >= patience or settled():
            break
        labels, before = progress.labels.copy(), progress.sse
        division = regions(points, labels, random, sizes=(max(10 * k, int(limits.smallest * size)), size), most=n)
        inside = [division.members(b) for b in range(len(division.ends))]
        tasks = [(within, records, labels[records], progress, limits) for records in inside]
        steps: list[int] = []
        first = int(labels.max()) + 1
        for task, (better, taken) in zip(tasks, ordered_map(executor, solve_window, tasks, ahead=4)):
            labels[task[1]] = first + better
            first += int(better.max()) + 1
            steps.append(taken)
        progress.count(windows=len(tasks))
        labels = renumber(labels)
        progress.offer_partition(labels)
        columns.add_partition(labels)
        gains = before - progress.sse > LEAST * (progress.sse - progress.proof.value)
        idle = 0 if gains else idle + 1
        if max(steps) > HARD:
            size = max(10 * k, size * 2 // 3)
        elif max(steps) < EASY or not gains:
            size = min(n, size * 3 // 2)
        progress.tell("windows")


def solve_window(
    within: Reach, inside: Labels, labels: Labels, progress: Progress, limits: Limits
) -> tuple[Labels, int]:
    """The best partition of the records `inside` into groups within reach, from `labels`; and simplex steps taken."""
    labels = renumber(labels)
    if progress.late:
        return labels, 0
    n, m = len(within.multipliers), len(inside)
    width = within.groups.members.shape[1]
    place = np.full(n + 1, -1, np.int32)
    place[inside] = np.arange(m, dtype=np.int32)
    held = place[within.groups.members]
    # No better partition has a group that costs more than the whole gap.
    gap = progress.sse - progress.proof.value
    rows = np.flatnonzero(((held >= 0) | (within.groups.members < 0)).all(axis=1) & (within.reduced <= gap))
    rows = np.sort(rows[np.argsort(within.reduced[rows], kind="stable")[: limits.dense * m]])
    own, sizes = groups_of(labels, width)
    known = {row.tobytes() for row in own}
    others = normalized(held[rows], width)
    fresh = np.array([row.tobytes() not in known for row in others], np.bool_)
    rows, others = rows[fresh], others[fresh]
    groups = Groups(
        np.vstack([own, others]),
        np.concatenate([sizes, within.groups.sizes[rows]]),
        np.concatenate([_costs(progress.points[inside], own), within.groups.costs[rows]]),
    )
    found = best_partition(
        groups, within.multipliers[inside],
        max(gap, 1e-9 * progress.sse),
        start=np.arange(len(own)), nodes=limits.nodes, tolerance=1e-5, restarts=limits.restarts,
        time_limit=limits.share * progress.deadline.remaining,
    )  # fmt: skip
    if found.labels is None or found.value >= groups.costs[: len(own)].sum():
        return labels, found.steps
    return found.labels, found.steps


def _costs(points: Floats, members: Ints) -> Floats:
    return np.array([float(np.square(points[g] - points[g].mean(axis=0)).sum()) for g in (r[r >= 0] for r in members)])
