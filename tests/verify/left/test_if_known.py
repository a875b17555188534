"""Persons found if a column were known: as loops over all rows count them."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.verify.left.candidates import Candidates
from discreet.verify.left.if_known import found_if_known
from tests.oracles import left as slow


@pytest.mark.parametrize("seed", range(8))
def test_persons_with_too_few_candidates_of_their_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 30
    fits = rng.random((n, n)) < 0.5
    before = rng.integers(0, 4, n)
    after = rng.permutation(before)
    person, row = np.nonzero(fits)
    candidates = Candidates(np.arange(n), n, person, row, True)
    for k in (1, 3, 5):
        assert found_if_known(candidates, before, after, k) == slow.found_if_known(fits, before, after, k)
