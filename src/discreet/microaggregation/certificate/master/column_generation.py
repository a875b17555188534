"""Column generation: the linear relaxation of the set-partitioning model (9) and the bound it proves.

Gentile, Spagnolo-Arrizabalaga and Castro (2020), sections 4 and 5, with exact pricing by branch and bound in place of
enumeration and model (14), so that whole data sets are in reach. Two heuristic phases price with few candidates and few
branches; the last one prices exactly. Multipliers come from the interior of the optimal face, within a box that widens
where it is active, and are smoothed toward the best ones so far. Every pass proves a bound (see `bound`).

Exact passes begin with few branches a root and get more where that was not enough. For large groups (k = 10) a pass
over a thousand records takes half a minute, and ten of them prove within a percent or two.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np

from discreet.microaggregation.certificate.bound import lower_bound
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.master.interior_point import solve_master
from discreet.microaggregation.certificate.pricing.sweep import NO_LIMIT, Sweep, sweep
from discreet.microaggregation.certificate.progress import Kind, Progress, Proof
from discreet.microaggregation.certificate.space import Floats, Space
from discreet.microaggregation.problem import Labels, centroids

KIND: Kind = "column generation"
# The bound is good enough within this share of the master; and so many rounds are the most.
TOLERANCE = 1e-4
ROUNDS = 400
# The master is solved over so many columns a record.
KEPT = 15
# Branches a root and size in the first exact pass.
FIRST_BRANCHES = 1000
# From this k on, groups have so many sizes and members that exact pricing may not end.
LARGE = 8


class Phase(NamedTuple):
    """How hard a phase tries.

    | field | what it says |
    |---|---|
    | node_limit | branches of pricing, a root and size |
    | cap | candidates of pricing, a root; 0: all |
    | tolerance | to which the master is solved |
    | slack | reduced costs that count, as a share of the master a record |
    | enough | the phase ends when the bound, or what stands for it, is within this share of the master |
    """

    node_limit: int
    cap: int
    tolerance: float
    slack: float
    enough: float


class Converged(NamedTuple):
    """The last master: its value, multipliers and the weights of the columns at `rows`."""

    value: float
    multipliers: Floats
    converged: bool


class Smoothing:
    """The best multipliers so far, toward which others are moved before they are priced.

    Its weight grows while that finds better ones and falls where it does not.
    """

    def __init__(self) -> None:
        self.center: Floats | None = None
        self.value = -np.inf
        self.weight = 0.3

    def trial(self, multipliers: Floats) -> Floats:
        """The multipliers to price."""
        if self.center is None:
            return multipliers
        out: Floats = self.weight * self.center + (1 - self.weight) * multipliers
        return out

    def learn(self, trial: Floats, value: float) -> None:
        """What these multipliers prove, or seem to."""
        if value > self.value:
            self.center, self.value = trial, value
            self.weight = min(0.6, self.weight + 0.05)
        else:
            self.weight = max(0.0, self.weight - 0.15)

    def restart(self, multipliers: Floats) -> None:
        self.center, self.value, self.weight = multipliers, -np.inf, 0.0


def generate(
    space: Space,
    columns: Columns,
    progress: Progress,
    executor: Executor,
    *,
    node_limit: int = NO_LIMIT,
    exact: bool = True,
) -> Converged:
    """Generate columns until the bound is within `TOLERANCE` of the master, or the deadline or `ROUNDS` end it.

    Without `exact`, the heuristic phases alone: the multipliers are good, and nothing much is proven.
    """
    n, k = len(progress.points), progress.k
    phases = (
        Phase(200, 25 + k, 1e-3, 1e-3, 3e-3),
        Phase(3000, 45 + k, 1e-4, 1e-4, 5e-4),
        Phase(node_limit, 0, 1e-5, 0.2 * TOLERANCE, TOLERANCE),
    )
    share = spread(progress.points, progress.labels)
    middle = 0.5 * progress.sse / n
    upper, lower = 2 * share + 2 * middle, np.full(n, middle)
    _take(columns, sweep(space, 1.05 * share, k, 0.0, keep=1, node_limit=100, cap=20 + k, executor=executor), 3)

    smooth = Smoothing()
    phase = 0
    value, multipliers = progress.sse, share
    active = np.arange(columns.count)
    branches = min(node_limit, FIRST_BRANCHES)
    for _ in range(ROUNDS):
        now = phases[phase]
        last = phase == len(phases) - 1
        try:
            master = solve_master(
                columns.subset(active), upper, lower, tolerance=now.tolerance, time_limit=progress.deadline.remaining
            )
        except TimeoutError:
            break
        value, multipliers = master.value, master.multipliers
        # Interior solutions leave noise in every slack: widen only where one is really used.
        upper[master.above > 1e-2] *= 1.5
        lower[master.below > 1e-2] *= 1.5
        boxed = float(master.above.sum() + master.below.sum())
        trial = smooth.trial(multipliers)
        found = sweep(
            space, trial, k, -now.slack * value / n,
            node_limit=branches if last else now.node_limit, cap=now.cap, executor=executor, deadline=progress.deadline,
        )  # fmt: skip
        bound = lower_bound(trial, found.roots, k, dimension=space.dimension, best=progress.sse)
        progress.offer_proof(Proof(bound, KIND, trial, roots=found.roots))
        # In the heuristic phases the columns found stand for the roots' true values.
        smooth.learn(trial, bound if last else _pseudo_bound(trial, found, k))
        fresh = _take(columns, found, 3)
        progress.count(rounds=1, branches=found.nodes)
        progress.tell(KIND)
        active = _active(columns, multipliers)
        if progress.late:
            break
        if last:
            if bound > value * (1 - TOLERANCE):
                return Converged(value, multipliers, bool(found.complete.all()) and boxed < 1e-2)
            whole = bool(found.complete.all())
            if not whole and branches < node_limit:
                branches = min(node_limit, 10 * branches)
            elif fresh == 0 and smooth.weight == 0.0:
                break
        elif smooth.value > value * (1 - now.enough) or fresh < 3:
            phase += 1
            if phase == len(phases) - 1 and not exact:
                break
            if phase == len(phases) - 1:
                smooth.restart(multipliers)
    return Converged(value, multipliers if exact or smooth.center is None else smooth.center, False)


def _active(columns: Columns, multipliers: Floats) -> Labels:
    """The columns that the master is solved over: all, or those of least reduced cost."""
    most = KEPT * multipliers.size
    if columns.count <= most:
        return np.arange(columns.count)
    active = np.argpartition(columns.reduced(multipliers), most)[:most]
    active.sort()
    return active


def _pseudo_bound(multipliers: Floats, found: Sweep, k: int) -> float:
    least = np.zeros(multipliers.size)
    np.minimum.at(least, found.members[:, 0], found.reduced)
    return float(multipliers.sum() + np.sort(least)[: multipliers.size // k].sum())


def _take(columns: Columns, found: Sweep, per_root: int) -> int:
    """Add the best groups of each root; returns how many were new."""
    if not len(found.sizes):
        return 0
    root = found.members[:, 0]
    order = np.lexsort((found.reduced, root))
    sorted_root = root[order]
    starts = np.flatnonzero(np.r_[True, sorted_root[1:] != sorted_root[:-1]])
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))
    best = np.sort(order[place < per_root])
    return len(columns.add(found.members[best], found.sizes[best]))


def spread(points: Floats, labels: Labels) -> Floats:
    """Each record's share of its group's SSE: half its own squared distance to the mean, half an equal part."""
    own = np.square(points - centroids(points, labels)).sum(axis=1)
    sizes = np.bincount(labels)
    equal = (np.bincount(labels, weights=own) / sizes)[labels]
    out: Floats = 0.5 * own + 0.5 * equal
    return out
