"""Mode "simulatable" at its limits: tables that look alike get the same outcome, try after try, on any machine.

All 2 × 2 × 2 tables of a few persons are listed. The enumeration that settles so small tables is switched off, so that
every question goes to the search, which is cut short by its limit at different points.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from oracles.release import all_tables, look_alikes, subsets

from discreet.release import engine
from discreet.release.decision import Situation, decide
from discreet.release.engine import Table
from discreet.release.frontier import Frontier, mask_of
from discreet.release.policy import Policy
from discreet.work import WorkLimit

SHAPE = (2, 2, 2)
# A first table costs a million, each box looked at some tens: before it, amid the boxes, and enough for all.
LIMITS = {"none": 0.5, "some": 1.00005, "all": 200.0}
# Of a larger group some are looked at, spread over it.
MOST_ALIKE = 6
KNOWN = [[(0, 1)], [(0, 1), (2,)], [(0,), (1,), (2,)], [(0, 1), (1, 2)]]


def outcomes(table: np.ndarray, known: list[tuple[int, ...]], policy: Policy) -> list[object]:
    """What comes of requests for two variables or more, at once, before the time, and when it is allowed again."""
    whole = Table.from_array(table.reshape(SHAPE))
    frontier = Frontier()
    for axes in known:
        frontier = frontier.release(mask_of(axes))
    state = Situation(whole, frontier, moment=0.0)
    told: list[object] = []
    for request, moment in itertools.product(subsets(3)[3:], (0.0, 1.0, 100.0)):
        made = decide(replace(state, moment=moment), policy, mask_of(request))
        told.append((request, moment, made.answer, made.ground, made.attempt, tuple(sorted(made.evidence.items()))))
        if made.answer == "release":
            # What is released depends on the counts: whether it is does not.
            continue
        state = replace(state, frontier=made.frontier, unresolved=made.unresolved)
    return told


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("limit", LIMITS)
def test_look_alikes_get_the_same_outcome(
    known: list[tuple[int, ...]], limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "tables_with", lambda public: None)
    clock = itertools.count(0, 7919)  # a machine on which every look at the clock takes hours
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    policy = Policy(c=1, w=2, mode="simulatable", time_limit=1_000_000 * LIMITS[limit] / WorkLimit.PER_SECOND)
    grounds: Counter[object] = Counter()
    for total in (2, 3):
        for group in look_alikes(all_tables(SHAPE, total), SHAPE, known):
            told = [outcomes(table, known, policy) for table in group[:: max(1, len(group) // MOST_ALIKE)]]
            assert all(other == told[0] for other in told[1:])
            grounds.update(line[3] for line in told[0])  # type: ignore[index]
    assert limit != "all" or grounds["danger"] > 0
    assert limit != "none" or grounds["unresolved"] > 0


def test_the_limit_is_met_amid_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """More work settles what less leaves open, so that the limits above are met where they say."""
    monkeypatch.setattr(engine, "tables_with", lambda public: None)
    settled = {}
    for limit, factor in LIMITS.items():
        policy = Policy(c=1, w=2, mode="simulatable", time_limit=1_000_000 * factor / WorkLimit.PER_SECOND)
        settled[limit] = 0
        for group in look_alikes(all_tables(SHAPE, 3), SHAPE, KNOWN[1]):
            told = outcomes(group[0], KNOWN[1], policy)
            settled[limit] += sum(line[1] == 0.0 and line[3] == "danger" for line in told)  # type: ignore[index]
    assert settled["none"] < settled["some"] < settled["all"]
