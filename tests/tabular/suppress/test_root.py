"""Cutting planes never pass the cheapest pattern, and patterns repaired from them protect."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from oracles.tabular_suppress import cheapest, protects

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.conflict import conflict_of
from discreet.tabular.suppress.root import cut_root
from tests.tabular.suppress.conftest import problems
from tests.tabular.suppress.test_state import state_of


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_the_root_bounds_the_cheapest_pattern_from_both_sides(problem: Problem) -> None:
    state, best = state_of(problem), cheapest(problem)
    if not state.hard.size:
        return
    state.repair(state.model.forced)
    if state.best is None and conflict_of(state) is not None:
        assert best is None
        return
    assert best is not None
    cut_root(state)
    assert state.bound <= best + 1e-6
    assert state.cost >= best
    assert protects(problem, state.best.hidden)  # type: ignore[union-attr]
