from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.table_cases import small_tables
from oracles.tables import all_tables

from discreet.tables.bounds.split import whole_state
from discreet.tables.draw.listing import at_least, list_tables
from discreet.tables.table import Margins, Table


@given(small_tables())
@settings(max_examples=60, deadline=None)
def test_tables_are_listed_and_counted_as_by_hand(case: tuple[Table, Margins]) -> None:
    _, margins = case
    every = {tuple(np.asarray(x).reshape(-1).tolist()) for x in all_tables(margins.shape, margins.values)}
    state = whole_state(margins)
    listed = list_tables(state, 10_000)
    assert listed is not None
    assert len(listed) == len(every)
    assert {tuple(row) for row in listed.tolist()} == every
    assert list_tables(state, len(every) - 1) is None
    for number in (1, len(every) - 1, len(every), len(every) + 1):
        if number > 0:
            assert at_least(state, number) is (number <= len(every))
