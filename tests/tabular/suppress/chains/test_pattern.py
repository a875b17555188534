"""The pattern protects every cell that is not missing, against every attacker, by plain linear programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.tabular_suppress import cheapest, reach

from discreet.tabular.problem import FIXED, PRIMARY, Problem
from discreet.tabular.relations import Grid
from discreet.tabular.suppress.chains.lattice import lattice_of
from discreet.tabular.suppress.chains.pattern import Chained, chain_pattern
from discreet.work import Deadline, Reporter
from tests.tabular.suppress.chains.conftest import gridded, problem_of, tree_of

QUIET = Reporter(None)


def patterned(grid: Grid, problem: Problem, attackers: list[np.ndarray], seed: int = 0) -> Chained:
    lattice = lattice_of(grid, problem.relations)
    return chain_pattern(problem, lattice, attackers, Deadline(None), QUIET, seed=seed)


def protected(problem: Problem, hidden: np.ndarray, p: int, known: list[int]) -> bool:
    cells = problem.cells
    up, down = (reach(problem, hidden, p, side, known) for side in (1, -1))
    return bool(up >= cells.above[p] - 1e-6 and down >= cells.below[p] - 1e-6 and up + down >= cells.sliding[p] - 1e-6)


@settings(max_examples=30, deadline=None)
@given(made=gridded(nodes=5), picks=st.lists(st.lists(st.integers(0, 24), min_size=1, max_size=3), max_size=3))
def test_all_but_the_missing_are_protected(made: tuple[Grid, Problem], picks: list[list[int]]) -> None:
    grid, problem = made
    cells = problem.cells
    attackers = [np.unique([i % cells.n for i in own]) for own in picks]
    found = patterned(grid, problem, attackers)
    assert found.hidden[cells.status <= 1].all()
    assert not found.hidden[cells.status == FIXED].any()
    assert found.cost == cells.cost[found.hidden & (cells.status != PRIMARY)].sum()
    missing = {(p, tuple(known.tolist())) for p, known in found.missing}
    everything = cells.status != FIXED
    for known in ([], *(own.tolist() for own in attackers)):
        for p in np.flatnonzero(cells.status == PRIMARY).tolist():
            if p in known or (p, ()) in missing:
                continue
            if (p, tuple(known)) in missing:
                # Small tables are their own neighborhoods: what is missing cannot be protected at all.
                assert not protected(problem, everything, p, known)
            else:
                assert protected(problem, found.hidden, p, known)
    for p, own in found.missing:
        assert not protected(problem, everything, p, own.tolist())


@pytest.mark.parametrize("seed", range(3))
def test_near_the_cheapest_of_all_patterns(seed: int) -> None:
    trees = (tree_of([-1, 0, 0, 0]), tree_of([-1, 0, 0, 0]))
    problem = problem_of(trees, np.random.default_rng(seed))
    status = problem.cells.status.copy()
    status[[0, 1, 4]] = FIXED
    problem = problem._replace(cells=problem.cells._replace(status=status))
    grid = Grid(trees, np.arange(16))
    found = patterned(grid, problem, [])
    best = cheapest(problem)
    assert best is not None
    assert not found.missing
    assert best <= found.cost <= 2 * best
    again = patterned(grid, problem, [])
    assert np.array_equal(found.hidden, again.hidden)


def test_looking_again_is_never_dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = (tree_of([-1] + [0] * 8), tree_of([-1] + [0] * 8), tree_of([-1] + [0] * 6))
    costs = {}
    for passes in (0, 4):
        monkeypatch.setattr("discreet.tabular.suppress.chains.pattern.PASSES", passes)
        made = [problem_of(trees, np.random.default_rng(seed), 0.05) for seed in range(3)]
        costs[passes] = [patterned(Grid(trees, np.arange(567)), problem, []).cost for problem in made]
    assert all(after <= before for before, after in zip(costs[0], costs[4]))
    assert sum(costs[4]) < sum(costs[0])
