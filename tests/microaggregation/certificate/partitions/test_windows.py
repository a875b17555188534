"""Windows: solved to their optimum, never worse, the same for any number of threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from oracles.certificate import all_groups, group_sse, listed_groups, optimum

from discreet.microaggregation.certificate.master.column_generation import generate
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.master.cut_master import CutMaster, cut_rounds
from discreet.microaggregation.certificate.partitions.windows import (
    EARLY,
    Limits,
    Reach,
    improve_windows,
    reach,
    solve_window,
)
from discreet.microaggregation.certificate.progress import Progress
from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.groups import Groups
from discreet.microaggregation.problem import check_partition, renumber, sse
from discreet.scale import workers
from discreet.work import Deadline, Reporter


def test_a_window_is_solved_to_its_optimum_and_leaves_others_alone() -> None:
    for seed in range(30):
        random = np.random.default_rng(seed)
        points = random.standard_normal((int(random.integers(10, 14)), 2))
        k = int(random.integers(2, 4))
        labels = renumber(mdav(points, k))
        progress = Progress(points, k, labels, Deadline(None), Reporter(None))
        groups = Groups(*listed_groups(points, k))
        within = Reach(groups, np.zeros(len(groups.sizes)), np.zeros(len(points)))
        inside = np.flatnonzero(labels <= 1 + seed % 2)
        better, _ = solve_window(within, inside, labels[inside], progress, EARLY)
        check_partition(renumber(better), len(inside), k)
        value = sse(points[inside], better)
        # Listed are as many groups a record as a program takes: then the window's optimum, else no worse than before.
        if len(all_groups(len(inside), k)) <= EARLY.dense * len(inside):
            assert value == pytest.approx(optimum(points[inside], k))
        assert value <= sse(points[inside], renumber(labels[inside])) + 1e-12


def master_of(points: np.ndarray, k: int, pool: object) -> CutMaster:
    progress = Progress(points, k, renumber(mdav(points, k)), Deadline(None), Reporter(None))
    space = measure(points, k)
    columns = Columns(space, 2 * k - 1)
    columns.add_partition(progress.labels)
    generate(space, columns, progress, pool)
    multipliers = progress.proof.multipliers
    assert multipliers is not None
    master = CutMaster(space, columns, progress, np.arange(columns.count, dtype=np.int32), multipliers)
    cut_rounds(master, pool, rounds=4)
    return master


def test_reach_lists_every_group_below_its_largest_reduced_cost() -> None:
    points = np.random.default_rng(5).standard_normal((12, 2))
    with workers(None) as pool:
        within = reach(master_of(points, 3, pool), pool)
    listed = {tuple(sorted(int(v) for v in row if v >= 0)) for row in within.groups.members}
    assert len(listed) == len(within.groups.sizes) > 12
    for row, cost in zip(within.groups.members, within.groups.costs):
        assert cost == pytest.approx(group_sse(points, tuple(int(v) for v in row if v >= 0)))
    # Triples and other cuts only add to these.
    plain = {g: group_sse(points, g) - sum(within.multipliers[list(g)]) for g in all_groups(12, 3)}
    assert max(plain[g] for g in listed) <= within.reduced.max() + 1e-9


def test_rounds_never_lose_and_do_not_depend_on_threads() -> None:
    points = np.random.default_rng(11).standard_normal((150, 3))
    found = []
    for count in (1, 3):
        with ThreadPoolExecutor(count) as pool:
            master = master_of(points, 3, pool)
            before = master.progress.sse
            improve_windows(master, pool, seed=0, rounds=6, patience=2, limits=Limits(60, 0.5))
            check_partition(master.progress.labels, 150, 3)
            assert master.progress.proof.value <= master.progress.sse < before
            found.append(master.progress.labels)
    assert (found[0] == found[1]).all()
