"""Descents, jumps and sweeps stay among the tables with the margins, and end where they say."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.table_cases import small_tables
from oracles.tables import all_tables, margin_of, sharp_bounds

from discreet.kernels.randoms import seeded
from discreet.tables.bounds.split import whole_state
from discreet.tables.sharpen.fibre_search import Sweep, descend, jump
from discreet.tables.table import Margins, Table
from discreet.tables.theory.basic_moves import basic_moves


def has_margins(x: np.ndarray, margins: Margins) -> bool:
    return all(np.array_equal(margin_of(x.reshape(margins.shape), g), v) for g, v in margins.values.items())


@given(small_tables(), st.integers(0, 999))
@settings(max_examples=40, deadline=None)
def test_a_descent_keeps_the_margins_and_gets_no_farther_from_the_goal(case: tuple[Table, Margins], seed: int) -> None:
    table, margins = case
    rng = np.random.default_rng(seed)
    x = table.dense().reshape(-1).copy()
    goal, weights = rng.uniform(0, 4, x.size), rng.uniform(0.5, 2, x.size)
    before = float((weights * (x - goal) ** 2).sum())
    moves = basic_moves(whole_state(margins).lattice)
    descend(x, goal, weights, moves, 1_000_000, seeded(seed))
    assert has_margins(x, margins)
    assert float((weights * (x - goal) ** 2).sum()) <= before + 1e-9


def test_a_descent_along_the_only_move_ends_at_the_nearest_table() -> None:
    margins = Table.from_array(np.array([[9, 1], [1, 9]])).margins([["V1"], ["V2"]])
    x, goal = np.array([9, 1, 1, 9]), np.array([2.2, 7.8, 7.8, 2.2])
    descend(x, goal, np.ones(4), basic_moves(whole_state(margins).lattice), 10_000, seeded(1))
    assert x.tolist() == [2, 8, 8, 2]


@given(small_tables(), st.integers(0, 999))
@settings(max_examples=40, deadline=None)
def test_a_jump_ends_in_the_box_with_the_margins_or_says_that_it_did_not(
    case: tuple[Table, Margins], seed: int
) -> None:
    table, margins = case
    rng = np.random.default_rng(seed)
    every = [np.asarray(x).reshape(-1) for x in all_tables(margins.shape, margins.values)]
    aim = every[int(rng.integers(len(every)))]
    moves = basic_moves(whole_state(margins).lattice)
    x = table.dense().reshape(-1).copy()
    if jump(x, aim, aim, moves, 200_000, seeded(seed)):
        assert np.array_equal(x, aim)
    assert has_margins(x, margins)
    beyond = np.full(x.size, margins.total + 1)
    assert not jump(x, beyond, beyond, moves, 2_000, seeded(seed))
    assert has_margins(x, margins)


def test_a_jump_is_blocked_where_no_move_goes_through_a_violated_cell() -> None:
    table = Table.from_array(np.array([[1, 2], [3, 4]]))
    moves = basic_moves(whole_state(table.margins([["V1", "V2"]])).lattice)
    assert moves.count == 0
    x = table.dense().reshape(-1).copy()
    assert jump(x, x.copy(), x.copy(), moves, 100, seeded(0))
    assert not jump(x, x + 1, x + 1, moves, 100, seeded(0))
    assert np.array_equal(x, table.dense().reshape(-1))


@given(small_tables(), st.integers(0, 999))
@settings(max_examples=30, deadline=None)
def test_a_sweep_counts_each_table_for_every_cell(case: tuple[Table, Margins], seed: int) -> None:
    table, margins = case
    state = whole_state(margins)
    truth = sharp_bounds(margins.shape, margins.values)
    assert truth is not None
    low, high = (bound.reshape(-1) for bound in truth)
    n, first = low.size, table.dense().reshape(-1)
    tables = np.zeros((2 * n + 1, n), np.int64)
    tables[0] = first
    at_start = np.zeros(n, np.int64)
    sweep = Sweep(
        np.tile(np.arange(n), 2), np.repeat([1, -1], n), low.copy(), high.copy(), first.copy(), first.copy(),
        at_start, at_start.copy(), tables, 1, 1,
    )  # fmt: skip
    sweep.run(basic_moves(state.lattice), 100_000, seeded(seed))
    kept = sweep.tables[: sweep.count]
    assert np.array_equal(sweep.fresh, kept[1:])
    assert all(has_margins(x, margins) and x.min() >= 0 for x in kept)
    assert np.array_equal(sweep.inner_lower, kept.min(axis=0))
    assert np.array_equal(sweep.inner_upper, kept.max(axis=0))
    cells = np.arange(n)
    assert np.array_equal(kept[sweep.low_witness, cells], sweep.inner_lower)
    assert np.array_equal(kept[sweep.high_witness, cells], sweep.inner_upper)
