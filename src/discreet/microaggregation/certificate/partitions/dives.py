"""Diving: a whole partition out of the linear relaxation, a few groups at a time.

The relaxation is solved over the groups of the pool; those of weight near one are fixed, and at least a few of the
largest; their records leave, the multipliers of the rest price a little among themselves (heuristically: a dive proves
nothing), and so on. Records left over join the nearest groups; local search has the last word. Every group that a dive
makes goes to the pool.
"""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np

from discreet.microaggregation.certificate.descent import descend
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.paper.simple_rounding import add_remaining
from discreet.microaggregation.certificate.pricing.sweep import sweep
from discreet.microaggregation.certificate.progress import Progress
from discreet.microaggregation.certificate.space import Floats, Ints, measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import Labels
from discreet.microaggregation.search.annealing import Landscape, Schedule, anneal
from discreet.scale import ordered_map
from discreet.solvers.master_lp import MasterLP

# Columns a record that a dive may choose from at first, by reduced cost.
WIDTH = 6
# Fixed at once: groups of at least this weight, and otherwise a share of those that are still to be made.
SURE = 0.95
LIKELY = 0.3
# Passes of pricing after each choice.
PRICINGS = 2


def dive(
    columns: Columns,
    progress: Progress,
    land: Landscape,
    multipliers: Floats,
    executor: Executor,
    *,
    share: float = 0.15,
) -> Labels | None:
    """The partition that a dive ends in, offered to `progress`; None where the deadline came first."""
    points, k, n = progress.points, progress.k, len(progress.points)
    reduced = columns.reduced(multipliers)
    rows = np.sort(np.argsort(reduced, kind="stable")[: WIDTH * n])
    rows = np.union1d(rows, columns.add_partition(progress.labels)).astype(np.int64)
    price = 4.0 * np.maximum(multipliers, 0.0) + 2.0 * progress.sse / n
    left = np.arange(n)
    chosen: list[Ints] = []
    while len(left) >= 2 * k:
        rows, x = _relax(columns, points, k, rows, left, price, executor)
        if progress.late:
            return None
        taken = _fix(columns.members[rows], x, n, max(1, int(share * len(left) / k)))
        if not taken:
            break
        used = np.zeros(n + 1, np.bool_)
        for g in taken:
            row = columns.members[rows[g]]
            chosen.append(row[row >= 0])
            used[row[row >= 0]] = True
        rows = rows[~used[columns.members[rows]].any(axis=1)]
        left = left[~used[left]]
    labels = np.full(n, -1, np.int64)
    for g, row in enumerate(chosen):
        labels[row] = g
    if len(left) >= k:
        labels[left] = len(chosen) + mdav(points[left], k)
    elif len(left):
        complete = add_remaining(points, k, labels, chosen, left)
        if complete is None:
            return None
        labels = complete
    labels = descend(land, labels)
    columns.add_partition(labels)
    progress.offer_partition(labels)
    progress.count(dives=1)
    return labels


def dives(columns: Columns, progress: Progress, land: Landscape, count: int, executor: Executor) -> None:
    """Dives that fix fewer and fewer groups at once, each from the groups that the others left."""
    multipliers = progress.proof.multipliers
    progress.tell("diving")
    for number in range(count):
        if multipliers is None or progress.late:
            return
        dive(columns, progress, land, multipliers, executor, share=0.3 / (1 + number))


def _relax(
    columns: Columns,
    points: Floats,
    k: int,
    rows: Labels,
    left: Labels,
    price: Floats,
    executor: Executor,
) -> tuple[Labels, Floats]:
    """The relaxation over the groups at `rows` and what pricing among the records `left` adds to them."""
    m = len(left)
    place = np.full(len(points) + 1, -1, np.int32)
    place[left] = np.arange(m, dtype=np.int32)
    ones = np.ones(m)
    lp = MasterLP(ones, ones, tolerance=1e-7)
    lp.add_columns(price[left], np.arange(m + 1, dtype=np.int32), np.arange(m, dtype=np.int32), ones)
    _enter(lp, columns, rows, place)
    space = measure(points[left], k)
    solution = lp.solve()
    for _ in range(PRICINGS):
        found = sweep(
            space,
            solution.duals,
            k,
            -1e-6 * abs(solution.value) / m,
            keep=1,
            node_limit=200,
            cap=20 + k,
            executor=executor,
        )
        members = np.where(found.members >= 0, left[found.members], -1).astype(np.int32)
        fresh = columns.add(members, found.sizes)
        if not len(fresh):
            break
        _enter(lp, columns, fresh.astype(np.int64), place)
        rows = np.concatenate([rows, fresh])
        solution = lp.solve()
    return rows, solution.x[m:]


def _enter(lp: MasterLP, columns: Columns, rows: Labels, place: Ints) -> None:
    members, sizes, costs = columns.subset(rows)
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    lp.add_columns(costs, start, place[members[members >= 0]], np.ones(int(start[-1])))


def _fix(members: Ints, x: Floats, n: int, most: int) -> list[int]:
    used = np.zeros(n, np.bool_)
    taken: list[int] = []
    for g in np.argsort(-x, kind="stable"):
        if x[g] < 1e-6 or (x[g] < SURE and (len(taken) >= most or (taken and x[g] < LIKELY))):
            break
        row = members[g][members[g] >= 0]
        if not used[row].any():
            used[row] = True
            taken.append(int(g))
    return taken


def reheat(columns: Columns, progress: Progress, land: Landscape, seed: int, tasks: int, executor: Executor) -> None:
    """Annealings from the best partition at low temperatures; their groups go to the pool."""
    n = len(progress.points)
    work = []
    for number in range(tasks):
        random = np.random.default_rng([seed, n, number])
        schedule = Schedule(
            max(400.0, min(6000.0, 6e6 / n)),
            hot=float(np.exp(random.uniform(np.log(0.08), np.log(0.4)))),
            cold=float(np.exp(random.uniform(np.log(0.005), np.log(0.03)))),
            alpha=(0.25, 0.5, 0.75, 1.0)[number % 4],
            chains=(0.1, 0.2, 0.4)[number % 3],
            regroups=0.03,
            best_swap=progress.k > 3 or number % 2 == 0,
        )
        work.append((land, progress.labels, schedule, int(random.integers(2**62))))
    for labels, _ in ordered_map(executor, anneal, work, ahead=2):
        columns.add_partition(labels)
        progress.offer_partition(labels)
        if progress.late:
            return
