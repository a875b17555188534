"""What a contributor sees: his part narrows the boxes, and what cannot be hidden from him is not asked for."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.patterns import random_problem

from discreet.tabular.holder import Holder
from discreet.tabular.problem import PRIMARY, SECONDARY


@pytest.mark.parametrize("seed", range(40))
def test_the_view_is_that_of_each_cell_by_itself(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    cells = problem.cells
    own = rng.permutation(cells.n)[: rng.integers(1, cells.n + 1)]
    alone = rng.random(own.size) < 0.4
    lower = np.where(alone, cells.value[own], rng.integers(cells.lower[own], cells.value[own] + 1))
    upper = np.where(alone, cells.value[own], cells.upper[own])
    before = [field.copy() for field in cells]
    seen = Holder(own, lower, upper).view(problem).cells
    parts = {int(cell): (int(low), int(high)) for cell, low, high in zip(own, lower, upper)}
    for cell in range(cells.n):
        low, high = int(cells.lower[cell]), int(cells.upper[cell])
        value, status = int(cells.value[cell]), int(cells.status[cell])
        levels = [int(level[cell]) for level in (cells.below, cells.above, cells.sliding)]
        if cell in parts:
            low, high = max(low, parts[cell][0]), min(high, parts[cell][1])
            levels = [min(level, most) for level, most in zip(levels, (value - low, high - value, high - low))]
            if parts[cell][0] == parts[cell][1] and status == PRIMARY:
                status = SECONDARY
        found = [
            int(field[cell]) for field in (seen.lower, seen.upper, seen.status, seen.below, seen.above, seen.sliding)
        ]
        assert found == [low, high, status, *levels]
    assert all((mine == kept).all() for mine, kept in zip(cells, before))  # the problem itself stays as it was
