from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.perturbation.randoms import Randoms
from discreet.perturbation.rank_swap import rank_swap, reach_of, swapped_ranks
from tests.oracles import perturbation as oracle


@given(st.integers(1, 30), st.integers(1, 12), st.integers(0, 2**32))
def test_swaps_are_those_of_the_slow_way(n: int, reach: int, seed: int) -> None:
    words = Randoms.of(seed).words("x", n)
    assert swapped_ranks(n, reach, words).tolist() == oracle.swapped_ranks(n, reach, words)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=60), st.floats(0.5, 100), st.integers(0, 9))
def test_values_are_exchanged_in_pairs_within_reach(values: list[int], percent: float, seed: int) -> None:
    places = np.array(values)
    donor = rank_swap(places, percent, Randoms.of(seed), "x")
    assert (donor[donor] == np.arange(len(places))).all()
    first, last = (np.searchsorted(np.sort(places), places, side=side) for side in ("left", "right"))
    reach = reach_of(percent, len(places))
    assert (first[donor] - (last - 1) <= reach).all() and (first - (last[donor] - 1) <= reach).all()


def test_percent_is_percent() -> None:
    assert [reach_of(p, 1000) for p in (0.01, 1, 5, 10, 100)] == [1, 10, 50, 100, 1000]
    x = np.arange(4000)
    far = [np.abs(rank_swap(x, p, Randoms.of(1), "x") - x) for p in (1, 5, 10)]
    assert [moved.max() <= reach for moved, reach in zip(far, (40, 200, 400))] == [True] * 3
    assert far[0].mean() < far[1].mean() / 3 < far[2].mean() / 5
    assert all((moved == 0).mean() < 0.01 for moved in far)


def test_partners_are_drawn_evenly() -> None:
    counts = np.zeros(4)
    for seed in range(4000):
        counts[swapped_ranks(4, 3, Randoms.of(seed).words("x", 4))[0]] += 1
    assert counts[0] == 0 and counts[1:] == pytest.approx([4000 / 3] * 3, rel=0.1)


def test_ties_are_broken_at_random() -> None:
    same = np.zeros(200, np.int64)
    donor = rank_swap(same, 5.0, Randoms.of(1), "x")
    assert np.abs(donor - np.arange(200)).max() > 50
