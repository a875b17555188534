"""Large tables: a pattern whose audit passes, with and without labels; what is impossible is named."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracles.tabular_suppress import cheapest, protects

from discreet.tabular.audit import protects as audited
from discreet.tabular.problem import FIXED, Problem
from discreet.tabular.relations import Grid
from discreet.tabular.suppress import Conflict, Suppression
from discreet.tabular.suppress.chains import suppress_large
from discreet.work import Deadline, Reporter
from tests.tabular.suppress.chains.conftest import gridded, problem_of, tree_of

QUIET = Reporter(None)
TREES = (tree_of([-1, 0, 0, 0, 1, 1, 2, 2, 3, 3]), tree_of([-1, 0, 0, 0, 0, 1, 1]), tree_of([-1, 0, 0, 0]))


@settings(max_examples=20, deadline=None)
@given(made=gridded(nodes=4))
def test_a_pattern_where_there_is_one(made: tuple[Grid, Problem]) -> None:
    grid, problem = made
    status = problem.cells.status.copy()
    free = np.flatnonzero(status == 2)
    status[free[7:]] = FIXED  # few choices, so that all patterns can be tried
    problem = problem._replace(cells=problem.cells._replace(status=status))
    found, _ = suppress_large(problem, grid, [], Deadline(None), QUIET)
    best = cheapest(problem)
    if best is None:
        assert isinstance(found, Conflict)
        return
    assert isinstance(found, Suppression)
    assert protects(problem, found.hidden)
    assert (found.status, found.lower_bound, found.certificate) == ("heuristic", 0, None)
    assert found.cost >= best


@pytest.mark.parametrize("labels", [True, False])
def test_the_audit_confirms_it_by_its_own_witnesses(labels: bool) -> None:
    problem = problem_of(TREES, np.random.default_rng(5), 0.1)
    grid = Grid(TREES, np.arange(problem.cells.n)) if labels else None
    known = [np.array([cell]) for cell in np.flatnonzero(problem.cells.value <= 4)]
    found, witnesses = suppress_large(problem, grid, known, Deadline(None), QUIET)
    assert isinstance(found, Suppression)
    moves = [(w.cell, move) for w in witnesses for move in (w.rise, w.fall) if move is not None]
    assert bool(moves) == labels
    checked = audited(problem, found.hidden, known=known, moves=moves)
    assert not checked.shortfalls
    assert not checked.attacks
    if labels:
        assert checked.programs == 0
