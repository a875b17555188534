"""Any multipliers give a bound that no rounding beats."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.tabular.rounding.bound import bound_from, points_of
from discreet.tabular.rounding.choices import all_cells
from tests.oracles.rounding import best_rounding, chain_tree, table_of


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 11), min_size=6, max_size=6), st.lists(st.floats(-3, 3), min_size=7, max_size=7))
def test_holds_for_any_multipliers(inner: list[int], multipliers: list[float]) -> None:
    trees = [chain_tree(2), chain_tree(3)]
    problem = table_of(trees, inner)
    assert problem.relations.n == 7
    choices = all_cells(problem.cells.value, 5, np.ones(problem.cells.n, np.int64))
    bound = bound_from(choices, points_of(choices), problem.relations, np.array(multipliers))
    best = best_rounding(trees, inner, 5)
    assert best.within is not None
    assert bound.value <= best.within
    assert bound.value >= int(np.minimum(-choices.low, choices.high).sum())  # never worse than each cell on its own
