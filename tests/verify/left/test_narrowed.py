"""Persons narrowed down by what a column tells: as loops count them, and nobody by a column that tells nothing."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.verify.left.candidates import Candidates
from discreet.verify.left.narrowed import narrowed
from tests.oracles import left as slow
from tests.verify.left.made import numbers, words


@pytest.mark.parametrize("seed", range(6))
def test_narrowed_down_as_loops_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 150, 4
    column = rng.choice([0, 1, 2], n, p=[0.15, 0.25, 0.6])
    column[:60] = np.repeat([0, 1, 2], 20)  # enough of each
    age = (10.0 * column + rng.integers(0, 15, n)).astype(float)
    town = (column + (rng.random(n) < 0.2)) % 3
    own = rng.permutation(n)
    fits = rng.random((n, n)) < 0.08
    fits[own, np.arange(n)] = True
    person, row = np.nonzero(fits)
    candidates = Candidates(np.arange(n), n, person, row, True)
    keys = [("numbers", age.tolist()), ("words", town.tolist())]
    expected = slow.narrowed(column.tolist(), keys, fits, own.tolist(), k)
    assert (
        narrowed(words(column.tolist()), [numbers(age.tolist()), words(town.tolist())], candidates, own, k) == expected
    )
    assert expected > 0


def test_numbers_without_repetition_are_predicted_from_the_nearest() -> None:
    n = 200
    age = np.repeat(np.arange(20.0), 10)
    born = 2000 - age - np.random.default_rng(0).random(n)
    everybody = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
    candidates = Candidates(np.arange(n), n, *everybody, True)
    own = np.arange(n)
    found = narrowed(numbers(born.tolist()), [numbers(age.tolist())], candidates, own, 50)
    assert found is not None and found > 150
    noise = numbers(np.random.default_rng(1).random(n).tolist())
    assert narrowed(noise, [numbers(age.tolist())], candidates, own, 10) == 0
