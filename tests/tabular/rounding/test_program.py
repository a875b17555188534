"""The linear program bounds, and the integer program attains, the best of all roundings."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.tabular.rounding.choices import all_cells
from discreet.tabular.rounding.program import solve_around, solve_integers, solve_program
from discreet.work import Deadline
from tests.oracles.rounding import best_rounding, chain_tree, table_of

COUNTS = st.lists(st.integers(0, 11), min_size=6, max_size=6)


@settings(max_examples=30, deadline=None)
@given(COUNTS)
def test_a_two_way_table_is_rounded_as_well_as_any(inner: list[int]) -> None:
    trees = [chain_tree(2), chain_tree(3)]
    problem = table_of(trees, inner)
    choices = all_cells(problem.cells.value, 5, np.ones(problem.cells.n, np.int64))
    best = best_rounding(trees, inner, 5).within
    _, x = solve_program(choices, problem.relations, Deadline(None))
    assert np.allclose(x, np.rint(x), atol=1e-6)  # a network: its vertices are whole
    change = choices.low + np.rint(x).astype(np.int64) * np.where(choices.free, choices.base, 0)
    assert not problem.relations.residuals(change).any()
    assert choices.distance(change) == best
    for found in (
        solve_integers(choices, problem.relations, Deadline(None)),
        solve_around(choices, problem.relations, x, Deadline(None)),
    ):
        assert found is not None
        assert choices.distance(found) == best


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=8, max_size=8))
def test_integers_of_a_three_way_table_add_up_and_stay_within_where_that_is_possible(inner: list[int]) -> None:
    trees = [chain_tree(2)] * 3
    problem = table_of(trees, inner)
    choices = all_cells(problem.cells.value, 3, np.ones(problem.cells.n, np.int64))
    found = solve_integers(choices, problem.relations, Deadline(None))
    assert found is not None
    assert not problem.relations.residuals(found).any()
    assert not ((problem.cells.value + found) % 3).any()
    best = best_rounding(trees, inner, 3).within
    assert (choices.outside(found).size == 0) == (best is not None)
    if best is not None:
        assert best <= choices.distance(found) <= best * 1.001 + 1e-9
        solution, _ = solve_program(choices, problem.relations, Deadline(None))
        assert solution.multipliers.shape == (problem.relations.n,)


def test_nothing_is_open_around_a_whole_solution() -> None:
    problem = table_of([chain_tree(2), chain_tree(2)], [1, 1, 1, 1])
    choices = all_cells(problem.cells.value, 3, np.ones(problem.cells.n, np.int64))
    wrong = np.zeros(problem.cells.n)  # all down: 4 = 1 + 1 + 1 + 1 goes to 3, its parts to 0
    assert solve_around(choices, problem.relations, wrong, Deadline(None)) is None


def test_a_table_without_a_choice_is_its_own_rounding() -> None:
    problem = table_of([chain_tree(2), chain_tree(2)], [5, 5, 10, 0])
    choices = all_cells(problem.cells.value, 5, np.ones(problem.cells.n, np.int64))
    found, x = solve_program(choices, problem.relations, Deadline(None))
    assert found.status == "optimal" and found.multipliers.shape == (problem.relations.n,)
    change = solve_around(choices, problem.relations, x, Deadline(None))
    assert change is not None and not change.any() and not x.any()


def test_a_table_without_a_choice_that_misses_a_sum_has_none() -> None:
    problem = table_of([chain_tree(2), chain_tree(2)], [5, 5, 10, 0])
    choices = all_cells(problem.cells.value, 5, np.ones(problem.cells.n, np.int64))
    choices = choices._replace(low=choices.low + np.eye(9, dtype=np.int64)[4] * 5)
    choices = choices._replace(high=choices.low)
    found, x = solve_program(choices, problem.relations, Deadline(None))
    assert found.status == "infeasible"
    assert solve_around(choices, problem.relations, x, Deadline(None)) is None
