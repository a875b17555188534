from __future__ import annotations

import numpy as np
from drawn import cases, scattered
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle

from discreet.microaggregation import solve
from discreet.microaggregation.constructions.endings import split_large
from discreet.microaggregation.constructions.vmdav import vmdav
from discreet.microaggregation.problem import check_partition, renumber


@given(cases, st.sampled_from([0.0, 0.2, 1.1, 3.0]))
def test_vmdav(case: tuple[int, int, int, int], gamma: float) -> None:
    k, n, d, seed = case
    points = scattered(n, d, seed)
    labels = vmdav(points, k, gamma)
    assert oracle.as_groups(labels) == oracle.frozen(oracle.vmdav(points, k, gamma))
    check_partition(renumber(split_large(points, labels, k)), n, k)


def test_gamma_matters() -> None:
    points = np.random.default_rng(3).lognormal(size=(300, 3))
    assert solve(points, 3, method="v-mdav", gamma=1.5).sse != solve(points, 3, method="v-mdav", gamma=0).sse
