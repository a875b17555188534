"""Boxes narrowed relation by relation hold for every table, and components are those of shared relations."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import all_moves, random_problem

from discreet.tabular.audit.propagation import connect, propagate
from discreet.tabular.audit.system import components, hidden_system


@given(st.integers(0, 2**32))
def test_no_table_is_cut_off(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    moves = all_moves(problem)
    if moves is None:
        return
    system = hidden_system(problem)
    assert (moves >= system.low).all() and (moves <= system.high).all()


def test_one_relation_narrows_its_cells() -> None:
    start, column, sign = np.array([0, 3]), np.array([0, 1, 2]), np.array([1, 1, -1], np.int8)
    low, high = np.array([-5, 0, 0]), np.array([5, 2, 3])
    assert propagate(start, column, sign, low, high, 100) == 1
    assert low.tolist() == [-2, 0, 0] and high.tolist() == [3, 2, 3]
    assert propagate(start, column, sign, np.array([1, 1, 0]), np.array([2, 2, 1]), 100) == -1, "a contradiction"


@given(st.integers(0, 2**32))
def test_components_share_no_relation(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    system = hidden_system(problem)
    parts = components(system)
    moving = np.flatnonzero(system.low < system.high)
    assert sorted(np.concatenate([p.place for p in parts]).tolist() if parts else []) == moving.tolist()
    for part in parts:
        for r in range(part.row.size):
            own = system.column[system.start[part.row[r]] : system.start[part.row[r] + 1]]
            inside = part.place[part.column[part.start[r] : part.start[r + 1]]]
            assert sorted(inside.tolist()) == sorted(c for c in own.tolist() if system.low[c] < system.high[c])
        # Connected: from its first column every other is reached.
        assert set(connect(part.start, part.column, part.low, part.high).tolist()) == {0}


def test_equal_relations_count_once() -> None:
    rng = np.random.default_rng(3)
    problem = random_problem(rng)
    rows = problem.relations
    twice = rows._replace(
        start=np.concatenate([rows.start, rows.start[1:] + rows.start[-1]]),
        cell=np.concatenate([rows.cell, rows.cell[::1]]),
        sign=np.concatenate([rows.sign, -rows.sign]),
        right=np.concatenate([rows.right, -rows.right]),
    )
    one, two = hidden_system(problem), hidden_system(problem._replace(relations=twice))
    assert one.relation.tolist() == two.relation.tolist()
    assert np.array_equal(one.low, two.low) and np.array_equal(one.high, two.high)
