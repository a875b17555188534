"""The interior point method against the simplex method."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import whole_master

from discreet.microaggregation.certificate.master import interior_point
from discreet.microaggregation.certificate.master.interior_point import solve_master
from discreet.microaggregation.groups import Groups


@pytest.mark.parametrize("sparse", [False, True])
def test_interior_and_simplex_agree(sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if sparse:
        monkeypatch.setattr(interior_point, "DENSE", 0)
    for seed in range(5):
        points = np.random.default_rng(seed).standard_normal((10, 2))
        members, sizes, costs, value, _, _ = whole_master(points, 2)
        box = np.full(10, 100.0)
        found = solve_master(Groups(members, sizes, costs), box, box, tolerance=1e-7)
        assert found.value == pytest.approx(value, rel=1e-4)
        assert found.multipliers.sum() == pytest.approx(value, rel=1e-3)
