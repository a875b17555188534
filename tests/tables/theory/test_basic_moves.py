from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from oracles.table_cases import all_ways, random_table, small_tables
from oracles.tables import margin_of

from discreet.errors import InputError
from discreet.tables.draw.sampling import RandomWalk
from discreet.tables.table import Margins, Table
from discreet.tables.theory.basic_moves import basic_moves
from discreet.tables.theory.lattice import Lattice


def lattice_of(margins: Margins) -> Lattice:
    return Lattice(margins.shape, tuple(margins.values))


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
    monkeypatch.setattr("discreet.tables.theory.basic_moves.ENTRY_LIMIT", whole.cells.size // 2)
    some = basic_moves(lattice)
    assert some.partial
    assert 0 < some.count < whole.count
    x = table.dense().reshape(-1)
    with pytest.raises(InputError, match="too many moves"):
        RandomWalk(lattice, x, np.zeros_like(x), x + 9, 1)
