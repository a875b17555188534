"""Every product of chains keeps every relation; no other ends in one variable make a cheaper one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.chains import change, matrix, moves, price, vector

from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Problem
from discreet.tabular.relations import Grid
from discreet.tabular.suppress.chains.lattice import lattice_of
from discreet.tabular.suppress.chains.moves import BAD, Leeway, cheapest, spelled, work_of
from tests.tabular.suppress.chains.conftest import gridded


@settings(max_examples=60, deadline=None)
@given(made=gridded())
def test_a_move_keeps_relations_and_no_change_of_one_variable_is_cheaper(made: tuple[Grid, Problem]) -> None:
    grid, problem = made
    cells, rows = problem.cells, matrix(problem)
    lattice = lattice_of(grid, problem.relations)
    assert lattice is not None
    work = work_of(lattice)
    free = cells.status == FREE
    costs = np.where(free, cells.cost, np.where(cells.status == FIXED, BAD, 0.0)).astype(np.float64)
    room = Leeway(costs, np.maximum(cells.upper - cells.value, 0), np.maximum(cells.value - cells.lower, 0))
    for p in np.flatnonzero(cells.status == PRIMARY).tolist():
        want = np.array([cells.above[p], cells.below[p]])
        if not want.any():
            continue
        score = cheapest(lattice, room, work, p, want, True, 4, 7)
        prices = [price(problem, cells.status <= SECONDARY, move, *want) for move in moves(problem, grid, p)]
        possible = [each for each in prices if each is not None]
        if score >= BAD / want.sum():
            continue
        assert possible
        size = spelled(lattice, work, p)
        move = np.zeros(cells.n, np.int64)
        move[work.cell[:size]] = work.move[:size]
        assert np.unique(work.cell[:size]).size == size
        assert not (rows @ move).any()
        assert move[p] == 1
        own = price(problem, cells.status <= SECONDARY, move, *want)
        assert own is not None
        assert round(score * want.sum() - 1e-6 * size) == own
        assert own >= min(possible)
        choice = [(int(a), int(b)) for a, b in work.best]
        made_of = [vector(tree.parent, int(grid.codes[p, v]), *choice[v]) for v, tree in enumerate(grid.trees)]
        assert np.array_equal(change(grid, [each for each in made_of if each is not None]), move)
        beside = [price(problem, cells.status <= SECONDARY, near, *want) for near in moves(problem, grid, p, choice)]
        assert own <= min(each for each in beside if each is not None)


def test_with_many_starts_the_cheapest_of_all_is_mostly_found() -> None:
    from tests.tabular.suppress.chains.conftest import problem_of, tree_of

    trees = (tree_of([-1, 0, 0, 0, 1, 1]), tree_of([-1, 0, 0, 2, 2]))
    hits = total = 0
    for seed in range(10):
        problem = problem_of(trees, np.random.default_rng(seed))
        cells = problem.cells
        grid = Grid(trees, np.arange(cells.n))
        lattice = lattice_of(grid, problem.relations)
        assert lattice is not None
        work = work_of(lattice)
        room = Leeway(np.where(cells.status == FREE, cells.cost, 0.0), cells.upper - cells.value, cells.value.copy())
        for p in np.flatnonzero(cells.status == PRIMARY).tolist():
            want = np.array([cells.above[p], cells.below[p]])
            score = cheapest(lattice, room, work, p, want, True, 16, 1)
            prices = [price(problem, cells.status == PRIMARY, move, *want) for move in moves(problem, grid, p)]
            hits += round(score * want.sum() - 0.001) == min(each for each in prices if each is not None)
            total += 1
    assert total > 30
    assert hits > 0.9 * total
