"""Group-bys over every set of columns, against counting rows one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.suppression.subsets import groupings, set_costs


@given(rows=st.lists(st.tuples(*[st.integers(-1, 3)] * 3), min_size=1, max_size=12))
@settings(deadline=None, max_examples=40)
def test_rows_share_a_class_where_they_agree_outside_the_blanks(rows: list[tuple[int, ...]]) -> None:
    codes = np.array(rows, np.int64)
    met = set()
    for blank, of, classes in groupings(codes):
        met.add(blank)
        kept = [j for j in range(3) if not blank >> j & 1]
        assert sorted(set(of.tolist())) == list(range(classes))
        for a in range(len(rows)):
            for b in range(len(rows)):
                assert (of[a] == of[b]) == all(rows[a][j] == rows[b][j] for j in kept)
    assert met == set(range(8))


def test_sets_cost_what_their_columns_cost() -> None:
    assert set_costs(np.array([1, 5, 10])).tolist() == [0, 1, 5, 6, 10, 11, 15, 16]
