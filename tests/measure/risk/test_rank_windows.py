from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.measure.risk.rank_windows import window_linkage
from discreet.perturbation.randoms import Randoms
from discreet.perturbation.rank_swap import rank_swap, reach_of
from tests.oracles import perturbation as oracle


@given(st.integers(2, 12), st.integers(1, 2), st.integers(0, 99), st.floats(5, 60))
def test_candidates_are_those_within_reach(n: int, d: int, seed: int, percent: float) -> None:
    x = np.random.default_rng(seed).integers(0, 6, (n, d)).astype(np.float64)
    y = np.stack([x[rank_swap(x[:, j].astype(np.int64), percent, Randoms.of(j), "x"), j] for j in range(d)], axis=1)
    reach = np.full(d, reach_of(percent, n))
    assert window_linkage(x, y, reach) == pytest.approx(oracle.window_linked(x, y, reach.tolist()))


def test_the_attack_is_stronger_than_distances_and_blocks_make_it_stronger() -> None:
    from discreet.measure.risk.linkage import distance_linkage

    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 5))
    order = np.argsort(np.argsort(x, axis=0), axis=0)
    y = np.stack([x[rank_swap(order[:, j], 10.0, Randoms.of(j), "x"), j] for j in range(5)], axis=1)
    found = window_linkage(x, y, np.full(5, 40))
    assert found.mean() > distance_linkage(x, y).mean()
    assert window_linkage(x, y, np.full(5, 40), blocks=np.arange(400) % 10).mean() > found.mean()


def test_what_is_missing_is_a_candidate_for_what_is_missing() -> None:
    x = np.array([[1.0], [2.0], [np.nan], [np.nan], [3.0]])
    assert window_linkage(x, x, np.array([1])).tolist() == [0.5, 1 / 3, 0.5, 0.5, 0.5]
