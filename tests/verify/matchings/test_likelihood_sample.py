"""The walk over perfect matchings: it stays perfect, counts what it watches, and estimates what enumeration finds."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.likelihood import pair_shares, random_fits
from scipy.optimize import linear_sum_assignment

from discreet.verify.matchings.likelihood_sample import Component, shares


def component(fits: np.ndarray) -> Component:
    """Classes of one member each, with some perfect matching."""
    n = len(fits)
    degree = fits.sum(axis=1)
    row_of = np.argsort(linear_sum_assignment(~fits)[1])
    upto = np.concatenate([np.arange(1, d + 1) for d in degree])
    every = np.arange(n)
    parts = (np.append(0, np.cumsum(degree)), np.nonzero(fits)[1], upto, every, every, every, row_of)
    return Component(*(np.ascontiguousarray(part, np.int64) for part in parts))


def walked(fits: np.ndarray, c: Component, most: int) -> tuple[tuple[int, int], float, float, int]:
    pairs = np.argwhere(fits)
    ones = np.ones(len(pairs), np.int64)
    rows, people = (np.ascontiguousarray(pairs[:, side], np.int64) for side in (0, 1))
    best, share, error, steps = shares(c, rows, people, ones, ones, 1, most)
    return tuple(pairs[best].tolist()), share, error, steps


@pytest.mark.parametrize("seed", range(12))
def test_estimates_are_near_what_enumeration_finds_and_the_matching_stays_perfect(seed: int) -> None:
    rng = np.random.default_rng(seed)
    fits = random_fits(6, rng)
    c, truth = component(fits), pair_shares(fits)
    pair, share, error, steps = walked(fits, c, 60_000)
    assert steps > 0 and sorted(c.row_of.tolist()) == list(range(6))
    assert all(fits[row, person] for person, row in enumerate(c.row_of.tolist()))
    assert share == pytest.approx(truth[pair], abs=6 * error + 0.01)
    assert truth[pair] >= truth.max() - 0.05


def test_a_pair_in_every_matching_has_share_one_and_no_error() -> None:
    fits = np.tri(4, dtype=bool)
    _, share, error, steps = walked(fits, component(fits), 20_000)
    assert (share, error) == (1.0, 0.0) and steps > 0


def test_too_few_moves_say_nothing() -> None:
    fits = np.ones((5, 5), bool)
    assert walked(fits, component(fits), 20)[3] == 0
