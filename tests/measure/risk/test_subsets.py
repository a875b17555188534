from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet.measure.risk.frequencies import classes
from discreet.measure.risk.subsets import subsets
from tests.oracles import risk as oracle


@given(
    arrays(np.int64, st.tuples(st.integers(1, 15), st.integers(1, 5)), elements=st.integers(-1, 2)),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_counts_are_those_of_a_group_by_for_every_set(keys: np.ndarray, k: int, largest: int) -> None:
    largest = min(largest, keys.shape[1])
    found = subsets(keys, classes(keys), k, largest)
    by_size, exposed = oracle.small_on_subsets(keys, k, largest)
    assert found.by_size.tolist() == by_size
    assert found.exposed.tolist() == exposed
