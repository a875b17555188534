"""Ends of one component: outer ones that no table exceeds, inner ones that a listed table attains."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import all_moves, random_problem

from discreet.tabular.audit.component import DOWN, UP, Ends
from discreet.tabular.audit.system import components, hidden_system


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_programs_close_every_side_that_whole_tables_can_close(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    moves = all_moves(problem)
    if moves is None:
        return
    for own in components(hidden_system(problem)):
        every = {tuple(row) for row in moves[:, own.place].tolist()}
        true = np.array([moves[:, own.place].max(axis=0), moves[:, own.place].min(axis=0)])
        ends = Ends(own)
        for column in range(own.n):
            for side in (UP, DOWN):
                assert ends.solve(column, side)
        assert (ends.outer[UP] >= true[UP]).all()
        assert (ends.outer[DOWN] <= true[DOWN]).all()
        assert (ends.inner[UP] <= true[UP]).all()
        assert (ends.inner[DOWN] >= true[DOWN]).all()
        for side in (UP, DOWN):
            for column in range(own.n):
                number = ends.witness[side, column]
                change = np.zeros(own.n, np.int64)
                if number >= 0:
                    assert ends.moves[number].denominator == 1
                    change[ends.moves[number].column] = ends.moves[number].change
                assert tuple(change.tolist()) in every
                assert change[column] == ends.inner[side, column]
                assert ends.met(column, side) == (ends.inner[side, column] == ends.outer[side, column])


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_a_move_counts_for_all_cells_and_what_is_none_for_no_cell(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    moves = all_moves(problem)
    if moves is None:
        return
    for own in components(hidden_system(problem)):
        ends, mine = Ends(own), moves[:, own.place]
        some = mine[:: max(1, len(mine) // 5)]
        opposite = [-m for m in some if (-m >= own.low).all() and (-m <= own.high).all()]
        assert all(ends.take(m) for m in some)
        reached = np.array([*some, *opposite, np.zeros(own.n, np.int64)])
        assert np.array_equal(ends.inner, [reached.max(axis=0), reached.min(axis=0)])
        before = ends.inner.copy()
        beyond = np.zeros(own.n, np.int64)
        beyond[0] = own.high[0] + 1
        assert not ends.take(beyond)
        assert np.array_equal(ends.inner, before)


def test_a_move_that_is_no_news_is_kept_where_it_may_serve() -> None:
    problem = random_problem(np.random.default_rng(3))
    moves = all_moves(problem)
    assert moves is not None
    for own in components(hidden_system(problem)):
        ends = Ends(own)
        for m in moves[:, own.place]:
            ends.take(m)
        count, inner = len(ends.moves), ends.inner.copy()
        again = next(m for m in moves[:, own.place] if m.any())
        ends.keep(again)
        assert len(ends.moves) == count + 1
        assert np.array_equal(ends.moves[-1].change, again[ends.moves[-1].column])
        ends.keep(again + np.eye(1, own.n, 0, np.int64)[0] * (1 + own.high[0]))
        assert len(ends.moves) == count + 1
        assert np.array_equal(ends.inner, inner)
