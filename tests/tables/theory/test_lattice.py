from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from oracles.table_cases import small_tables

from discreet.tables.table import Margins, Table
from discreet.tables.theory.basic_moves import basic_moves
from discreet.tables.theory.lattice import Lattice


def lattice_of(margins: Margins) -> Lattice:
    return Lattice(margins.shape, tuple(margins.values))


@given(small_tables())
@settings(max_examples=60, deadline=None)
def test_equations_are_independent_and_say_all(case: tuple[Table, Margins]) -> None:
    table, margins = case
    lattice = lattice_of(margins)
    starts, cells = lattice.matrix
    rows = np.zeros((starts.size - 1, lattice.size))
    for i in range(starts.size - 1):
        rows[i, cells[starts[i] : starts[i + 1]]] = 1
    full = np.concatenate(
        [
            np.array([(np.indices(margins.shape)[list(g)].reshape(len(g), -1) == np.array(p)[:, None]).all(0) for p in
                      np.ndindex(*values.shape)])
            for g, values in margins.values.items()
        ]
    ).astype(float)  # fmt: skip
    rank = np.linalg.matrix_rank(rows)
    assert rank == len(rows) == np.linalg.matrix_rank(full) == np.linalg.matrix_rank(np.vstack([rows, full]))
    assert lattice.degrees_of_freedom == lattice.size - rank == lattice.free.size
    values = lattice.right_side({g: margins.values[g] for g in lattice.generators})
    assert np.array_equal(lattice.multiply(table.dense().reshape(-1)), values)


@given(small_tables())
@settings(max_examples=60, deadline=None)
def test_free_cells_determine_the_table(case: tuple[Table, Margins]) -> None:
    table, margins = case
    lattice = lattice_of(margins)
    x = table.dense().reshape(-1)
    side = lattice.right_side({g: margins.values[g] for g in lattice.generators})
    origin = lattice.complete(np.zeros(lattice.size, np.int64), side)
    assert np.array_equal(origin + lattice.coordinates @ x[lattice.free], x)
    assert np.array_equal(lattice.complete(x, side), x)


def test_what_is_borrowed_is_what_would_have_been_worked_out() -> None:
    shape = (3, 2, 4, 2)
    pairs = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    for before, after in ((pairs[:-1], pairs), (pairs, (*pairs, (0, 1, 2))), (pairs, (*pairs, (1, 2, 3)))):
        old, fresh, heir = Lattice(shape, before), Lattice(shape, after), Lattice(shape, after)
        assert old.matrix[0].size > 1
        basic_moves(old)
        heir.borrow(old)
        for mine, its in zip(heir.matrix, fresh.matrix, strict=True):
            assert np.array_equal(mine, its)
        for name in ("starts", "cells", "signs", "by_cell"):
            assert np.array_equal(getattr(basic_moves(heir), name), getattr(basic_moves(fresh), name))
