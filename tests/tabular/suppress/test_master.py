"""The master program never passes the cheapest pattern, and fixing closes no cell that a cheaper one uses."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import HealthCheck, given, settings
from oracles.tabular_suppress import cheapest, protects

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.master import Master
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.requirements import requirements_of
from discreet.tabular.suppress.separation import FINE, separate
from discreet.work import Deadline
from tests.tabular.suppress.conftest import problems


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_bounds_hold_and_closed_cells_are_in_no_cheaper_pattern(problem: Problem) -> None:
    best = cheapest(problem)
    if best is None:
        return
    model = Model(problem, requirements_of(problem))
    master, free = Master(model), np.flatnonzero(model.open)
    for _ in range(4):
        solution = master.solve()
        assert solution.value + model.constant <= best + 1e-6
        x = master.spread(solution.x)
        assert (x[model.forced] == 1).all()
        rows, right = master.matrix()
        assert (rows @ x[master.cells] >= right - 1e-6).all()
        separate(master, x, np.arange(model.requirements.n), FINE, Deadline(None))
        master.add_bridges(x)
        master.strengthen(x)
    incumbent = best + 2
    closed = master.fix(master.solve(), incumbent)
    gone = free[~model.open[free]]
    assert closed == gone.size
    if not closed:
        return
    for chosen in itertools.product((False, True), repeat=free.size):
        hidden = model.forced.copy()
        hidden[free] = chosen
        alone = any(hidden[row.indices].sum() == 1 for row in model.matrix)  # bridges leave these patterns out
        if hidden[gone].any() and not alone and model.cost_of(hidden) < incumbent:
            assert not protects(problem, hidden)


def test_cells_that_are_held_stay_where_they_are_held() -> None:
    from tests.tabular.suppress.test_search import table

    problem = table(np.random.default_rng(2), 4, 0.2)
    model = Model(problem, requirements_of(problem))
    master = Master(model)
    zero, one = np.zeros(model.count, np.bool_), np.zeros(model.count, np.bool_)
    zero[master.cells[0]] = one[master.cells[1]] = True
    master.restrict(zero, one)
    x = master.solve().x
    assert (x[0], x[1]) == (0, 1)
    assert master.solve().value == model.cost[master.cells[1]]
