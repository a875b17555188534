from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import linear_bounds, margin_of

from discreet.kernels.randoms import seeded
from discreet.tables.sharpen.fibre_search import Sweep
from discreet.tables.sharpen.pivots import ATTAINED, FRACTIONAL, GIVEN_UP
from discreet.tables.sharpen.simplex_walk import SimplexWalk
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Margins, Table
from discreet.tables.theory import dictionary as dictionaries
from discreet.tables.theory.dictionary import dictionary
from discreet.tables.theory.lattice import Lattice


def known_state(table: Table, margins: Margins) -> AtomState:
    lattice = Lattice(margins.shape, tuple(margins.values))
    state = AtomState(lattice, {g: margins.values[g] for g in lattice.generators})
    assert state.shuttle()
    assert state.admit(table.dense().reshape(-1))
    return state


def sweep_of(state: AtomState) -> Sweep:
    n = state.lattice.size
    cells, sides = np.tile(np.arange(n), 2), np.repeat([1, -1], n)
    tables = np.zeros((2 * n + 1, n), np.int64)
    tables[0] = state.tables[0]
    return Sweep(
        cells, sides, state.lower.copy(), state.upper.copy(), state.inner_lower.copy(), state.inner_upper.copy(),
        state.low_witness.copy(), state.high_witness.copy(), tables, 1, 1,
    )  # fmt: skip


def check(table: Table, margins: Margins) -> None:
    """Every side ends at the bound of the linear program, rounded; tables have the margins; what is met is attained."""
    state = known_state(table, margins)
    known = dictionary(state.lattice, state.lower == state.upper)
    assert known is not None
    sweep = sweep_of(state)
    ends, points = SimplexWalk(known, state.lower, state.upper).run(sweep, 1000, 3, seeded(1))
    low, high = linear_bounds(margins.shape, margins.values)
    assert np.array_equal(sweep.upper, np.floor(high + 1e-6))
    assert np.array_equal(sweep.lower, np.ceil(low - 1e-6))
    for x in sweep.fresh:
        assert x.min() >= 0
        assert all(np.array_equal(margin_of(x.reshape(margins.shape), g), v) for g, v in margins.values.items())
    assert set(ends) <= {ATTAINED, FRACTIONAL}
    for cell, side, end, point in zip(sweep.cells, sweep.sides, ends, points):
        bound, inner = (sweep.upper, sweep.inner_upper) if side > 0 else (sweep.lower, sweep.inner_lower)
        assert (end == ATTAINED) == (bound[cell] == inner[cell])
        if end == FRACTIONAL:
            assert np.abs(point - np.rint(point)).max() > 1e-6
            assert bound[cell] == (np.floor(point[cell] + 1e-6) if side > 0 else np.ceil(point[cell] - 1e-6))


@given(small_tables())
@settings(max_examples=150, deadline=None)
def test_ends_at_the_bounds_of_the_linear_program(case: tuple[Table, Margins]) -> None:
    check(*case)


@pytest.mark.parametrize(("shape", "order", "mean"), [((2,) * 5, 2, 4.0), ((3, 3, 3), 2, 0.7), ((3, 2, 4, 2), 2, 9.0)])
def test_ends_at_the_bounds_of_larger_programs(shape: tuple[int, ...], order: int, mean: float) -> None:
    for seed in range(4):
        table = random_table(seed, shape, mean)
        check(table, all_ways(table, order))


def test_a_walk_that_is_cut_short_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = random_table(2, (2,) * 5, 6.0)
    state = known_state(table, all_ways(table, 2))
    known = dictionary(state.lattice, state.lower == state.upper)
    assert known is not None
    sweep = sweep_of(state)
    ends, _ = SimplexWalk(known, state.lower, state.upper).run(sweep, 1, 3, seeded(1))
    assert GIVEN_UP in ends
    given_up = ends == GIVEN_UP
    for side, bound, outer in ((1, sweep.upper, state.upper), (-1, sweep.lower, state.lower)):
        cells = sweep.cells[given_up & (sweep.sides == side)]
        assert np.array_equal(bound[cells], outer[cells])
    monkeypatch.setattr(dictionaries, "ENTRIES", 3)
    assert dictionary(state.lattice, state.lower == state.upper) is None
