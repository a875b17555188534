"""The lattice knows which cells are totals and terms, where chains may end, and whether a change keeps relations."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from numba import njit
from oracles.chains import matrix, path

from discreet.tabular.problem import Problem
from discreet.tabular.relations import Grid
from discreet.tabular.suppress.chains.lattice import balanced, lattice_of, meeting, place
from tests.tabular.suppress.chains.conftest import gridded


@njit
def met(lattice, v, one, other):  # type: ignore[no-untyped-def]
    return meeting(lattice, v, one, other)


@njit
def placed(lattice, key):  # type: ignore[no-untyped-def]
    return place(lattice, key)


@settings(max_examples=30, deadline=None)
@given(made=gridded())
def test_roles_ends_and_places(made: tuple[Grid, Problem]) -> None:
    grid, problem = made
    lattice = lattice_of(grid, problem.relations)
    assert lattice is not None
    relations, codes = problem.relations, grid.codes
    head, part = np.zeros_like(lattice.head), np.zeros_like(lattice.part)
    for r in range(relations.n):
        own = relations.cell[relations.start[r] : relations.start[r + 1]]
        signs = relations.sign[relations.start[r] : relations.start[r + 1]]
        total = own[signs < 0][0]
        for term in own[signs > 0]:
            for v in np.flatnonzero(codes[total] != codes[term]):
                head[total] |= 1 << v
                part[term] |= 1 << v
    assert np.array_equal(head, lattice.head)
    assert np.array_equal(part, lattice.part)
    for v, tree in enumerate(grid.trees):
        for node in range(len(tree.labels)):
            at = lattice.first[v] + node
            loose = {int(c) for c in np.unique(codes[(head >> v & 1) == 0, v]) if node in path(tree.parent, int(c))}
            assert set(lattice.end[lattice.end_start[at] : lattice.end_start[at + 1]].tolist()) == loose
            for other in range(len(tree.labels)):
                shared = [each for each in path(tree.parent, node) if each in path(tree.parent, other)]
                assert met(lattice, v, node, other) == shared[0]
    expected = {int(key): cell for cell, key in enumerate(grid.keys)}
    for key in range(len(grid.trees[0].labels) * len(grid.trees[1].labels)):
        assert placed(lattice, key) == expected.get(key, -1)


@settings(max_examples=30, deadline=None)
@given(made=gridded())
def test_balanced_is_the_product_with_the_matrix(made: tuple[Grid, Problem]) -> None:
    _, problem = made
    rows = matrix(problem)
    rng = np.random.default_rng(problem.cells.n)
    by_cell = [np.flatnonzero(column) for column in rows.T]
    start = np.concatenate(([0], np.cumsum([own.size for own in by_cell]))).astype(np.int64)
    row = np.concatenate([np.zeros(0, np.int64), *by_cell])
    sign = np.concatenate([np.zeros(0, np.int64), *(rows[own, i] for i, own in enumerate(by_cell))])
    sums = np.zeros(rows.shape[0], np.int64)
    for _ in range(5):
        cells = rng.choice(problem.cells.n, min(4, problem.cells.n), replace=False).astype(np.int64)
        change = rng.integers(-1, 2, cells.size)
        whole = np.zeros(problem.cells.n, np.int64)
        whole[cells] = change
        assert balanced(start, row, sign, cells, change, sums) == (not (rows @ whole).any())
        assert not sums.any()


def test_cells_that_do_not_stand_in_order_are_no_lattice() -> None:
    from tests.tabular.suppress.chains.conftest import problem_of, tree_of

    trees = (tree_of([-1, 0, 0]), tree_of([-1, 0, 0]))
    problem = problem_of(trees, np.random.default_rng(0))
    assert lattice_of(Grid(trees, np.arange(9)[::-1]), problem.relations) is None
    assert lattice_of(Grid((), np.arange(9)), problem.relations) is None
