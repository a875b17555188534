"""From any start to a pattern that protects and hides nothing in vain."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.tabular_suppress import protects

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.attack import check
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.prune import prune
from discreet.tabular.suppress.repair import repair
from discreet.tabular.suppress.requirements import requirements_of
from discreet.work import Deadline
from tests.tabular.suppress.conftest import problems


def can_be_protected(problem: Problem, model: Model) -> bool:
    return protects(problem, model.forced | model.open)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_what_is_repaired_protects_and_nothing_in_it_is_needless(problem: Problem) -> None:
    model = Model(problem, requirements_of(problem))
    found = repair(model, model.forced, Deadline(None))
    if found is None:
        return
    assert protects(problem, found.hidden) and (found.hidden | ~model.forced).all()
    assert found.cost == model.cost_of(found.hidden)
    for i in np.flatnonzero(found.hidden & model.free):
        less = found.hidden.copy()
        less[i] = False
        assert not protects(problem, less)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems(), seed=st.integers(0, 9))
def test_any_order_and_any_prices_lead_to_a_pattern_that_protects(problem: Problem, seed: int) -> None:
    model, random = Model(problem, requirements_of(problem)), np.random.default_rng(seed)
    order, prices = random.permutation(model.requirements.n), model.cost * random.uniform(0.5, 2.0, model.count)
    found = repair(model, model.forced, Deadline(None), prices=prices, order=order)
    assert (found is None) == (not can_be_protected(problem, model))
    assert found is None or protects(problem, found.hidden)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_a_start_that_protects_is_never_lost(problem: Problem) -> None:
    model = Model(problem, requirements_of(problem))
    if not can_be_protected(problem, model):
        assert repair(model, model.forced, Deadline(None)) is None
        return
    found = repair(model, model.forced | model.open, Deadline(None))
    assert found is not None and found.cost <= model.cost_of(model.forced | model.open)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_pruning_publishes_what_it_says(problem: Problem) -> None:
    model = Model(problem, requirements_of(problem))
    free = np.flatnonzero(model.open)
    for chosen in itertools.islice(itertools.product((True, False), repeat=free.size), 8):
        hidden = model.forced.copy()
        hidden[free] = chosen
        found = check(model, hidden)
        if found.unmet:
            continue
        before = int(hidden.sum())
        published = prune(model, hidden, found.support, Deadline(None))
        assert before - int(hidden.sum()) == published and protects(problem, hidden)


def test_without_time_there_is_no_pattern() -> None:
    from tests.tabular.suppress.test_search import table

    problem = table(np.random.default_rng(2), 4, 0.2)
    model = Model(problem, requirements_of(problem))
    assert repair(model, model.forced, Deadline(0)) is None
    assert repair(model, model.forced, Deadline(None)) is not None
