"""What the stages share: the bound never exceeds the best cost, and the best pattern only gets cheaper."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import HealthCheck, given, settings
from oracles.tabular_suppress import cheapest, protects

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.repair import Repaired
from discreet.tabular.suppress.requirements import requirements_of
from discreet.tabular.suppress.state import State
from discreet.work import Deadline, Reporter
from tests.tabular.suppress.conftest import problems


def state_of(problem: Problem) -> State:
    return State(problem, requirements_of(problem), Deadline(None), Reporter(None))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_hard_requirements_are_there_exactly_where_what_must_be_hidden_does_not_protect(problem: Problem) -> None:
    state = state_of(problem)
    assert (state.hard.size == 0) == protects(problem, state.model.forced)
    assert set(state.hard.tolist()) | set(state.own) == set(range(state.model.requirements.n))
    assert state.cost == math.inf
    assert not state.closed
    if state.hard.size == 0:
        state.keep_forced()
        assert state.cost == state.model.constant == cheapest(problem)
        assert state.closed


def test_only_a_cheaper_pattern_is_kept_and_the_bound_stops_at_its_cost() -> None:
    from tests.tabular.suppress.test_search import table

    state = state_of(table(np.random.default_rng(2), 4, 0.2))
    assert state.repair(state.model.forced)
    assert state.best is not None
    first, cost = state.best, state.best.cost
    assert not state.offer(None)
    assert not state.offer(Repaired(first.hidden, cost, {}))
    assert state.best is first
    state.raise_bound(cost + 100.0)
    assert state.bound == cost
    state.raise_bound(0.0)
    assert state.bound == cost
    assert state.closed
    assert state.offer(Repaired(first.hidden, cost - 1, {}))
    assert state.cost == cost - 1
