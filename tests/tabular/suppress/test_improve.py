"""A neighborhood is made of hidden cells, and what improves a pattern protects and is cheaper."""

from __future__ import annotations

import numpy as np
from oracles.tabular_suppress import protects

from discreet.tabular.suppress.improve import Improver
from tests.tabular.suppress.test_search import table
from tests.tabular.suppress.test_state import state_of


def test_tries_never_worsen_a_pattern_and_are_the_same_for_the_same_seed() -> None:
    problem = table(np.random.default_rng(7), 6, 0.15)
    costs = []
    for seed in (3, 3):
        state = state_of(problem)
        assert state.repair(state.model.forced)
        improver, told = Improver(state, seed), [state.cost]
        for _ in range(12):
            better = improver.improve()
            assert (state.cost < told[-1]) == better
            told.append(state.cost)
        assert state.best is not None
        assert state.cost == state.model.cost_of(state.best.hidden)
        assert protects(problem, state.best.hidden)
        costs.append(told)
    assert costs[0] == costs[1]


def test_a_neighborhood_has_at_most_the_size_asked_for_and_only_hidden_cells() -> None:
    state = state_of(table(np.random.default_rng(7), 6, 0.15))
    improver = Improver(state, 0)
    hidden = np.arange(state.model.count) % 3 == 0
    for size in (1, 4, int(hidden.sum()), 1000):
        near = improver._neighborhood(hidden, size)
        assert 1 <= near.sum() <= size
        assert not (near & ~hidden).any()
