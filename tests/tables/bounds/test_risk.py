"""Which cells are at risk, cell by cell against the words of the rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.tables.bounds.risk import RiskPolicy, assess

widths = st.tuples(*(st.integers(0, 3),) * 4, st.booleans())


@given(st.lists(widths, min_size=1, max_size=12), st.integers(1, 4), st.integers(1, 4))
def test_classes_of_cells(cells: list[tuple[int, int, int, int, bool]], c: int, w: int) -> None:
    """Lower bound, least and greatest count that tables have, upper bound; the true count is one that a table has."""
    low, inner_low, inner_high, high = (np.cumsum([cell[:4] for cell in cells], axis=1).T[i] for i in range(4))
    truth = np.where([cell[4] for cell in cells], inner_low, inner_high)
    policy = RiskPolicy(c, w)
    for counts in (truth, None):
        found = assess(policy, (low, high), (inner_low, inner_high), counts)
        for i in range(len(cells)):
            small = 1 <= truth[i] <= c if counts is not None else low[i] >= 1 and high[i] <= c
            exposed = small and high[i] - low[i] < w
            assert found.sensitive[i] == small
            assert found.exposed[i] == exposed
            assert found.pinned[i] == (small and low[i] == high[i])
            assert found.undecided[i] == (small and not exposed and inner_high[i] - inner_low[i] < w)


def test_policies_from_what_a_server_has() -> None:
    assert RiskPolicy.of(None) == RiskPolicy(2, 3)
    assert RiskPolicy.of({"c": 1, "w": np.int64(4), "mode": "exact"}) == RiskPolicy(1, 4)
    with pytest.raises(InputError) as caught:
        RiskPolicy.of({"c": 0, "w": True})
    assert len(caught.value.faults) == 2
