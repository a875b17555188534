"""Blanks that are taken back: the promise stays, and no group of like records could take back one more column."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.suppression import holds
from suppression.cases import case

from discreet.suppression.restoring import BLANK, restored
from discreet.work import Deadline


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_what_can_be_taken_back_is(seed: int, m: int) -> None:
    given = case(seed, n=10)
    start = np.ones(given.codes.shape, np.bool_)
    start[:, seed % 3] = not holds(given.codes, np.arange(3) != np.full((10, 1), seed % 3), given.k, "class", m)
    assert holds(given.codes, start, given.k, "class", m)
    blank = restored(given.codes, start, given.cost, given.k, m, Deadline(None))
    assert holds(given.codes, blank, given.k, "class", m) and not (blank & ~start).any()
    published = np.where(blank, BLANK, given.codes)
    for row in np.unique(published, axis=0):
        alike = (published == row).all(axis=1)
        for j in np.flatnonzero(row == BLANK):
            for some in [alike, *(alike & (given.codes[:, j] == value) for value in range(3))]:
                tried = blank.copy()
                tried[some, j] = False
                assert not some.any() or not holds(given.codes, tried, given.k, "class", m)


def test_a_table_of_one_combination_needs_no_blank() -> None:
    codes = np.zeros((5, 2), np.int64)
    assert not restored(codes, np.ones((5, 2), np.bool_), np.ones(2, np.int64), 3, 2, Deadline(None)).any()


def test_without_time_all_blanks_stay() -> None:
    blank = np.ones((5, 2), np.bool_)
    assert restored(np.zeros((5, 2), np.int64), blank, np.ones(2, np.int64), 3, 2, Deadline(0.0)).all()
