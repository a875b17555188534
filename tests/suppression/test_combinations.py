"""Every m keys shared by k: covers and classes, against their definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from oracles.suppression import holds
from suppression.cases import case

from discreet.errors import InputError
from discreet.suppression import combinations as module
from discreet.suppression.combinations import class_combinations, cover_combinations
from discreet.work import Deadline, Reporter


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_the_cheapest_cover_of_each_tuple(seed: int, m: int) -> None:
    given = case(seed, n=9)
    found = cover_combinations(given.tuples, given.cost, given.k, m)
    for row, blank, cost in zip(given.tuples.codes, found.blank.tolist(), found.cost.tolist(), strict=True):
        costs = {}
        for mask in range(8):
            kept = [j for j in range(3) if not mask >> j & 1]
            shown = [each for size in range(1, m + 1) for each in itertools.combinations(kept, size)]
            fits = [(given.codes[:, each] == row[list(each)]).all(axis=1).sum() for each in shown]
            if all(fit >= given.k for fit in fits):
                costs[mask] = sum(int(given.cost[j]) for j in range(3) if mask >> j & 1)
        assert costs[blank] == cost == min(costs.values())


@pytest.mark.parametrize("limit", [None, 0.0])
@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_classes_hold_from_any_start(seed: int, m: int, limit: float | None) -> None:
    given = case(seed, n=10)
    start = np.random.default_rng(seed).random(given.codes.shape) < (seed % 3) / 4
    blank = class_combinations(given.codes, given.cost, given.k, m, start, Deadline(limit), Reporter(None))
    assert holds(given.codes, blank, given.k, "class", m)


def test_more_sets_than_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    given = case(0)
    monkeypatch.setattr(module, "_MOST_FLAGS", 10)
    with pytest.raises(InputError, match="name fewer keys"):
        cover_combinations(given.tuples, given.cost, given.k, 2)
