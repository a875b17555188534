"""Every level is decided as the list of all tables decides it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import all_moves, random_problem

from discreet.tabular.audit.component import DOWN, UP, Ends
from discreet.tabular.audit.decide import Wanted, decide, missing
from discreet.tabular.audit.levels import targets
from discreet.tabular.audit.system import components, hidden_system
from discreet.work import Deadline


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_levels_that_a_listed_table_reaches_are_never_ruled_out_and_others_never_reached(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    moves = all_moves(problem)
    if moves is None:
        return
    system = hidden_system(problem)
    move, sliding = targets(problem, system.cell)
    for own in components(system):
        wanted = Wanted(move[:, own.place], sliding[own.place])
        ends = decide(own, wanted, Deadline(None))
        assert ends.complete
        high, low = moves[:, own.place].max(axis=0), moves[:, own.place].min(axis=0)
        assert (ends.inner[UP] <= high).all()
        assert (ends.outer[UP] >= high).all()
        assert (ends.inner[DOWN] >= low).all()
        assert (ends.outer[DOWN] <= low).all()
        # What is left open is open for fractions' sake only: some table of fractions is known to go that far.
        for column, side in missing(ends, wanted.move):
            reached = (
                high[column] >= wanted.move[UP, column] if side == UP else low[column] <= wanted.move[DOWN, column]
            )
            assert not reached


def test_sides_are_missing_that_are_neither_reached_nor_ruled_out() -> None:
    problems = (random_problem(np.random.default_rng(seed)) for seed in range(100))
    own = next(each for problem in problems for each in components(hidden_system(problem)) if each.n > 3)
    ends = Ends(own)
    assert missing(ends, np.zeros((2, own.n), np.int64)) == []
    assert missing(ends, np.array([own.high + 1, own.low - 1])) == []
    expected = sorted(
        [(c, UP) for c in range(own.n) if own.high[c] > 0] + [(c, DOWN) for c in range(own.n) if own.low[c] < 0]
    )
    assert missing(ends, np.array([own.high, own.low])) == expected


def test_time_that_is_over_is_told() -> None:
    for seed in range(40):
        problem = random_problem(np.random.default_rng(seed))
        for own in components(hidden_system(problem)):
            ends = decide(own, Wanted(np.array([own.high, own.low]), np.zeros(own.n, np.int64)), Deadline(0))
            assert ends.asked == 0
            assert ends.complete == (missing(ends, np.array([own.high, own.low])) == [])
