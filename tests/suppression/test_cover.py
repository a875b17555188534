"""The cheapest cover of each tuple, against trying every set of columns on every record."""

from __future__ import annotations

import numpy as np
import pytest
from suppression.cases import case

from discreet.suppression.cover import cover


@pytest.mark.parametrize("seed", range(40))
def test_the_cheapest_set_that_fits_k_and_of_these_the_one_that_fits_most(seed: int) -> None:
    given = case(seed, n=10)
    found = cover(given.tuples, given.cost, given.k)
    for row, blank, cost in zip(given.tuples.codes, found.blank, found.cost, strict=True):
        choices = []
        for mask in range(8):
            kept = [j for j in range(3) if not mask >> j & 1]
            fits = int((given.codes[:, kept] == row[kept]).all(axis=1).sum())
            if fits >= given.k:
                choices.append((sum(int(given.cost[j]) for j in range(3) if mask >> j & 1), -fits, mask))
        assert (cost, blank) == (min(choices)[0], min(choices)[2])


def test_nothing_is_blanked_where_all_are_alike() -> None:
    given = case(0, values=1)
    assert np.array_equal(cover(given.tuples, given.cost, given.k).blank, [0])
