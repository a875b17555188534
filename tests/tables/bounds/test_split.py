"""Parts of a table, and what they say about every cell or about some: against lists of all tables."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import random_table, small_tables
from oracles.tables import sharp_bounds

from discreet.tables.bounds.split import outer_bounds, split_margins, whole_state
from discreet.tables.bounds.whole_table import first_tables, solve_parts
from discreet.tables.table import Margins, Table
from discreet.work import Deadline, Reporter


@given(small_tables(), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_some_cells_are_bounded_as_all_are(case: tuple[Table, Margins], seed: int) -> None:
    _, margins = case
    split = solve_parts(margins, Deadline(None), Reporter(None))
    codes = np.argwhere(np.ones(margins.shape, np.bool_))
    some = codes[np.random.default_rng(seed).permutation(len(codes))[:5]]
    lower, upper = sharp_bounds(margins.shape, margins.values)
    for inner in (False, True):
        every, chosen = split.ends(inner=inner), split.at(some).ends(inner=inner)
        for all_cells, five, truth in zip(every, chosen, (lower, upper)):
            assert np.array_equal(all_cells, truth)
            assert np.array_equal(five, truth[tuple(some.T)])


def test_without_tables_nothing_is_attained() -> None:
    margins = random_table(1, (3, 2, 2), 2.0).margins([("V1", "V2"), ("V2", "V3"), ("V1", "V3")])
    split = split_margins(margins)
    low, high = split.ends(inner=True)
    assert (low == margins.total + 1).all()
    assert (high == -1).all()
    ends = split.at(np.zeros((2, 3), np.int64)).ends(inner=True)
    assert [end.tolist() for end in ends] == [[margins.total + 1] * 2, [-1] * 2]


@given(small_tables())
@settings(max_examples=60, deadline=None)
def test_quick_bounds_hold_and_a_first_table_has_the_margins(case: tuple[Table, Margins]) -> None:
    _, margins = case
    lower, upper = outer_bounds(margins)
    truth = sharp_bounds(margins.shape, margins.values)
    assert (lower <= truth[0]).all()
    assert (upper >= truth[1]).all()
    state = whole_state(margins)
    assert (state.lower.reshape(margins.shape) <= truth[0]).all()
    assert (state.upper.reshape(margins.shape) >= truth[1]).all()
    for part in first_tables(margins, Deadline(None), Reporter(None)).parts:
        drop = {axes: tuple(a for a in range(len(part.axes)) if a not in axes) for axes in part.margins}
        assert all(np.array_equal(part.table().sum(axis=drop[axes]), part.margins[axes]) for axes in part.margins)
