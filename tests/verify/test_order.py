"""Rows where they were: told where chance cannot explain it, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.verify.matchings.reading import Reading
from discreet.verify.order import SUCCESSES, aligned, fitting, held_pairs


@pytest.mark.parametrize("seed", range(20))
def test_a_shuffle_is_not_taken_for_an_order(seed: int) -> None:
    found = aligned(np.arange(500), np.random.default_rng(seed).permutation(500))
    assert found is not None and not found


def test_kept_mirrored_and_slightly_stirred_orders_are_found() -> None:
    rows = np.arange(500)
    stirred = np.argsort(rows + np.random.default_rng(0).uniform(0, 200, 500))
    for order in (rows, rows[::-1].copy(), stirred, np.roll(rows, 100)):
        assert aligned(rows, order)


def test_too_few_recognizable_rows_tell_nothing() -> None:
    few = np.arange(SUCCESSES - 1)
    assert aligned(few, few) is None
    assert aligned(np.zeros(100, np.int64), np.zeros(100, np.int64)) is None
    assert aligned(np.arange(SUCCESSES), np.arange(SUCCESSES)) is True


def boxes(shown: np.ndarray) -> list[Reading]:
    """Originals 0 … n−1; row i shows the box of three neighbors around shown[i]."""
    n = shown.size
    return [Reading(np.arange(n), shown, np.arange(n + 1), np.arange(n) - 1, np.arange(n) + 1)]


def test_boxes_hold_what_their_runs_say_and_every_wildcard() -> None:
    reading = Reading(
        np.array([0, 2, 5, -1]), np.array([0, 1]), np.array([0, 2, 2]), np.array([0, 5]), np.array([1, 6])
    )
    held = held_pairs([reading], np.repeat([0, 1], 4), np.tile(np.arange(4), 2))
    assert held.tolist() == [True, False, True, True, False, False, False, True]


def test_boxes_in_the_order_of_the_originals_are_found_also_turned_and_mirrored() -> None:
    rows = np.arange(400)
    for shown in (rows, np.roll(rows, 33), rows[::-1].copy()):
        assert fitting(boxes(shown)) is True
    assert fitting(boxes(np.random.default_rng(1).permutation(400))) is False
    assert fitting(boxes(np.arange(20))) is None, "too few to tell"
