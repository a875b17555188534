"""The least cost of choosing among groups: the solver and dynamic programming over sets agree."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.certificate import all_groups

from discreet.verify.certificates import programs
from discreet.verify.certificates.programs import least_cost


@pytest.mark.parametrize("seed", range(12))
def test_the_solver_and_sets_of_records_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(6, 11))
    listed = [g for g in all_groups(n, 2) if random.random() < 0.4]
    groups = np.array([[*g, -1][:3] for g in listed], np.int64)
    sizes = np.array([len(g) for g in listed], np.int64)
    costs = random.standard_normal(len(listed))
    required = random.random(n) < 0.6
    found = [
        least_cost(costs, groups, sizes, required, 1.0, n // 2, gap=0.0, seconds=np.inf)
        for sets in (14, 0)
        if not monkeypatch.setattr(programs, "SETS", sets)
    ]
    if np.isfinite(found[0]):
        assert found[1] <= found[0] <= found[1] + 1e-7 * np.abs(costs).max()
    else:
        assert found == [np.inf, np.inf]
