"""The master with cuts: rows and columns as defined, bounds that hold, and a rise that no cut takes too far."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import all_groups, optimum, padded, whole_master

from discreet.microaggregation.certificate.cuts.cut import Cut
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.master.cut_master import CutMaster, cut_rounds
from discreet.microaggregation.certificate.progress import Progress
from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import renumber
from discreet.scale import workers
from discreet.work import Deadline, Reporter

N, K = 12, 3


def master_of(points: np.ndarray, *, every: bool = False) -> CutMaster:
    """A master that begins with MDAV's groups, or with all groups there are."""
    space = measure(points, K)
    progress = Progress(points, K, renumber(mdav(points, K)), Deadline(None), Reporter(None))
    columns = Columns(space, 2 * K - 1)
    if every:
        listed = padded(all_groups(N, K), 2 * K - 1)
        columns.add(listed, (listed >= 0).sum(axis=1).astype(np.int32))
    else:
        columns.add_partition(progress.labels)
    return CutMaster(space, columns, progress, np.arange(columns.count), np.full(N, progress.sse / N))


def open_points() -> np.ndarray:
    """Records whose relaxation is below the best partition, so that cuts have something to do."""
    for seed in range(100):
        points = np.random.default_rng(seed).standard_normal((N, 2))
        if whole_master(points, K)[3] < optimum(points, K) * (1 - 1e-4):
            return points
    raise AssertionError


POINTS = open_points()


def test_pricing_reaches_the_relaxation_over_all_groups() -> None:
    master = master_of(POINTS)
    with workers(None) as pool:
        assert master.price(pool) == "converged"
    value = whole_master(POINTS, K)[3]
    assert master.master == pytest.approx(value, rel=1e-7)
    assert value * (1 - 1e-6) <= master.progress.proof.value <= value * (1 + 1e-9)


def test_cuts_raise_the_bound_and_never_above_the_best_partition() -> None:
    best, value = optimum(POINTS, K), whole_master(POINTS, K)[3]
    master = master_of(POINTS)
    with workers(None) as pool:
        status = cut_rounds(master, pool)
    proof = master.progress.proof
    assert status in ("integer", "closed", "no cuts", "tailing off", "stalled")
    assert value * (1 + 1e-5) < proof.value <= best * (1 + 1e-9)
    assert proof.cuts and proof.penalties is not None
    assert len(proof.cuts) == len(proof.penalties) and (proof.penalties > 0).all()
    assert master.progress.sse >= best * (1 - 1e-9)


def test_columns_enter_once_with_their_entries_in_every_cut() -> None:
    """With cuts that are in before the columns, and cuts that come after them, the program is the same one."""
    cuts = [Cut((0, 1, 2), (1, 1, 1), 2), Cut((1, 3, 4, 5, 6), (2, 1, 1, 1, 1), 3)]
    later, sooner = master_of(POINTS, every=True), master_of(POINTS)
    later.add_cuts(cuts)
    sooner.add_cuts(cuts)
    listed = padded(all_groups(N, K), 2 * K - 1)
    sooner.columns.add(listed, (listed >= 0).sum(axis=1).astype(np.int32))
    every = np.arange(sooner.columns.count)
    assert sooner.add(every) == len(every) - len(master_of(POINTS).rows)
    assert sooner.add(every) == 0
    one, two = later.lp.solve(), sooner.lp.solve()
    assert one.solved and two.solved and one.value == pytest.approx(two.value, rel=1e-9)
    assert one.value > whole_master(POINTS, K)[3] - 1e-9


def test_idle_cuts_go_and_the_value_stays() -> None:
    master = master_of(POINTS, every=True)
    with workers(None) as pool:
        master.price(pool)
        while master.separate(pool) and len(master.cuts) < 40:
            master.price(pool)
        master.price(pool)
    before, idle = master.master, int((master.duals > -1e-9).sum())
    assert len(master.cuts) == master.duals.size and idle > 0
    master.drop_idle_cuts(master.duals)
    assert len(master.cuts) == master.duals.size - idle
    assert master.lp.solve().value == pytest.approx(before, rel=1e-9)


def test_multipliers_in_the_middle_prove_nearly_as_much() -> None:
    master = master_of(POINTS)
    with workers(None) as pool:
        master.price(pool)
        before = master.value
        master.center(pool)
    assert before * (1 - 2e-6) <= master.value <= optimum(POINTS, K)
