"""Candidates: nobody who is in a group below the limit is dropped, whatever the order of the values."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from entries import entry

from discreet.microaggregation.certificate.pricing.candidates import (
    Candidates,
    filter_candidates,
    force_each,
    keep_least,
    tighten,
)
from discreet.microaggregation.certificate.space import measure

filtered, tightened, forced, least = map(entry, (filter_candidates, tighten, force_each, keep_least))


def listed(values: np.ndarray, n: int) -> Candidates:
    count = len(values)
    record = np.arange(count, dtype=np.int32)
    partial = np.zeros(n)
    return Candidates(partial, record, values.copy(), np.full(n, -1, np.int32), np.empty(n), np.empty(n))


@pytest.mark.parametrize("seed", range(20))
def test_who_is_in_a_choice_below_the_limit_is_kept_and_nobody_else(seed: int) -> None:
    random = np.random.default_rng(seed)
    values, t, base = random.integers(0, 12, 8).astype(float), int(random.integers(1, 5)), 1.0
    limit = base + np.sort(values)[:t].sum() + float(random.integers(0, 6))
    lists = listed(values, 8)
    kept = filtered(lists, 8, t, base, limit)
    below = {v for group in combinations(range(8), t) if base + values[list(group)].sum() < limit for v in group}
    assert below <= set(lists.record[:kept].tolist())
    first = set(np.flatnonzero(values <= np.sort(values)[t - 1]).tolist())
    assert set(lists.record[:kept].tolist()) == (below | first if below else set())
    assert lists.value[:kept].tolist() == values[lists.record[:kept]].tolist()


def test_too_few_candidates_make_no_group() -> None:
    assert filtered(listed(np.zeros(2), 4), 2, 3, 0.0, 100.0) == 0


@pytest.mark.parametrize("seed", range(20))
def test_distances_drop_nobody_of_a_group_below_the_limit(seed: int) -> None:
    """A group of record 0 and t others costs Σ partial + Σ of the distances among the others, over its size."""
    random = np.random.default_rng(seed)
    n, t = 8, int(random.integers(2, 4))
    points = random.normal(size=(n, 2))
    space, inverse = measure(points, 3), 1.0 / (t + 1)
    others = np.arange(1, n, dtype=np.int32)
    partial = space.distance[0] * inverse - random.uniform(0.0, 1.0, n)
    cost = {
        group: sum(partial[v] for v in group) + inverse * sum(space.distance[v, w] for v, w in combinations(group, 2))
        for group in combinations(others.tolist(), t)
    }
    limit = float(np.quantile(list(cost.values()), 0.2))
    needed = {v for group, value in cost.items() if value < limit for v in group}
    lists = Candidates(partial, others.copy(), np.empty(n - 1), np.full(n, -1, np.int32), np.empty(n), np.empty(n))
    first = tightened(space, lists, n - 1, t, inverse, 0.0, limit)
    second = forced(space, lists, first, t, inverse, 0.0, limit)
    assert second <= first
    assert needed <= set(lists.record[:second].tolist())
    assert (lists.local == -1).all(), "places are taken back"


@pytest.mark.parametrize("cap", [1, 3, 6])
def test_the_least_values_move_to_the_front_with_their_records(cap: int) -> None:
    values = np.array([3.0, 1.0, 2.0, 2.0, 5.0, 2.0])
    lists = listed(values, 6)
    least(lists, 6, cap)
    assert sorted(lists.value[:cap].tolist()) == np.sort(values)[:cap].tolist()
    assert sorted(lists.record.tolist()) == list(range(6))
    assert lists.value.tolist() == values[lists.record].tolist()
