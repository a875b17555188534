"""What publishing one cell gives away, by counting, and that a needed cell is told without a linear program."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from oracles.tabular_suppress import protects

from discreet.tabular.problem import Problem
from discreet.tabular.suppress.attack import reversible
from discreet.tabular.suppress.model import Model
from discreet.tabular.suppress.prune import Alone
from discreet.tabular.suppress.requirements import requirements_of
from tests.tabular.suppress.conftest import problems


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems())
def test_a_cell_that_counting_calls_needed_is_needed_and_others_go_with_what_they_give_away(problem: Problem) -> None:
    model = Model(problem, requirements_of(problem))
    hidden = model.forced | model.open
    if not protects(problem, hidden):
        return
    alone = Alone(model, hidden)
    for i in np.flatnonzero(model.open).tolist():
        less = hidden.copy()
        less[i] = False
        gone = alone.publish(i)
        if gone is None:
            assert not protects(problem, less)
            continue
        assert gone[0] == i and len(set(gone)) == len(gone)
        known = less.copy()
        known[[j for j in gone if model.free[j]]] = False
        assert protects(problem, less) == protects(problem, known)
        alone.hide(gone)


def test_publishing_and_hiding_again_leaves_the_counts_as_they_were() -> None:
    from tests.tabular.suppress.test_search import table

    problem = table(np.random.default_rng(5), 5, 0.2)
    model = Model(problem, requirements_of(problem))
    alone = Alone(model, model.forced | model.open)
    cells = np.flatnonzero(model.open).tolist()
    first = []
    for i in cells:
        gone = alone.publish(i)
        first.append(gone)
        if gone is not None:
            alone.hide(gone)
    for i, before in zip(cells, first):
        gone = alone.publish(i)
        assert gone == before
        if gone is not None:
            alone.hide(gone)


def test_the_opposite_of_a_move_must_stay_within_the_boxes() -> None:
    from tests.tabular.suppress.test_search import table

    model = Model(*(lambda p: (p, requirements_of(p)))(table(np.random.default_rng(5), 5, 0.2)))
    cells = np.array([0, 1])
    move = np.array([float(model.down[0]), -float(model.up[1])])
    assert reversible(model, cells, move)
    assert not reversible(model, cells, move * 1.01)
