"""Where a method that bounds from outside says that a side is sharp, a table attains it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import one_parameter_bounds, sharp_bounds

from discreet.errors import InputError
from discreet.tables.bounds.outside import run_buzzigoli_giusti, run_lp, run_shuttle, run_shuttle_lines
from discreet.tables.methods import Call, Problem
from discreet.tables.table import Margins, Table
from discreet.work import Deadline, Reporter

METHODS = (run_shuttle, run_shuttle_lines, run_buzzigoli_giusti, run_lp)


def call_of(margins: Margins) -> Call:
    return Call(problem=Problem(margins), deadline=Deadline(None), report=Reporter(None))


@given(small_tables())
@settings(max_examples=20, deadline=None)
def test_bounds_contain_the_truth_and_sharp_sides_are_the_truth(case: tuple[Table, Margins]) -> None:
    _, margins = case
    truth = sharp_bounds(margins.shape, margins.values)
    assert truth is not None
    for run in METHODS:
        found = run(call_of(margins))
        cells = found.answer
        for sharp, bound, inner, true, none in (
            (cells.lower_sharp, cells.lower, cells.inner_lower, truth[0], margins.total + 1),
            (cells.upper_sharp, cells.upper, cells.inner_upper, truth[1], -1),
        ):
            assert np.array_equal(bound[sharp], true[sharp])
            assert np.array_equal(inner, np.where(sharp, true, none))
        assert (cells.lower <= truth[0] + 1e-9).all()
        assert (cells.upper >= truth[1] - 1e-9).all()
        assert (found.status == "optimal") == cells.sharp


@pytest.mark.parametrize("run", METHODS[:2])
def test_one_cell_determines_a_dichotomous_table_and_the_shuttle_knows_it(run: object) -> None:
    table = random_table(5, (2, 2, 2, 2), 4.0)
    found = run(call_of(all_ways(table, 3))).answer  # type: ignore[operator]
    assert found.sharp
    assert list(zip(found.lower.ravel().tolist(), found.upper.ravel().tolist())) == one_parameter_bounds(table.dense())


@pytest.mark.parametrize("run", [run_shuttle, run_shuttle_lines, run_lp])
def test_margins_that_no_table_has_are_refused_by_those_that_see_it(run: object) -> None:
    good = all_ways(Table.from_array(np.ones((2, 2, 2), np.int64)), 2)
    opposed = Margins(good.names, good.categories, {g: np.array([[0, 4], [4, 0]]) for g in good.values})
    with pytest.raises(InputError):
        run(call_of(opposed))  # type: ignore[operator]
