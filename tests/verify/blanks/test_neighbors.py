"""A sorted file tells its blanks; a random one does not."""

from __future__ import annotations

import numpy as np

from discreet.verify.blanks.neighbors import told_by_order


def test_a_sorted_key_tells_its_blanks_and_a_random_one_does_not() -> None:
    random = np.random.default_rng(3)
    sorted_key, other = np.sort(random.integers(1, 9, 600)), random.integers(1, 9, 600)
    original = np.stack([sorted_key, other], axis=1)
    published = np.where(random.random(original.shape) < 0.1, 0, original)
    told = told_by_order(("region", "sex"), original, published)
    assert len(told) == 1
    assert "region" in told[0]
    hidden = int((published[:, 0] == 0).sum())
    assert f"of {hidden} blanks" in told[0]
    mixed = random.permutation(600)
    assert told_by_order(("region", "sex"), original[mixed], published[mixed]) == []


def test_values_below_a_blank_tell_as_well() -> None:
    original = np.repeat(np.arange(1, 31), 4)[:, None]
    published = original.copy()
    published[::4] = 0  # the first of each run: what stands above is another value
    told = told_by_order(("region",), original, published)
    assert told
    assert "tells 30 of 30" in told[0]


def test_nothing_blank_or_nothing_shown_tells_nothing() -> None:
    ones = np.ones((50, 1), np.int64)
    assert told_by_order(("a",), ones, ones) == []
    assert told_by_order(("a",), ones, ones * 0) == []
    # What is missing in the original is no blank.
    assert told_by_order(("a",), ones * 0, ones * 0) == []
