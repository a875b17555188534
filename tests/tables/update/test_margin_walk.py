"""Old tables walked to one margin more: compared with bounds that start again, and with sums over the whole array."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import margin_of

from discreet.errors import InfeasibleError
from discreet.kernels.randoms import seeded
from discreet.tables.bounds.whole_table import solve
from discreet.tables.sharpen.fibre_search import Sweep
from discreet.tables.sharpen.pivots import ATTAINED, GIVEN_UP
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Margins, Table
from discreet.tables.theory.lattice import Lattice
from discreet.tables.update.margin_walk import LEFT, MarginWalk


def without_last(margins: Margins) -> Margins:
    return Margins(margins.names, margins.categories, dict(list(margins.values.items())[:-1]))


def carried(margins: Margins, patience: int = 1000) -> tuple[AtomState, Sweep, np.ndarray] | None:
    """All sides carried from the bounds without the last margin; None where that margin says nothing new."""
    old = solve(without_last(margins), whole=True).parts[0].state
    lattice = Lattice(margins.shape, tuple(margins.values))
    if old is None or set(lattice.generators) <= set(old.lattice.faces):
        return None
    state = AtomState(lattice, {g: margins.values[g] for g in lattice.generators})
    walk = MarginWalk(state, old, np.array(old.tables))
    assert walk.possible
    n = lattice.size
    sweep = Sweep(
        np.tile(np.arange(n), 2), np.repeat([1, -1], n), old.lower.copy(), old.upper.copy(), state.inner_lower.copy(),
        state.inner_upper.copy(), state.low_witness.copy(), state.high_witness.copy(), np.zeros((2 * n, n), np.int64),
    )  # fmt: skip
    return state, sweep, walk.run(sweep, 1000, 3, seeded(1), patience)


def check(table: Table, margins: Margins) -> None:
    """No table lies outside the bounds; those found have all margins; a side that is said to be attained is sharp."""
    found = carried(margins)
    if found is None:
        return
    _, sweep, ends = found
    exact = solve(margins, whole=True)
    lower, upper = exact.lower.reshape(-1), exact.upper.reshape(-1)
    assert (sweep.lower <= lower).all()
    assert (sweep.upper >= upper).all()
    for x in sweep.fresh:
        assert x.min() >= 0
        assert all(np.array_equal(margin_of(x.reshape(margins.shape), g), v) for g, v in margins.values.items())
    assert GIVEN_UP not in ends
    for cell, side, end in zip(sweep.cells, sweep.sides, ends):
        inner = sweep.inner_upper if side > 0 else sweep.inner_lower
        outer, truth = (sweep.upper, upper) if side > 0 else (sweep.lower, lower)
        assert (end == ATTAINED) == (inner[cell] == outer[cell])
        if end == ATTAINED:
            assert inner[cell] == truth[cell]
            witness = sweep.high_witness if side > 0 else sweep.low_witness
            assert sweep.tables[witness[cell], cell] == truth[cell]


@given(small_tables())
@settings(max_examples=100, deadline=None)
def test_bounds_hold_and_what_is_attained_is_sharp(case: tuple[Table, Margins]) -> None:
    assume(len(case[1].values) > 1)
    check(*case)


@pytest.mark.parametrize(("shape", "order", "mean"), [((2,) * 6, 2, 20.0), ((3, 3, 3), 2, 5.0), ((3, 2, 4, 2), 3, 2.0)])
def test_the_last_margin_of_an_order_closes_nearly_every_side(shape: tuple[int, ...], order: int, mean: float) -> None:
    for seed in range(3):
        table = random_table(seed, shape, mean)
        margins = all_ways(table, order)
        check(table, margins)
        found = carried(margins)
        assert found is not None
        assert (found[2] == ATTAINED).mean() > 0.9


def test_a_margin_of_higher_order_adds_several_sums() -> None:
    for seed in range(3):
        table = random_table(seed, (2,) * 5, 8.0)
        check(table, all_ways(table, 2).add(table.margin(table.names[:4])))


def test_sides_are_left_where_those_before_take_many_steps() -> None:
    table = random_table(2, (2,) * 6, 8.0)
    margins = all_ways(table, 2).add(table.margin(table.names[:4]))
    all_of_them, first_of_them = carried(margins), carried(margins, 0)
    assert all_of_them is not None
    assert first_of_them is not None
    (_, all_swept, ends), (_, swept, some_ends) = all_of_them, first_of_them
    assert LEFT not in ends
    at = int(np.argmax(some_ends == LEFT))
    assert 0 < at < len(ends)
    assert (some_ends[at:] == LEFT).all()
    assert np.array_equal(some_ends[:at], ends[:at])
    assert 0 < swept.tried < all_swept.tried
    assert np.array_equal(swept.fresh, all_swept.fresh[: len(swept.fresh)])


def test_margins_without_a_table_are_given_up_and_then_refused() -> None:
    # Each pair of margins has tables, the three together have none: ones on three diagonals that exclude each other.
    table = Table.from_array(np.zeros((2, 2, 2), np.int64))
    equal, opposite = np.array([[3, 0], [0, 3]]), np.array([[0, 3], [3, 0]])
    margins = Margins(table.names, table.categories, {(0, 1): equal, (0, 2): equal, (1, 2): opposite})
    with pytest.raises(InfeasibleError):
        solve(margins, previous=solve(without_last(margins)))
    found = carried(margins)
    assert found is not None
    assert not len(found[1].fresh)
    assert (found[2] == GIVEN_UP).all()
