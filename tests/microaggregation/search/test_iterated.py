"""Disturbances swap between groups and keep their sizes."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import scattered
from oracles.microaggregation import consistent

from discreet.kernels.xorshift import seeded
from discreet.microaggregation.constructions.mdav import mdav
from discreet.microaggregation.search.annealing import survey
from discreet.microaggregation.search.iterated import disturb
from discreet.microaggregation.search.moves import grouped


@pytest.mark.parametrize("seed", range(6))
def test_a_disturbance_keeps_the_sizes_and_moves_few_records(seed: int) -> None:
    points = scattered(40, 2, seed)
    labels, land = mdav(points, 3), survey(points, 3)
    state = grouped(land.points, labels, 3)
    before = state.labels.copy()
    disturb(state, land.near, 6, seeded(seed))
    consistent(state)
    moved = int((state.labels != before).sum())
    assert 0 < moved <= 12, "six swaps of two records each at most"
    assert np.bincount(state.labels).tolist() == np.bincount(before).tolist()


def test_no_strength_changes_nothing() -> None:
    points = scattered(20, 2, 0)
    land = survey(points, 3)
    state = grouped(land.points, mdav(points, 3), 3)
    before = state.labels.copy()
    disturb(state, land.near, 0, seeded(0))
    assert state.labels.tolist() == before.tolist()
