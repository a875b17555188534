"""The search of classes: valid whichever way a table goes, and the optimum where it says so."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from oracles.suppression import least_classes
from suppression.cases import Case, case

from discreet.suppression import search as module
from discreet.suppression.cover import cover
from discreet.suppression.prices import PRICE_SCALE, proven
from discreet.suppression.search import Classes, classes
from discreet.work import Deadline, Reporter


def found_in(given: Case, limit: float | None = None) -> tuple[Classes, int]:
    """What is found and what it costs, after each published combination was counted."""
    cheapest = cover(given.tuples, given.cost, given.k)
    found = classes(given.tuples, given.cost, given.k, cheapest, Deadline(limit), Reporter(None), 0)
    published: Counter[tuple[int, ...]] = Counter()
    placed: Counter[int] = Counter()
    total = 0
    for t, mask, records in zip(found.tuple_of.tolist(), found.blank.tolist(), found.records.tolist(), strict=True):
        hidden = [bool(mask >> j & 1) for j in range(given.cost.size)]
        row = given.tuples.codes[t].tolist()
        published[tuple(-1 if gone else value for gone, value in zip(hidden, row, strict=True))] += records
        placed[t] += records
        total += records * int(given.cost @ np.array(hidden))
    assert min(published.values()) >= given.k
    assert [placed[t] for t in range(given.tuples.size.size)] == given.tuples.size.tolist()
    return found, total


def bound(given: Case, found: Classes) -> Fraction:
    return Fraction(proven(given.tuples, given.cost, given.k, found.prices), PRICE_SCALE)


@pytest.mark.parametrize("seed", range(12))
def test_tiny_tables_are_solved_by_one_program(seed: int) -> None:
    given = case(seed)
    found, cost = found_in(given)
    assert found.solved and bound(given, found) <= cost == least_classes(given.codes, given.cost, given.k)


@pytest.mark.parametrize("seed", range(6))
def test_annealing_and_blocks_come_as_far(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WHOLE", 0)
    given = case(seed)
    found, cost = found_in(given)
    assert bound(given, found) <= cost == least_classes(given.codes, given.cost, given.k)


@pytest.mark.parametrize("whole", [0, 10**6])
def test_no_time_is_enough_for_classes(whole: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WHOLE", whole)
    given = case(5, n=120, d=4, values=4)
    found, cost = found_in(given, limit=0.0)
    assert bound(given, found) <= cost
