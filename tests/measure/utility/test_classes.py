"""Classes of records alike in all columns."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.utility.classes import class_statistics
from discreet.measure.utility.columns import Categories, Numbers

ROW = st.tuples(st.sampled_from([(1.0, 1.0), (1.0, 2.0), (2.0, 2.0), None, (-np.inf, np.inf)]), st.integers(-2, 1))


@given(st.lists(ROW, min_size=1, max_size=30))
def test_counted_one_by_one(rows: list[tuple[tuple[float, float] | None, int]]) -> None:
    ends = np.array([(np.nan, np.nan) if row[0] is None else row[0] for row in rows])
    sets = Categories(np.array([row[1] for row in rows]), np.array([0, 1, 2]), np.array([0, 1]), 2, False)
    sizes = Counter(rows).values()
    found = class_statistics([Numbers(ends[:, 0], ends[:, 1]), sets])
    assert found == (len(sizes), len(rows) / len(sizes), min(sizes), sum(size**2 for size in sizes))
