"""Moves over patterns: whatever is kept or taken back, the state stays a solution and its cost is what was added up."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.xorshift import seeded
from discreet.suppression.open_close import try_moves
from discreet.suppression.patterns import patterns_of
from discreet.suppression.state import cost_of, first_records, state_of
from discreet.suppression.tuples import tuples_of


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("temperature", [0.0, 0.5, 50.0])
def test_random_moves_keep_a_solution(seed: int, temperature: float) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    tuples = tuples_of(rng.integers(0, 4, (150, 4)) * rng.integers(0, 2, (150, 4)))
    patterns = patterns_of(tuples, rng.integers(1, 5, 4), k)
    state = state_of(patterns, first_records(tuples, patterns, k))
    before = cost_of(patterns, state.records)
    chosen = rng.integers(0, patterns.cost.size, 3000)
    change = try_moves(patterns, state, k, chosen, rng.integers(0, 3, 3000).astype(np.int8), temperature, seeded(seed))
    assert cost_of(patterns, state.records) == before + change
    assert temperature > 0 or change <= 0
    load = np.bincount(patterns.pattern, state.records, patterns.cost.size)
    assert ((load == 0) | (load >= k)).all()
    assert (load == state.load).all()
    owner = np.repeat(np.arange(tuples.size.size), np.diff(patterns.first))
    assert (np.bincount(owner, state.records) == tuples.size).all()
    assert state.uses.sum() == (state.records > 0).sum()


@pytest.mark.parametrize("sizes", [(5, 5, 1), (3, 3, 3, 2), (3, 1), (4, 4, 1, 1)])
def test_the_first_solution_borrows_where_rare_records_are_fewer_than_k(sizes: tuple[int, ...]) -> None:
    tuples = tuples_of(np.repeat(np.arange(len(sizes)), sizes)[:, None] * np.array([[1, 2]]))
    patterns = patterns_of(tuples, np.array([1, 1]), 3)
    records = first_records(tuples, patterns, 3)
    load = np.bincount(patterns.pattern, records, patterns.cost.size)
    assert ((load == 0) | (load >= 3)).all()
    assert records.sum() == sum(sizes)
