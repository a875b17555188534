"""A witness moves its cell by what the level asks, both ways, within boxes and without the cells that are barred."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.chains import matrix

from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Cells, Problem
from discreet.tabular.relations import Grid, relations_of
from discreet.tabular.suppress.chains.lattice import lattice_of
from discreet.tabular.suppress.chains.witnesses import Pattern, Witness, wanted
from tests.tabular.suppress.chains.conftest import gridded, tree_of


def check(problem: Problem, witness: Witness, want: tuple[int, int], barred: np.ndarray) -> None:
    """By whole numbers alone."""
    cells, rows = problem.cells, matrix(problem)
    for move, much in ((witness.rise, want[0]), (witness.fall, -want[1])):
        assert move is not None
        change = np.zeros(cells.n, np.int64)
        change[witness.cell] = move
        assert not (rows @ change).any()
        assert change[witness.owner] == much
        assert (cells.value + change >= np.minimum(cells.lower, cells.value)).all()
        assert (cells.value + change <= np.maximum(cells.upper, cells.value)).all()
        assert not change[barred].any()
    assert (cells.status[witness.cell] != FIXED).all()


@settings(max_examples=60, deadline=None)
@given(made=gridded())
def test_witnesses_are_exact_and_leave_rooms_and_prices_as_they_were(made: tuple[Grid, Problem]) -> None:
    grid, problem = made
    pattern = Pattern(problem, lattice_of(grid, problem.relations), 3)
    for p in np.flatnonzero(problem.cells.status == PRIMARY).tolist():
        want = wanted(problem, p)
        if not any(want):
            continue
        before = [own.copy() for own in pattern.room]
        barred = np.array([i for i in (0, p + 1, p + 2) if i != p and i < problem.cells.n], np.int64)
        for known in (np.zeros(0, np.int64), barred):
            witness = pattern.find(p, want, known)
            if witness is not None:
                check(problem, witness, want, known)
        assert all(np.array_equal(a, b) for a, b in zip(before, pattern.room))


def narrow() -> tuple[Grid, Problem]:
    """A two-way table whose free cells can move by 2 each: a level of 5 needs several moves."""
    trees = (tree_of([-1, 0, 0, 0, 0]), tree_of([-1, 0, 0, 0, 0]))
    inner = np.full((4, 4), 9)
    full = np.zeros((5, 5), np.int64)
    full[1:, 1:], full[0, 1:], full[1:, 0], full[0, 0] = inner, inner.sum(0), inner.sum(1), inner.sum()
    value = full.ravel()
    status = np.full(25, FREE, np.int8)
    status[:5] = status[::5] = FIXED
    status[6] = PRIMARY
    step = np.where(status == PRIMARY, 9, 2)
    level, zero = np.where(status == PRIMARY, 5, 0), np.zeros(25, np.int64)
    cells = Cells(value, value - step, value + step, value, status, level, level, zero)
    grid = Grid(trees, np.arange(25))
    return grid, Problem(cells, relations_of(grid))


def test_moves_are_added_up_where_none_has_room() -> None:
    grid, problem = narrow()
    pattern = Pattern(problem, lattice_of(grid, problem.relations), 0)
    witness = pattern.find(6, (5, 5))
    assert witness is not None
    check(problem, witness, (5, 5), np.zeros(0, np.int64))
    assert witness.cell.size > 8
    assert pattern.find(6, (7, 7)) is None  # three others of the row can move by 6 in all


def test_hidden_while_used() -> None:
    grid, problem = narrow()
    pattern = Pattern(problem, lattice_of(grid, problem.relations), 0)
    first, second = pattern.find(6, (1, 1)), pattern.find(6, (2, 2))
    assert first is not None
    assert second is not None
    pattern.add(first)
    pattern.add(second)
    assert np.array_equal(np.flatnonzero(pattern.hidden), np.union1d(first.cell, second.cell))
    assert pattern.price_of(first) == 0
    alone = np.setdiff1d(first.cell, second.cell)
    assert pattern.drop(first) == problem.cells.value[alone].sum()
    assert not pattern.hidden[alone].any()
    assert pattern.price_of(first) == problem.cells.value[alone].sum()
    assert pattern.drop(second) == 9 * 3
    assert np.flatnonzero(pattern.hidden).tolist() == [6]


def test_a_sliding_level_is_put_where_there_is_room() -> None:
    _, problem = narrow()
    sliding = np.where(problem.cells.status == PRIMARY, 16, 0)
    asked = problem._replace(cells=problem.cells._replace(sliding=sliding))
    assert wanted(asked, 6) == (9, 7)
    assert wanted(problem, 6) == (5, 5)
    assert problem.cells.status[6] <= SECONDARY


def test_without_a_lattice_there_are_no_chains() -> None:
    _, problem = narrow()
    assert Pattern(problem, None, 0).find(6, (1, 1)) is None
