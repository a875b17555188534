"""Whole tables next to one of fractions: within every relation and box, and as far out as any within a step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import all_moves, random_problem

from discreet.tabular.audit import rounding
from discreet.tabular.audit.rounding import nearest_whole
from discreet.tabular.audit.system import Component, components, hidden_system


def parts(seed: int) -> list[tuple[Component, np.ndarray]]:
    """The components of a random pattern, each with all its moves."""
    problem = random_problem(np.random.default_rng(seed), 12)
    moves = all_moves(problem)
    if moves is None:
        return []
    return [(own, np.unique(moves[:, own.place], axis=0)) for own in components(hidden_system(problem))]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_farthest_of_the_moves_around_a_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for own, moves in parts(seed):
        pair = moves[rng.integers(len(moves), size=2)]
        x = pair.mean(axis=0)
        for sign in (1, -1):
            column = int(rng.integers(own.n))
            found = nearest_whole(own, x, column, sign)
            below, above = np.floor(x).astype(int), np.ceil(x).astype(int)
            for step in (0, 1, 2):
                low, high = np.maximum(below - step, own.low), np.minimum(above + step, own.high)
                if low[column] == high[column]:
                    continue  # the wanted cell must have a choice
                around = moves[((moves >= low) & (moves <= high)).all(axis=1)]
                if len(around):
                    break
            else:
                assert found is None
                continue
            assert found is not None
            assert (around == found).all(axis=1).any()
            assert sign * found[column] == max(sign * around[:, column])


def test_numbers_too_large_and_too_many_choices_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    own, moves = next(part for seed in range(50) for part in parts(seed) if len(part[1]) > 3)
    x = moves[:2].mean(axis=0)
    column = int(np.flatnonzero(own.low < own.high)[0])
    assert nearest_whole(own, np.where(np.arange(own.n) == column, 2.0**53, x), column, 1) is None
    monkeypatch.setattr(rounding, "MOST", 0)
    assert nearest_whole(own, x, column, 1) is None
