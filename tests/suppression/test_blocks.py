"""Blocks: four at a time they leave a solution, never a dearer one; a block of everything finds the optimum."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.suppression import least_classes
from suppression.cases import Case, case, is_solution

from discreet.suppression import blocks as module
from discreet.suppression.blocks import Blocks
from discreet.suppression.cover import cover
from discreet.suppression.state import cost_of, first_records
from discreet.work import Deadline, Reporter


def improved(given: Case, *, limit: float | None = None, goal: int = 0, seed: int = 0) -> np.ndarray:
    start = first_records(given.tuples, given.patterns, given.k)
    price = cover(given.tuples, given.cost, given.k).cost.astype(np.float64)
    allowed = np.ones(given.patterns.cost.size, np.bool_)
    work = Blocks(given.tuples, given.patterns, given.k, start, price, allowed, seed)
    return work.improve(Deadline(limit), Reporter(None), goal)


@pytest.mark.parametrize("seed", range(8))
def test_a_block_of_everything_is_the_whole_problem(seed: int) -> None:
    given = case(seed)
    found = improved(given)
    assert is_solution(given, found)
    assert cost_of(given.patterns, found) == least_classes(given.codes, given.cost, given.k)


@pytest.mark.parametrize("seed", range(3))
def test_small_blocks_side_by_side(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PLACES", 60.0)
    given = case(seed, n=80, values=4)
    found, again = improved(given, seed=seed), improved(given, seed=seed)
    start = cost_of(given.patterns, first_records(given.tuples, given.patterns, given.k))
    assert is_solution(given, found) and (found == again).all()
    assert cost_of(given.patterns, found) < start


def test_no_time_and_a_goal_that_is_reached_change_nothing() -> None:
    given = case(1, n=40)
    start = first_records(given.tuples, given.patterns, given.k)
    assert (improved(given, limit=0.0) == start).all()
    assert (improved(given, goal=cost_of(given.patterns, start)) == start).all()
