"""The bound from nearest neighbors: its formula, and no partition below it."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import optimum, random_points

from discreet.microaggregation.certificate import neighbor_bound as module
from discreet.microaggregation.certificate.neighbor_bound import neighbor_bound


def by_formula(points: np.ndarray, k: int) -> float:
    apart = np.sort(np.square(points[:, None] - points[None]).sum(axis=2), axis=1)
    return float(apart[:, :k].sum()) / (2 * k)


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_formula_and_below_every_partition(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random_points(random, 9)
    for k in (2, 3, 4):
        assert neighbor_bound(points, k) == pytest.approx(by_formula(points, k), rel=1e-11)
        assert neighbor_bound(points, k) <= optimum(points, k) * (1 + 1e-12)


def test_one_record_a_group_loses_nothing_and_pairs_far_apart_meet_the_bound() -> None:
    pairs = np.array([[0.0], [1.0], [100.0], [103.0]])
    assert neighbor_bound(pairs, 1) == 0.0
    assert neighbor_bound(pairs, 2) == pytest.approx(0.5 + 4.5, rel=1e-11)
    assert neighbor_bound(pairs, 2) < 5.0, "rounding must not lift it"


def test_it_does_not_depend_on_the_size_of_its_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(0).normal(size=(50, 3))
    whole = neighbor_bound(points, 3)
    monkeypatch.setattr(module, "BLOCK", 7)
    assert neighbor_bound(points, 3) == pytest.approx(whole, rel=1e-13)
