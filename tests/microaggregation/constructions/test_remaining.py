from __future__ import annotations

import numpy as np
from drawn import cases
from entries import entry
from hypothesis import given
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions import remaining

by_falling, drop_labeled, nearest_left = map(
    entry, (remaining.by_falling, remaining.drop_labeled, remaining.nearest_left)
)


@given(cases)
def test_the_nearest_of_those_left(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    random = np.random.default_rng(seed)
    # Few different values: ties go to the record that comes first.
    points = random.integers(0, 4, (n, d)).astype(float)
    labels = random.integers(-1, 1, n)
    labels[random.permutation(n)[: k + 1]] = -1
    rest = np.arange(n)
    alive = drop_labeled(rest, n, labels)
    assert rest[:alive].tolist() == np.flatnonzero(labels < 0).tolist()
    start, never = (int(x) for x in random.choice(rest[:alive], 2, replace=False))
    found = nearest_left(points, rest, alive, start, never, k).tolist()
    assert found == oracle.nearest(points, rest[:alive].tolist(), start, k, never)


def test_falling_order_is_stable() -> None:
    values = np.random.default_rng(0).integers(0, 5, 100).astype(float)
    assert (by_falling(values) == np.argsort(-values, kind="stable")).all()
