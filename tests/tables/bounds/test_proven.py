"""Methods that attain their bounds against a list of all tables, and what each refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import sharp_bounds

from discreet.errors import InputError
from discreet.tables.bounds.proven import run_auto, run_exact, run_frechet, run_reducible
from discreet.tables.methods import Call, Problem
from discreet.tables.table import Margins, Table
from discreet.tables.theory.graph import decompose
from discreet.work import Deadline, Reporter


def call_of(margins: Margins) -> Call:
    return Call(
        problem=Problem(margins), deadline=Deadline(None), report=Reporter(None), options={"integer_solver": False}
    )


@given(small_tables())
@settings(max_examples=20, deadline=None)
def test_each_method_either_refuses_or_gives_the_sharp_bounds_it_claims(case: tuple[Table, Margins]) -> None:
    _, margins = case
    truth = sharp_bounds(margins.shape, margins.values)
    assert truth is not None
    tree = decompose(len(margins.names), margins.values)
    for run, name, suits in (
        (run_auto, "auto", True),
        (run_exact, "exact", True),
        (run_frechet, "frechet", tree.decomposable),
        (run_reducible, "reducible", tree.reducible),
    ):
        if not suits:
            with pytest.raises(InputError, match="use 'auto'"):
                run(call_of(margins))
            continue
        found = run(call_of(margins))
        assert found.method == name
        cells = found.answer
        assert np.array_equal(cells.lower[cells.lower_sharp], truth[0][cells.lower_sharp])
        assert np.array_equal(cells.upper[cells.upper_sharp], truth[1][cells.upper_sharp])
        assert (cells.lower <= truth[0]).all()
        assert (cells.upper >= truth[1]).all()
        assert (found.status == "optimal") == cells.sharp


def test_all_pairs_of_three_variables_are_neither_decomposable_nor_reducible() -> None:
    margins = all_ways(random_table(1, (2, 2, 2)), 2)
    for run in (run_frechet, run_reducible):
        with pytest.raises(InputError, match="use 'auto'"):
            run(call_of(margins))
