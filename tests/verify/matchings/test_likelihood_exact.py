"""The greatest share of matchings of a pair, against all permutations."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.likelihood import pair_shares, random_fits

from discreet.verify.matchings.likelihood_exact import largest_share, states


def listed(fits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ends = np.concatenate([[0], np.cumsum(fits.sum(axis=1))]).astype(np.int64)
    return ends, np.nonzero(fits)[1].astype(np.int64)


@pytest.mark.parametrize("seed", range(25))
def test_classes_of_one_member_each(seed: int) -> None:
    rng = np.random.default_rng(seed)
    fits = random_fits(int(rng.integers(2, 7)), rng)
    ones = np.ones(len(fits), np.int64)
    assert largest_share(*listed(fits), ones, ones) == pytest.approx(pair_shares(fits).max(), rel=1e-12)


@pytest.mark.parametrize("seed", range(15))
def test_merged_classes_say_the_same_as_their_members_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    fits = random_fits(3, rng)
    size = rng.integers(1, 3, 3)
    matching = next(iter(np.argwhere(fits)))  # two classes that fit may have one member more each
    rows, people = np.ones(3, np.int64), np.ones(3, np.int64)
    rows[matching[0]] += size[0]
    people[matching[1]] += size[0]
    one_by_one = np.repeat(np.repeat(fits, rows, axis=0), people, axis=1)
    assert largest_share(*listed(fits), rows, people) == pytest.approx(pair_shares(one_by_one).max(), rel=1e-12)


def test_a_forced_pair_is_certain_and_a_full_graph_tells_nothing() -> None:
    assert largest_share(*listed(np.tri(4, dtype=bool)), np.ones(4, np.int64), np.ones(4, np.int64)) == 1.0
    one = np.array([0, 1]), np.array([0])
    assert largest_share(*one, np.array([9]), np.array([9])) == pytest.approx(1 / 9, rel=1e-12)


def test_states_are_counted_up_to_the_most_that_matter() -> None:
    counts = np.array([2, 1, 4])
    assert states(counts, 1000) == 3 * 2 * 5
    assert states(counts, 30) == states(counts, 29) + 1 == 30
    assert states(np.full(200, 10**6), 1 << 18) == 1 << 18, "no overflow"
