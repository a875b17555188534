"""Controlled rounding against a list of every rounding there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.tabular.problem import Relations
from discreet.tabular.rounding import distance_bound, round_cells
from tests.oracles.rounding import best_rounding, chain_tree, table_of

SHAPES = [((2,), (3,)), ((3,), (3,)), ((2,), (2,), (2,)), ((2, 2), (2,)), ((1, 2), (2, 1)), ((6,),)]


@st.composite
def tables(draw: st.DrawFn, least: int = 0) -> tuple[list, list[int], int]:
    trees = [chain_tree(*levels) for levels in draw(st.sampled_from(SHAPES))]
    count = int(np.prod([tree.leaves.size for tree in trees]))
    inner = draw(st.lists(st.integers(least, 13), min_size=count, max_size=count))
    return trees, inner, draw(st.integers(2, 7))


@settings(max_examples=60, deadline=None)
@given(tables(least=-9), st.booleans())
def test_against_every_rounding(case: tuple[list, list[int], int], small: bool) -> None:
    trees, inner, base = case
    problem = table_of(trees, inner)
    best = best_rounding(trees, inner, base, small)
    found = round_cells(problem, base, small=small)
    assert found is not None
    told = problem.cells.value + found.change
    assert not problem.relations.residuals(told).any()
    assert found.distance == np.abs(found.change).sum() >= best.anywhere
    if small:
        assert found.bound.value <= best.anywhere
        return
    assert (told % base == 0).all()
    outside = np.flatnonzero(np.abs(found.change) >= base)
    assert outside.tolist() == found.outside.tolist()
    if best.within is None:
        assert outside.size
        assert found.bound.value <= best.anywhere
    elif not outside.size:
        assert found.bound.value <= best.within <= found.distance
    if found.none_within:
        assert best.within is None
    if len(trees) == 2 and max(tree.height for tree in trees[:1]) == 1 == trees[1].height:
        assert found.optimal
        assert (
            found.distance == best.within
        )  # two-way tables can always be rounded, and the program's vertices are whole


@settings(max_examples=30, deadline=None)
@given(tables())
def test_totals_weigh_more(case: tuple[list, list[int], int]) -> None:
    """No rounding has less weighted distance than the bound, and the plain bound holds for what was found."""
    trees, inner, base = case
    problem = table_of(trees, inner)
    weight = np.where(problem.cells.value > 8, 7, 1).astype(np.int64)
    found = round_cells(problem, base, weight=weight)
    assert found is not None
    assert found.bound.value <= found.weighted == int((weight * np.abs(found.change)).sum())
    if not found.outside.size:
        assert distance_bound(problem, base).value <= found.distance


def test_the_same_seed_the_same_table() -> None:
    problem = table_of([chain_tree(7)] * 3, np.random.default_rng(4).integers(0, 9, 343).tolist())
    first, again = (round_cells(problem, 5, seed=3) for _ in range(2))
    assert first is not None
    assert again is not None
    assert first.change.tolist() == again.change.tolist()


def test_three_way_tables_come_near_the_bound() -> None:
    problem = table_of([chain_tree(8)] * 3, np.random.default_rng(1).integers(0, 12, 512).tolist())
    found = round_cells(problem, 5)
    assert found is not None
    assert not found.outside.size
    assert found.distance <= 1.1 * found.bound.value


def test_tables_that_share_totals_only_go_to_branch_and_bound() -> None:
    """A total that is the sum of two different sets of cells: its innermost cells do not determine the table."""
    value = np.array([12, 7, 5, 4, 8], np.int64)
    problem = table_of([chain_tree(4)], [7, 5, 4, 8])
    relations = Relations(
        np.array([0, 3, 6]),
        np.array([0, 1, 2, 0, 3, 4]),
        np.array([-1, 1, 1, -1, 1, 1], np.int8),
        np.zeros(2, np.int64),
    )
    problem = problem._replace(cells=problem.cells._replace(value=value), relations=relations)
    found = round_cells(problem, 5)
    assert found is not None
    told = value + found.change
    assert not relations.residuals(told).any()
    assert (told % 5 == 0).all()
    assert found.distance == found.bound.value == 8
    assert round_cells(problem, 5, small=True) is None


@pytest.mark.parametrize("small", [False, True])
def test_nothing_to_round(small: bool) -> None:
    found = round_cells(table_of([chain_tree(2), chain_tree(2)], [5, 10, 0, 20]), 5, small=small)
    assert found is not None
    assert found.distance == 0
    assert found.optimal
