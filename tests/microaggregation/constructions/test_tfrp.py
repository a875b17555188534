from __future__ import annotations

import numpy as np
from drawn import cases, scattered
from hypothesis import given
from oracles import microaggregation as oracle

from discreet.microaggregation import solve
from discreet.microaggregation.constructions.tfrp import second_phase, two_reference_points


@given(cases)
def test_tfrp(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    labels = two_reference_points(points, k)
    groups = oracle.two_reference_points(points, k)
    assert oracle.as_groups(labels) == oracle.frozen(groups)
    after, dissolved = second_phase(points, labels)
    expected = oracle.second_phase(points, groups)
    assert oracle.as_groups(after) == oracle.frozen(expected)
    assert dissolved == len(groups) - len(expected)


def test_the_second_phase_matters() -> None:
    points = np.random.default_rng(3).lognormal(size=(300, 3))
    assert solve(points, 3, method="tfrp", phases=2).sse < solve(points, 3, method="tfrp", phases=1).sse
