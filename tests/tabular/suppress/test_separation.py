"""Rows are found exactly where a pattern does not protect, are violated by it, and hold for all that protect."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import HealthCheck, given, settings
from oracles.tabular_suppress import protects

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.master import Master
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.requirements import requirements_of
from discreet.tabular.suppress.separation import ROUGH, separate, separate_rounded
from discreet.work import Deadline
from tests.tabular.suppress.conftest import problems


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_rows_are_violated_by_the_pattern_and_hold_for_those_that_protect(problem: Problem) -> None:
    model = Model(problem, requirements_of(problem))
    master, x = Master(model), model.forced.astype(float)
    found = separate(master, x, np.arange(model.requirements.n), ROUGH, Deadline(None))
    assert found.added == len(master.pool.cuts)
    if protects(problem, model.forced):
        assert found.violated == []
        assert separate_rounded(master, x, {}, 0.5) == 0
    free = np.flatnonzero(model.open)
    for cut in master.pool.cuts:
        assert cut.scaled @ x[cut.cell] < 1
    for chosen in itertools.product((False, True), repeat=free.size):
        hidden = model.forced.copy()
        hidden[free] = chosen
        if any(cut.scaled @ hidden[cut.cell] < 1 - 1e-9 for cut in master.pool.cuts):
            assert not protects(problem, hidden)


def test_without_time_nothing_is_separated() -> None:
    from tests.tabular.suppress.test_search import table

    problem = table(np.random.default_rng(2), 4, 0.2)
    model = Model(problem, requirements_of(problem))
    master, x = Master(model), model.forced.astype(float)
    every = np.arange(model.requirements.n)
    assert separate(master, x, every, ROUGH, Deadline(0)) == (0, [])
    assert separate(master, x, every, ROUGH, Deadline(None)).added > 0
