from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import small_tables
from oracles.tables import all_tables

from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen.box_search import table_in_box
from discreet.tables.table import Margins, Table
from discreet.work import Deadline


@given(small_tables(), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_a_table_is_found_in_the_box_that_has_one(case: tuple[Table, Margins], seed: int) -> None:
    """Boxes around one of the tables, after one that has none."""
    _, margins = case
    rng = np.random.default_rng(seed)
    every = [np.asarray(x).reshape(-1) for x in all_tables(margins.shape, margins.values)]
    aim = every[int(rng.integers(len(every)))]
    box = aim - rng.integers(0, 2, aim.size), aim + rng.integers(0, 2, aim.size)
    nowhere = np.full(aim.size, margins.total + 1)
    found = table_in_box(whole_state(margins), [(nowhere, nowhere), box], Deadline(60))
    assert found is not None
    assert (box[0] <= found).all()
    assert (found <= box[1]).all()
    assert any(np.array_equal(found, x) for x in every)
    assert table_in_box(whole_state(margins), [(nowhere, nowhere)], Deadline(60)) is None
