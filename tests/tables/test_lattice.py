from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import margin_of

from discreet.errors import InputError
from discreet.tables.lattice import Lattice
from discreet.tables.moves import basic_moves
from discreet.tables.sampling import Walk
from discreet.tables.table import Margins, Table


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


@given(small_tables())
@settings(max_examples=60, deadline=None)
def test_basic_moves_keep_the_margins_and_span(case: tuple[Table, Margins]) -> None:
    _, margins = case
    lattice = lattice_of(margins)
    moves = basic_moves(lattice)
    rows = np.zeros((moves.count, lattice.size))
    for m in range(moves.count):
        part = slice(moves.starts[m], moves.starts[m + 1])
        rows[m, moves.cells[part]] += moves.signs[part]
        for axes in margins.values:
            assert not margin_of(rows[m].reshape(margins.shape), axes).any()
    rank = np.linalg.matrix_rank(rows) if moves.count else 0
    assert rank == lattice.degrees_of_freedom
    for c in range(lattice.size):
        through = moves.by_cell[moves.cell_starts[c] : moves.cell_starts[c + 1]]
        assert (moves.cells[through] == c).all()
        assert len(set(moves.move_of[through].tolist())) == int((rows[:, c] != 0).sum())


def test_too_many_moves_are_listed_in_part_and_never_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    table = random_table(1, (2, 2, 2, 2), 6.0)
    lattice = Lattice(table.shape, tuple(all_ways(table, 2).values))
    whole = basic_moves(lattice)
    assert not whole.partial
    monkeypatch.setattr("discreet.tables.moves.ENTRY_LIMIT", whole.cells.size // 2)
    some = basic_moves(lattice)
    assert some.partial
    assert 0 < some.count < whole.count
    x = table.dense().reshape(-1)
    with pytest.raises(InputError, match="too many moves"):
        Walk(lattice, x, np.zeros_like(x), x + 9, 1)


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
