from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle

from discreet.microaggregation.path_cut import cut_path, cut_tour
from discreet.microaggregation.problem import check_partition, renumber, sse

cases = st.tuples(st.integers(2, 4), st.integers(4, 15), st.integers(1, 3), st.integers(0, 2**31)).filter(
    lambda t: t[1] >= 2 * t[0]
)


@given(cases)
def test_cuts_are_the_best_of_all(case: tuple[int, int, int, int]) -> None:
    k, n, d, seed = case
    random = np.random.default_rng(seed)
    points, order = random.normal(size=(n, d)), random.permutation(n)
    path = cut_path(points, order, k)
    assert sse(points, path) == pytest.approx(oracle.best_cut(points, order.tolist(), k))
    tour, value = cut_tour(points, order, k)
    check_partition(renumber(tour), n, k)
    assert sse(points, tour) == pytest.approx(value)
    assert value == pytest.approx(oracle.best_tour_cut(points, order.tolist(), k))
