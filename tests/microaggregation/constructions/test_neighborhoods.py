from __future__ import annotations

import numpy as np
import pytest
from drawn import cases, scattered
from entries import entry
from hypothesis import given
from oracles import microaggregation as oracle

from discreet.microaggregation.constructions import neighborhoods as module

renew = entry(module.renew)


@given(cases)
def test_neighborhoods_of_all_and_of_those_left(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    around = module.neighborhoods(points, k)
    rest = list(range(n))
    for _ in range(2):
        for x in rest:
            expected = oracle.nearest(points, rest, x, k)
            assert around.members[x].tolist() == expected
            np.testing.assert_allclose(around.means[x], points[expected].mean(axis=0), atol=1e-12)
            assert around.spread[x] == pytest.approx(oracle.sse_of(points, expected), abs=1e-12)
        labels = np.full(n, -1)
        labels[around.members[0]] = 0
        rest = np.flatnonzero(labels < 0).tolist()
        renew(points, np.array(rest), len(rest), labels, around)
