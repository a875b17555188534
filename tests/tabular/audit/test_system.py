"""The hidden part of a table allows the moves that the whole table does, neither more nor fewer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import all_moves, random_problem

from discreet.errors import InputError
from discreet.tabular.audit.system import check, components, hidden_system
from discreet.tabular.problem import FREE, Problem, Relations


def seeded_problem(seed: int) -> Problem:
    return random_problem(np.random.default_rng(seed))


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_all_moves_of_the_table_are_moves_of_the_system_and_components_share_no_row(seed: int) -> None:
    problem = seeded_problem(seed)
    moves = all_moves(problem)
    if moves is None:
        return
    system = hidden_system(problem)
    assert np.array_equal(system.cell, np.flatnonzero(problem.cells.hidden))
    assert (moves >= system.low).all()
    assert (moves <= system.high).all()
    still = system.component < 0
    assert not moves[:, still].any()
    matrix = np.zeros((system.relation.size, system.cell.size), np.int64)
    for r in range(system.relation.size):
        own = slice(system.start[r], system.start[r + 1])
        matrix[r, system.column[own]] = system.sign[own]
    assert not (moves @ matrix.T).any()
    assert len({tuple(row * np.sign(row[np.flatnonzero(row)[0]])) for row in matrix}) == len(matrix)
    found = components(system)
    assert np.array_equal(
        np.sort(np.concatenate([np.zeros(0, int), *(c.place for c in found)])), np.flatnonzero(~still)
    )
    for number, own in enumerate(found):
        assert (system.component[own.place] == number).all()
        assert np.array_equal(own.low, system.low[own.place])
        rebuilt = np.zeros((own.row.size, own.n), np.int64)
        for r in range(own.row.size):
            part = slice(own.start[r], own.start[r + 1])
            rebuilt[r, own.column[part]] = own.sign[part]
        assert np.array_equal(rebuilt, matrix[np.ix_(own.row, own.place)])
        others = np.setdiff1d(np.flatnonzero(~still), own.place)
        assert not matrix[np.ix_(own.row, others)].any()


def test_a_relation_is_dropped_whose_hidden_cells_are_those_of_another() -> None:
    """Two rows over the same two hidden cells, with opposite signs, and one over another pair."""
    problem = seeded_problem(0)
    n = problem.cells.n
    zero, status = np.zeros(n, np.int64), np.full(n, FREE, np.int8)
    status[:3] = 1
    cells = problem.cells._replace(value=zero, lower=zero - 1, upper=zero + 1, status=status)
    rows = Relations(
        np.array([0, 3, 6, 8]), np.array([0, 1, 5, 1, 0, 6, 1, 2]), np.array([1, -1, 1, 1, -1, 1, 1, 1], np.int8),
        np.zeros(3, np.int64),
    )  # fmt: skip
    system = hidden_system(Problem(cells, rows))
    assert system.relation.tolist() == [0, 2]


def test_one_error_names_sums_that_miss_and_values_outside_their_limits() -> None:
    problem = seeded_problem(1)
    value = problem.cells.value.copy()
    value[0] = problem.cells.upper[0] + 7
    broken = problem._replace(cells=problem.cells._replace(value=value))
    with pytest.raises(InputError) as found:
        check(broken, broken.cells.hidden)
    assert "do not add up" in str(found.value)
    assert "outside its own limits: 0" in str(found.value)
    wide = problem._replace(cells=problem.cells._replace(upper=problem.cells.upper + (1 << 60)))
    with pytest.raises(InputError, match="too large"):
        check(wide, wide.cells.hidden)
    with pytest.raises(InputError, match=f"3 entries for {problem.cells.n} cells"):
        check(problem, np.ones(3, np.bool_))
