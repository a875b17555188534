from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet.measure.risk.linkage import distance_linkage, rank_linkage
from tests.oracles import risk as oracle

PAIRS = st.tuples(st.integers(2, 20), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(*(arrays(np.float64, shape, elements=st.integers(0, 5).map(float)) for _ in range(2)))
)


@given(PAIRS)
def test_links_are_those_of_all_distances_ties_shared(pair: tuple[np.ndarray, np.ndarray]) -> None:
    original, published = pair
    if (np.ptp(original, axis=0) > 0).any():
        assert distance_linkage(original, published) == pytest.approx(oracle.linked(original, published))


def test_numbers_that_never_differ_link_nobody() -> None:
    assert distance_linkage(np.ones((4, 2)), np.ones((4, 2))).tolist() == [0.25] * 4


def test_ranks_see_through_a_monotone_masking() -> None:
    x = np.random.default_rng(0).lognormal(size=(200, 2))
    masked = np.exp(3 * x)
    assert rank_linkage(x, masked).tolist() == [1.0] * 200
    assert distance_linkage(x, masked).mean() < 0.2


def test_threads_change_nothing() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(500, 3))
    y = x + 0.3 * rng.normal(size=x.shape)
    assert (distance_linkage(x, y) == distance_linkage(x, y, threads=2)).all()


@given(PAIRS, st.data())
def test_within_blocks_links_are_those_of_each_block_alone(
    pair: tuple[np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    original, published = pair
    n = len(original)
    blocks = np.unique(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), return_inverse=True)[1].ravel()
    found = distance_linkage(original, published, blocks=blocks)
    spread = original.std(axis=0, ddof=1)
    if not (spread > 0).any():
        assert found == pytest.approx(1.0 / np.bincount(blocks)[blocks])
        return
    x, y = (table[:, spread > 0] / spread[spread > 0] for table in (original, published))
    for i in range(n):
        rows = np.flatnonzero(blocks == blocks[i])
        apart = np.square(y[rows] - x[i]).sum(axis=1)
        near = rows[apart <= apart.min() * (1 + 1e-9) + 1e-12]
        assert found[i] == pytest.approx(1 / len(near) if i in near else 0.0)
