from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import microaggregation as oracle

from discreet.errors import InputError
from discreet.microaggregation import solve
from discreet.microaggregation.constructions.univariate import univariate
from discreet.microaggregation.path_cut import cut_path
from discreet.microaggregation.problem import sse


@given(st.integers(1, 4), st.lists(st.integers(-5, 5), min_size=1, max_size=9))
def test_optimal_among_all_partitions(k: int, values: list[int]) -> None:
    if len(values) < k:
        return
    points = np.array(values, float)[:, None]
    partition = solve(points, k)
    assert partition.status == "optimal"
    assert partition.sse == pytest.approx(oracle.optimum(points, k), abs=1e-12)


@given(st.integers(2, 40), st.integers(80, 300), st.integers(0, 2**31))
def test_equals_the_plain_shortest_path(k: int, n: int, seed: int) -> None:
    values = np.random.default_rng(seed).lognormal(sigma=2.0, size=n)
    points = values[:, None]
    expected = sse(points, cut_path(points, np.argsort(values), k))
    assert sse(points, univariate(values, k)) == pytest.approx(expected, rel=1e-9)


def test_a_far_origin_costs_no_precision() -> None:
    values = np.random.default_rng(1).integers(0, 10_000, 3000).astype(float)
    assert (univariate(values, 3) == univariate(values + 2.0**45, 3)).all()


def test_only_columns_that_vary_count() -> None:
    random = np.random.default_rng(2)
    points = np.column_stack([np.zeros(50), random.normal(size=50), np.full(50, 2.0)])
    assert solve(points, 3).method == "univariate"
    with pytest.raises(InputError, match="2 columns vary"):
        solve(random.normal(size=(50, 2)), 3, method="univariate")
