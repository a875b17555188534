"""The intruder's program: what it says a pattern misses is what trying every table says."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import HealthCheck, given, settings
from oracles.tabular_suppress import protects

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.attack import WIDE, Attack, check, covered, moved
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.requirements import requirements_of
from tests.tabular.suppress.conftest import problems


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_a_pattern_misses_nothing_exactly_where_it_protects(problem: Problem) -> None:
    model = Model(problem, requirements_of(problem))
    free = np.flatnonzero(model.open)
    for chosen in itertools.product((False, True), repeat=min(free.size, 4)):
        hidden = model.forced.copy()
        hidden[free[: len(chosen)]] = chosen
        found = check(model, hidden)
        assert (not found.unmet) == protects(problem, hidden)
        assert {each.requirement for each in found.unmet} | set(found.support) == set(range(model.requirements.n))
        for cells in found.support.values():
            assert hidden[cells].all(), "only hidden cells move"


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_moves_keep_relations_and_boxes(problem: Problem) -> None:
    model = Model(problem, requirements_of(problem))
    hidden = model.forced | model.open
    cells = np.flatnonzero(hidden)
    attack = Attack(model, cells)
    for r in range(model.requirements.n):
        reach = attack.solve(r, WIDE)
        need = float(model.requirements.need[r])
        for move in reach.moves:
            assert np.allclose(model.matrix[:, cells] @ move, 0, atol=1e-6)
            assert (move * need <= model.up[cells] + 1e-6).all() and (move * need >= -model.down[cells] - 1e-6).all()
        if reach.enough and len(reach.moves) == 1:
            assert r in covered(model, reach.moves[0] * need, attack.place, np.ones(model.requirements.n, bool))
            assert set(moved(attack, reach).tolist()) <= set(cells.tolist())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_a_cell_of_weight_nothing_is_published(problem: Problem) -> None:
    model = Model(problem, requirements_of(problem))
    free = np.flatnonzero(model.open)
    if not free.size or not model.requirements.n:
        return
    everything = model.forced | model.open
    attack = Attack(model, np.flatnonzero(everything))
    attack.weigh([int(free[0])], 0.0)
    without = everything.copy()
    without[free[0]] = False
    unmet = {each.requirement for each in check(model, without).unmet}
    assert {r for r in range(model.requirements.n) if not attack.solve(r, WIDE).enough} == unmet
