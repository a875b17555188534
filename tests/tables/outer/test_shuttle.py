from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import sharp_bounds

from discreet.errors import InputError
from discreet.tables.outer.buzzigoli_giusti import buzzigoli_giusti
from discreet.tables.outer.shuttle import shuttle, shuttle_lines
from discreet.tables.table import Margins, Table


@given(small_tables())
@settings(max_examples=80, deadline=None)
def test_every_shuttle_contains_the_truth_and_the_finer_is_inside_the_coarser(case: tuple[Table, Margins]) -> None:
    _, margins = case
    truth = sharp_bounds(margins.shape, margins.values)
    assert truth is not None
    before = None
    for method in (buzzigoli_giusti, shuttle_lines, shuttle):
        bounds = method(margins.shape, margins.values)
        assert bounds is not None
        assert (bounds[0] <= truth[0]).all()
        assert (bounds[1] >= truth[1]).all()
        if before is not None:
            assert (bounds[0] >= before[0]).all()
            assert (bounds[1] <= before[1]).all()
        before = bounds


def test_lines_are_all_collapses_for_dichotomous_tables() -> None:
    margins = all_ways(random_table(3, (2, 2, 2, 2, 2)), 3)
    for a, b in zip(shuttle(margins.shape, margins.values), shuttle_lines(margins.shape, margins.values)):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("seed", range(5))
def test_sharp_for_dichotomous_tables_with_all_but_one_way_margins(seed: int) -> None:
    margins = all_ways(random_table(seed, (2, 2, 2), 2.0), 2)
    truth = sharp_bounds(margins.shape, margins.values)
    bounds = shuttle(margins.shape, margins.values)
    assert np.array_equal(bounds[0], truth[0])
    assert np.array_equal(bounds[1], truth[1])


def test_margins_that_contradict_give_none() -> None:
    # Pairwise consistent 2x2x2 margins without a table: each pair of variables is perfectly opposed.
    opposed = np.array([[0, 1], [1, 0]])
    margins = {(0, 1): opposed, (1, 2): opposed, (0, 2): opposed}
    for method in (shuttle, shuttle_lines):
        assert method((2, 2, 2), margins) is None


def test_too_many_collapses_are_refused_with_a_way_out() -> None:
    with pytest.raises(InputError, match="shuttle-lines"):
        shuttle((12, 12, 12), {(0, 1): np.ones((12, 12), np.int64)})
