"""Good partitions to begin with: their groups are the first columns of the master.

MDAV on randomly reweighted attributes, each improved by local search, and short annealings of mixed schedules. The
variety matters more than the quality of any one.
"""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np

from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import Floats, Labels
from discreet.microaggregation.search.annealing import Landscape, Schedule, anneal, survey
from discreet.scale import ordered_map
from discreet.work import Deadline


def start_partitions(
    points: Floats,
    k: int,
    *,
    descents: int,
    annealings: int,
    proposals: float,
    seed: int,
    deadline: Deadline,
    executor: Executor,
) -> list[Labels]:
    """Partitions into groups of k .. 2k−1; fewer where the deadline passes."""
    land = survey(points, k)
    tasks: list[tuple[object, ...]] = [(points, k, land, seed, r, 0.0) for r in range(descents)]
    tasks += [(points, k, land, seed, descents + r, proposals) for r in range(annealings)]

    found: list[Labels] = []
    for labels in ordered_map(executor, _one, tasks, ahead=4):
        found.append(labels)
        if deadline.passed:
            break
    return found


def _one(points: Floats, k: int, land: Landscape, seed: int, number: int, proposals: float) -> Labels:
    random = np.random.default_rng([seed, number])
    weights = np.exp(0.7 * random.standard_normal(points.shape[1])) if number else np.ones(points.shape[1])
    labels = mdav(points * weights, k, threads=1)
    schedule = Schedule(
        proposals,
        hot=1.2,
        cold=(0.01, 0.02)[number % 2],
        alpha=(0.5, 0.75, 0.25, 1.0)[number % 4],
        chains=0.3,
        regroups=0.03,
        best_swap=k > 3 or number % 2 == 0,
    )
    return anneal(land, labels, schedule, int(random.integers(2**62)))[0]
