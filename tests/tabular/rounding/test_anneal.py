"""Annealing keeps the table additive, its price is the sum it claims, and it finds what trying everything finds."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.tabular.rounding.anneal import Field, anneal, annealed
from discreet.tabular.rounding.choices import all_cells
from discreet.tabular.rounding.innermost import innermost_cells
from discreet.work import Deadline, Reporter
from tests.oracles.rounding import best_rounding, chain_tree, table_of

TREES = [chain_tree(2), chain_tree(3)]
COUNTS = st.lists(st.integers(0, 11), min_size=6, max_size=6)


@settings(max_examples=30, deadline=None)
@given(COUNTS, st.integers(0, 99), st.sampled_from([0.0, 1.0, 9.0]))
def test_the_price_added_is_that_of_the_end_less_that_of_the_start(inner: list[int], seed: int, heat: float) -> None:
    problem = table_of(TREES, inner)
    weight = 1 + np.arange(problem.cells.n) % 3
    choices, cells = all_cells(problem.cells.value, 5, weight), innermost_cells(problem.cells.n, problem.relations)
    assert cells is not None
    low, high = choices.low[cells.cell], choices.high[cells.cell]
    turning = np.flatnonzero(low < high)
    if not turning.size:
        return
    field = Field(turning, cells.cell, low, high, cells.start, cells.total, cells.first, cells.part, weight, 5, 60)
    up = np.zeros(low.size, np.int8)
    change = cells.sums(low)
    totals = np.setdiff1d(np.arange(problem.cells.n), cells.cell)

    def price(y: np.ndarray) -> int:
        return int((weight * np.abs(y)).sum() + 60 * (np.abs(y[totals]) // 5).sum())

    before = price(change)
    added = anneal(field, up, change, np.array([2 * seed + 1], np.uint64), heat, 200)
    assert np.array_equal(change, cells.sums(np.where(up > 0, high, low)))
    assert price(change) - before == added
    if heat == 0:
        assert added <= 0


@settings(max_examples=20, deadline=None)
@given(COUNTS)
def test_few_cells_are_rounded_as_well_as_by_trying_everything(inner: list[int]) -> None:
    problem = table_of(TREES, inner)
    choices = all_cells(problem.cells.value, 5, np.ones(problem.cells.n, np.int64))
    cells = innermost_cells(problem.cells.n, problem.relations)
    assert cells is not None
    found = [
        annealed(choices, cells, np.zeros(cells.cell.size, np.int8), seed, 600, Deadline(None), Reporter(None))
        for seed in (1, 1, 2, 3)
    ]
    assert np.array_equal(found[0], found[1])
    for change in found:
        assert not problem.relations.residuals(change).any()
    best = best_rounding(TREES, inner, 5).within
    within = [choices.distance(change) for change in found if not choices.outside(change).size]
    assert best is not None
    assert min(within) >= best
    assert min(within) <= 1.25 * best
