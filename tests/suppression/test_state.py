"""A state that is changed in place is the state that the records at its places say."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit
from suppression.cases import Case, case, is_solution, loads, owners

from discreet.suppression.patterns import Patterns
from discreet.suppression.state import State, cost_of, first_records, move, state_of


@njit
def moved(patterns: Patterns, state: State, t: int, source: int, target: int, amount: int) -> int:
    """Only kernels can call `move`."""
    return move(patterns, state, t, source, target, amount)


def check_lists(given: Case, state: State) -> None:
    """Loads, users of each pattern and places of each tuple, against the records."""
    used = set(np.flatnonzero(state.records).tolist())
    assert (state.load == loads(given.patterns, state.records)).all()
    walked = set()
    for q, e in enumerate(state.head.tolist()):
        before = -1
        while e >= 0:
            assert given.patterns.pattern[e] == q and state.before[e] == before and e not in walked
            walked.add(e)
            before, e = e, int(state.after[e])
    assert walked == used
    places = [set(state.used[t, : state.uses[t]].tolist()) for t in range(state.uses.size)]
    assert places == [{e for e in used if owners(given.patterns)[e] == t} for t in range(state.uses.size)]


@pytest.mark.parametrize("seed", range(10))
def test_moves_keep_loads_and_lists(seed: int) -> None:
    given = case(seed, n=20)
    state = state_of(given.patterns, first_records(given.tuples, given.patterns, given.k))
    check_lists(given, state)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        before = cost_of(given.patterns, state.records)
        source = int(rng.choice(np.flatnonzero(state.records)))
        t = int(owners(given.patterns)[source])
        target = int(rng.integers(given.patterns.first[t], given.patterns.first[t + 1]))
        if target == source:
            continue
        amount = int(rng.integers(1, state.records[source] + 1))
        change = moved(given.patterns, state, t, source, target, amount)
        assert cost_of(given.patterns, state.records) == before + change
        check_lists(given, state)


@pytest.mark.parametrize("seed", range(40))
def test_the_first_solution_is_one(seed: int) -> None:
    given = case(seed, n=7, d=2, values=2)
    records = first_records(given.tuples, given.patterns, given.k)
    assert is_solution(given, records)
    by_record = sum(int(given.patterns.cost[given.patterns.pattern[e]]) * int(records[e]) for e in range(records.size))
    assert cost_of(given.patterns, records) == by_record
