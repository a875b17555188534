"""Column generation: it ends at the linear relaxation over all groups, and every bound on the way holds."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import optimum, random_points, whole_master

from discreet.microaggregation.certificate.master.column_generation import (
    TOLERANCE,
    Smoothing,
    generate,
    spread,
)
from discreet.microaggregation.certificate.master.columns import Columns
from discreet.microaggregation.certificate.progress import Progress
from discreet.microaggregation.certificate.space import measure
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.problem import renumber, sse
from discreet.scale import workers
from discreet.work import Deadline, Reporter


def begun(points: np.ndarray, k: int, seconds: float | None = None) -> tuple[Columns, Progress]:
    progress = Progress(points, k, renumber(mdav(points, k)), Deadline(seconds), Reporter(None))
    columns = Columns(measure(points, k), 2 * k - 1)
    columns.add_partition(progress.labels)
    return columns, progress


@pytest.mark.parametrize("seed", range(6))
def test_it_ends_at_the_relaxation_over_all_groups(seed: int) -> None:
    random = np.random.default_rng(seed)
    k = 2 + seed % 2
    points = random_points(random, 11)
    columns, progress = begun(points, k)
    if not progress.sse:
        return
    with workers(None) as pool:
        found = generate(measure(points, k), columns, progress, pool)
    value = whole_master(points, k)[3]
    best = optimum(points, k)
    assert found.converged
    assert progress.proof.value <= value * (1 + 1e-9) + 1e-9 and value <= best * (1 + 1e-9) + 1e-9
    assert progress.proof.value >= value * (1 - 3 * TOLERANCE) - 1e-9
    assert found.value == pytest.approx(value, rel=3 * TOLERANCE, abs=1e-9)


def test_without_the_exact_phase_nothing_is_called_converged() -> None:
    points = np.random.default_rng(8).standard_normal((14, 2))
    columns, progress = begun(points, 3)
    with workers(None) as pool:
        found = generate(measure(points, 3), columns, progress, pool, exact=False)
    assert not found.converged and progress.proof.value <= optimum(points, 3)
    assert np.isfinite(found.multipliers).all()


def test_no_time_proves_nothing_wrong() -> None:
    points = np.random.default_rng(9).standard_normal((14, 2))
    columns, progress = begun(points, 3, seconds=0.0)
    with workers(None) as pool:
        found = generate(measure(points, 3), columns, progress, pool)
    assert not found.converged and progress.proof.value <= optimum(points, 3)


def test_smoothing_moves_toward_the_best_and_less_where_that_fails() -> None:
    smooth = Smoothing()
    one, two = np.array([1.0, 3.0]), np.array([3.0, 1.0])
    assert smooth.trial(one) is one
    smooth.learn(one, 5.0)
    weight = smooth.weight
    assert smooth.trial(two) == pytest.approx(weight * one + (1 - weight) * two)
    smooth.learn(two, 4.0)
    assert smooth.center is one and smooth.weight < weight
    for _ in range(9):
        smooth.learn(two, 4.0)
    assert smooth.weight == 0.0 and smooth.trial(two) == pytest.approx(two)
    smooth.learn(two, 6.0)
    assert smooth.center is two
    smooth.restart(one)
    assert smooth.center is one
    smooth.learn(two, -1e9)
    assert smooth.center is two, "after a restart everything is better than nothing"


def test_shares_add_up_to_the_loss() -> None:
    points = np.random.default_rng(1).standard_normal((20, 3))
    labels = np.arange(20) % 6
    share = spread(points, labels)
    assert share.sum() == pytest.approx(sse(points, labels)) and (share > 0).all()
    for group in range(6):
        own = points[labels == group]
        assert share[labels == group].sum() == pytest.approx(((own - own.mean(axis=0)) ** 2).sum())
