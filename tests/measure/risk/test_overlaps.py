from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.risk.frequencies import classes
from discreet.measure.risk.overlaps import Sets, overlap_frequencies
from tests.oracles import risk as oracle

INTERVAL = st.tuples(st.integers(0, 5), st.integers(0, 3)).map(lambda pair: set(range(pair[0], pair[0] + pair[1] + 1)))
GROUP = st.sets(st.sampled_from([0, 1, 63, 64, 100]), min_size=1)


@given(st.lists(st.tuples(INTERVAL, GROUP), min_size=1, max_size=12), st.data())
def test_counts_are_those_of_all_pairs(boxes: list[tuple[set[int], set[int]]], data: st.DataObject) -> None:
    """Each record has an interval in the first key and categories in the second, from a list of boxes."""
    chosen = data.draw(st.lists(st.integers(0, len(boxes) - 1), min_size=1, max_size=20))
    m = len(boxes)
    low, high, bits = np.full(2 * m, -np.inf), np.full(2 * m, np.inf), np.zeros((2 * m, 2), np.uint64)
    for code, (interval, group) in enumerate(boxes):
        low[code], high[code], bits[code] = min(interval), max(interval), ~np.uint64(0)
        for bit in group:
            bits[m + code, bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
    keys = np.array([[code, code] for code in chosen], np.int64)
    weights = np.arange(1, len(chosen) + 1).astype(np.float64)
    found = classes(keys)
    f, F = overlap_frequencies(keys, found, weights, Sets(low, high, bits, np.array([0, m])))
    expected = oracle.overlapping([list(boxes[code]) for code in chosen], weights)
    assert f[found.of].tolist() == expected[0]
    assert F[found.of].tolist() == expected[1]
