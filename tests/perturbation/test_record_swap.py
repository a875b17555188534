from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.perturbation.randoms import Randoms
from discreet.perturbation.record_swap import household_profiles, swap_households
from tests.oracles import perturbation as oracle


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), min_size=1, max_size=40))
def test_profiles_are_the_sorted_members(rows: list[tuple[int, int]]) -> None:
    household = np.unique([home for home, _ in rows], return_inverse=True)[1].ravel()
    members = [code for _, code in rows]
    found = household_profiles(household, np.array(members))
    expected = oracle.profiles(household.tolist(), members)
    for a in expected:
        for b in expected:
            assert (found[a] == found[b]) == (expected[a] == expected[b])


@st.composite
def towns(draw: st.DrawFn) -> tuple[np.ndarray, list[np.ndarray], np.ndarray, int, int]:
    count = draw(st.integers(2, 30))
    numbers = st.lists(st.integers(0, 3), min_size=count, max_size=count).map(np.array)
    fine = draw(numbers)
    risky = draw(st.lists(st.booleans(), min_size=count, max_size=count).map(np.array))
    return draw(numbers), [fine, fine // 2, fine * 0], risky, draw(st.integers(0, count)), draw(st.integers(0, 99))


@given(towns())
def test_households_of_one_profile_exchange_places_in_pairs(
    town: tuple[np.ndarray, list[np.ndarray], np.ndarray, int, int],
) -> None:
    place, profiles, risky, wanted, seed = town
    partner, level = swap_households(place, profiles, risky, wanted, Randoms.of(seed))
    me = np.arange(len(place))
    assert (partner[partner] == me).all()
    moved = partner != me
    assert ((level >= 0) == moved).all()
    for h in np.flatnonzero(moved).tolist():
        assert place[h] != place[partner[h]]
        assert profiles[level[h]][h] == profiles[level[h]][partner[h]]
    # Whoever stays at risk, or is still wanted, finds nobody left, by any profile: all have one in the coarsest.
    left = place[~moved]
    if (risky & ~moved).any():
        assert len(set(left.tolist())) == 1
    if moved.sum() < wanted:
        assert len(set(left.tolist())) <= 1


def test_the_finest_profile_is_tried_first_and_the_wanted_number_is_kept_to() -> None:
    rng = np.random.default_rng(1)
    place, fine = rng.integers(0, 5, 2000), rng.integers(0, 20, 2000)
    nobody = np.zeros(2000, bool)
    partner, level = swap_households(place, [fine, fine * 0], nobody, 200, Randoms.of(1))
    assert (partner != np.arange(2000)).sum() == 200
    assert set(level[level >= 0].tolist()) == {0}


def test_those_at_risk_come_first() -> None:
    rng = np.random.default_rng(2)
    place, risky = rng.integers(0, 3, 900), np.arange(900) < 60
    partner, _ = swap_households(place, [place * 0], risky, 1, Randoms.of(1))
    moved = partner != np.arange(900)
    assert moved[:60].all() and moved.sum() <= 120


def test_partners_are_drawn_evenly() -> None:
    place = np.array([0, 1, 1, 2])
    risky = np.array([True, False, False, False])
    counts = np.zeros(4)
    for seed in range(3000):
        counts[swap_households(place, [place * 0], risky, 1, Randoms.of(seed)).partner[0]] += 1
    assert counts[0] == 0 and counts[1:] == pytest.approx([1000] * 3, rel=0.12)
