"""A conflict is named exactly where no pattern protects, and its relations alone prove it."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from oracles.tabular_suppress import cheapest, reach

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.conflict import conflict_of
from tests.tabular.suppress.conftest import problems
from tests.tabular.suppress.test_state import state_of


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_named_where_no_pattern_protects_and_its_relations_prove_it(problem: Problem) -> None:
    state, best = state_of(problem), cheapest(problem)
    found = conflict_of(state)
    assert (found is None) == (best is not None)
    if found is None:
        assert state.best is not None
        return
    rows = problem.relations
    own = [np.arange(rows.start[r], rows.start[r + 1]) for r in found.relations.tolist()]
    at = np.concatenate([np.zeros(0, np.int64), *own])
    start = np.cumsum([0, *(each.size for each in own)])
    fewer = problem._replace(
        relations=rows._replace(start=start, cell=rows.cell[at], sign=rows.sign[at], right=rows.right[found.relations])
    )
    everything = state.model.forced | state.model.open
    sides = (found.side,) if found.side else (1, -1)
    assert sum(reach(fewer, everything, found.cell, side) for side in sides) < found.need - 1e-6
