"""What was known of several parts, as the start for a margin that joins them."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.table_cases import random_table
from oracles.tables import margin_of

from discreet.tables.bounds.whole_table import Solution, solve
from discreet.tables.state.atom import AtomState
from discreet.tables.table import Margins, Table
from discreet.tables.theory.lattice import lattice_of
from discreet.tables.update.prior import prior_of_parts


def joined(before: Solution, margins: Margins) -> AtomState | None:
    """The old state that a solution of several parts is made into."""
    lattice = lattice_of(margins.shape, tuple(margins.values))
    state = AtomState(lattice, {g: margins.values[g] for g in lattice.generators})
    assert state.shuttle()
    prior = prior_of_parts(state, before)
    return None if prior is None else prior.old


@pytest.mark.parametrize("seed", range(30))
def test_a_margin_that_joins_parts_gives_the_same_as_from_scratch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = ((2, 3, 2, 4), (3, 4, 3, 5), (2, 2, 2, 2, 2, 2), (4, 3, 5))[seed % 4]
    table = random_table(seed, shape, float(rng.choice([0.5, 4.0, 20.0])))
    chain = [(a, a + 1) for a in range(len(shape) - 1)]
    first = table.margins([[table.names[a] for a in g] for g in chain])
    before = solve(first)
    assert len(before.parts) > 1
    full = first.add(table.margin((table.names[0], table.names[-1])))
    updated, cold = solve(full, previous=before), solve(full)
    old = joined(before, full)
    assert old is not None or np.array_equal(cold.lower, cold.upper)
    if old is not None:
        assert not old.open_count
        assert np.array_equal(old.lower, before.lower.reshape(-1))
        assert np.array_equal(old.upper, before.upper.reshape(-1))
    assert np.array_equal(updated.lower, cold.lower)
    assert np.array_equal(updated.upper, cold.upper)
    assert updated.lower_sharp.all()
    assert updated.upper_sharp.all()
    for cell in list(np.ndindex(*shape))[::5]:
        for side, bound in ((1, updated.upper), (-1, updated.lower)):
            x = updated.witness(cell, side)
            assert x[cell] == bound[cell]
            assert x.min() >= 0
            assert all(np.array_equal(margin_of(x, g), v) for g, v in full.values.items())


def test_nothing_is_joined_where_the_shuttle_says_it_all() -> None:
    even, single = np.full((2, 2, 2), 3), np.zeros((2, 2, 2), np.int64)
    single[0, 0, 0] = 3
    for counts, wanted in ((even, True), (single, False)):
        chosen = Table.from_array(counts)
        first = chosen.margins([("V1", "V2"), ("V2", "V3")])
        assert (joined(solve(first), first.add(chosen.margin(("V1", "V3")))) is not None) == wanted
