"""Annealing: what comes back is a solution no dearer than the start, and on most tiny tables the best there is."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.suppression import least_classes
from suppression.cases import Case, case, is_solution

from discreet.kernels.xorshift import seeded
from discreet.suppression.annealing import anneal
from discreet.suppression.state import State, cost_of, first_records, state_of
from discreet.work import Deadline, Reporter


def annealed(given: Case, *, seed: int = 0, limit: float | None = None, good: np.ndarray | None = None) -> State:
    state = state_of(given.patterns, first_records(given.tuples, given.patterns, given.k))
    if good is None:
        good = np.flatnonzero(given.patterns.cost > 0)
    unit = float(given.cost.mean())
    return anneal(given.patterns, state, given.k, good, unit, seeded(seed), Deadline(limit), Reporter(None))


def test_most_tiny_tables_are_solved_and_none_is_undercut() -> None:
    """It may stick where two moves would have to cost something one after another: a search, no proof."""
    solved = 0
    for seed in range(12):
        given = case(seed)
        found = annealed(given)
        assert is_solution(given, found.records)
        least = least_classes(given.codes, given.cost, given.k)
        start = cost_of(given.patterns, first_records(given.tuples, given.patterns, given.k))
        assert least <= cost_of(given.patterns, found.records) <= start
        solved += cost_of(given.patterns, found.records) == least
    assert solved >= 8


@pytest.mark.parametrize("seed", range(4))
def test_the_best_that_was_met_comes_back(seed: int) -> None:
    given = case(seed, n=200, d=4, values=4)
    found, again = annealed(given, seed=seed), annealed(given, seed=seed)
    start = first_records(given.tuples, given.patterns, given.k)
    assert is_solution(given, found.records) and (found.records == again.records).all()
    assert cost_of(given.patterns, found.records) < cost_of(given.patterns, start)
    assert (found.load == state_of(given.patterns, found.records).load).all()


def test_without_time_or_patterns_the_start_stays() -> None:
    given = case(3, n=60)
    start = first_records(given.tuples, given.patterns, given.k)
    assert (annealed(given, limit=0.0).records == start).all()
    assert (annealed(given, good=np.empty(0, np.int64)).records == start).all()
