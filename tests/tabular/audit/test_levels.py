"""Levels that do not hold against the ends of all tables, one requirement after the other."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import random_problem, short, truth

from discreet.tabular.audit.levels import ABOVE, BELOW, Shortfall, shortfalls, targets
from discreet.tabular.problem import FREE, PRIMARY


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_with_the_true_ends_the_shortfalls_are_all_levels_that_do_not_hold(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    known = truth(problem)
    if known is None:
        return
    cell = np.array(sorted(known), np.int64)
    ends = np.array([[known[c][1] for c in cell.tolist()], [known[c][0] for c in cell.tolist()]]).reshape(2, -1)
    found = shortfalls(problem, cell, ends, ends)
    assert {(each.cell, each.kind) for each in found} == short(problem, known)
    assert all(each.proven and each.missing == each.needed - each.possible > 0 for each in found)
    assert [each.cell for each in found] == sorted(each.cell for each in found)
    # Nothing is attained yet, and anything is possible: every level is open, none is proven to fail.
    nothing = shortfalls(problem, cell, np.array([[99], [-99]]) * np.ones_like(ends), np.zeros_like(ends))
    cells, primary = problem.cells, problem.cells.status == PRIMARY
    assert len(nothing) == sum(int((level[primary] > 0).sum()) for level in (cells.above, cells.below, cells.sliding))
    assert not any(each.proven for each in nothing)


def test_a_sensitive_cell_that_is_published_is_exposed_whatever_its_levels() -> None:
    problem = random_problem(np.random.default_rng(0))
    cells = problem.cells
    zero = np.zeros(cells.n, np.int64)
    status = np.full(cells.n, FREE, np.int8)
    status[3] = PRIMARY
    problem = problem._replace(cells=cells._replace(status=status, above=zero, below=zero, sliding=zero))
    none = np.zeros((2, 0), np.int64)
    found = shortfalls(problem, np.zeros(0, np.int64), none, none)
    assert found == [Shortfall(3, ABOVE, 1, 0, 0), Shortfall(3, BELOW, 1, 0, 0)]


@given(st.integers(0, 2**32))
def test_targets_are_the_levels_of_hidden_primaries_with_their_signs(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    cells = problem.cells
    hidden = np.flatnonzero(cells.hidden)
    move, sliding = targets(problem, hidden)
    for at, c in enumerate(hidden.tolist()):
        wanted = (cells.above[c], -cells.below[c], cells.sliding[c]) if cells.status[c] == PRIMARY else (0, 0, 0)
        assert (move[0, at], move[1, at], sliding[at]) == wanted
