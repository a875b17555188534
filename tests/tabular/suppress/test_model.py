"""The problem as the search sees it, against the cells one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from discreet.tabular.problem import FREE, PRIMARY, SECONDARY, Problem
from discreet.tabular.suppress import model as models
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.requirements import requirements_of
from tests.tabular.suppress.conftest import problems


@settings(max_examples=30, deadline=None)
@given(problem=problems())
def test_cells_are_forced_open_or_closed_and_cost_what_they_do(problem: Problem) -> None:
    model, cells = Model(problem, requirements_of(problem)), problem.cells
    for i in range(cells.n):
        assert model.forced[i] == (cells.status[i] in (PRIMARY, SECONDARY))
        assert model.open[i] == (cells.status[i] == FREE and cells.lower[i] < cells.upper[i])
        assert (model.up[i], model.down[i]) == (cells.upper[i] - cells.value[i], cells.value[i] - cells.lower[i])
    hidden = model.forced | (np.arange(cells.n) % 2 == 0)
    paid = [int(cells.cost[i]) for i in range(cells.n) if hidden[i] and cells.status[i] != PRIMARY]
    assert model.cost_of(hidden) == sum(paid)
    assert model.cost_of(model.forced) == model.constant
    assert np.array_equal(model.matrix @ cells.value, problem.relations.residuals(cells.value))
    chosen = np.flatnonzero(model.open)[:1]
    model.close(chosen)
    assert not model.open[chosen].any()


def test_large_tables_consider_the_cheapest_cells_of_each_relation(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.tabular.suppress.test_search import table

    monkeypatch.setattr(models, "_LARGE", 10)
    monkeypatch.setattr(models, "_CHEAPEST", 2)
    problem = table(np.random.default_rng(2), 5, 0.1)
    model, expected = Model(problem, requirements_of(problem)), set(np.flatnonzero(problem.cells.status <= SECONDARY))
    for r in range(problem.relations.n):
        own = problem.relations.cell[problem.relations.start[r] : problem.relations.start[r + 1]]
        own = [int(c) for c in own if model.open[c]]
        expected |= set(sorted(own, key=lambda c: (problem.cells.cost[c], c))[:2])
    assert set(np.flatnonzero(model.candidate)) == expected
    assert len(expected) < problem.cells.n
