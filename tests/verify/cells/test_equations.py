"""Sums, closed forms and bounds from multipliers, against the tables themselves."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import all_ways, random_table
from oracles.tables import margin_of, sharp_bounds

import discreet as dc
from discreet.verify.cells.check import Equations


@pytest.fixture(scope="module")
def made() -> tuple[dc.Table, dc.Bounds]:
    table = random_table(3, (2, 3, 2), 4.0)
    return table, dc.bounds(all_ways(table, 2))


def test_equations_are_the_margins() -> None:
    table = random_table(1, (2, 2, 3), 3.0)
    margins = all_ways(table, 2)
    equations = Equations(table.shape, margins.values.items())
    assert equations.has(table.dense())
    assert not equations.has(table.dense() + 0.5)
    other = table.dense().copy()
    other[0, 0, 0] += 1
    assert not equations.has(other)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_the_closed_form_is_sharp(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = [(2, 3), (2, 2, 2), (3, 1, 2), (2, 2, 3)][seed % 4]
    every = [axes for size in range(len(shape)) for axes in combinations(range(len(shape)), size)]
    chosen = [every[i] for i in rng.choice(len(every), 2, replace=False)]
    counts = rng.integers(0, 3, shape)
    margins = {axes: margin_of(counts, axes) for axes in chosen}
    closed = Equations(shape, margins.items()).closed_form()
    truth = sharp_bounds(shape, {axes: np.asarray(values) for axes, values in margins.items()})
    assert closed is not None, "two margins are always decomposable"
    assert truth is not None
    assert np.array_equal(closed[0], truth[0].reshape(-1))
    assert np.array_equal(closed[1], truth[1].reshape(-1))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 2**31 - 1, 2**45 + 1, 2**58 + 1]))
def test_no_multipliers_prove_what_is_not_so(seed: int, factor: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 3, (2, 2, 2)) * factor
    axes = [(0, 1), (1, 2), (0, 2)]
    equations = Equations(counts.shape, [(some, margin_of(counts, some)) for some in axes])
    for cell in range(8):
        multipliers = rng.normal(0, rng.choice([0.3, 1, 40]), equations.sums.size)
        assert equations.proven(cell, 1, multipliers) >= counts.reshape(-1)[cell]
        assert equations.proven(cell, -1, multipliers) <= counts.reshape(-1)[cell]
