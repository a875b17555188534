"""The checker's search: a move it shows is a table, a bound it gives holds, and on small tables it misses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from verify.tabular.cases import written

from discreet.verify.tabular.moves import Hidden
from discreet.verify.tabular.problem import load
from discreet.verify.tabular.search import Search

CYCLE = [4, 5, 7, 8]
ENDS = {4: (-3, 2), 5: (-2, 3), 7: (-2, 3), 8: (-3, 2)}


@pytest.fixture
def view(tmp_path: Path) -> Hidden:
    return Hidden(load(written(tmp_path / "p.jj"), "the problem"), CYCLE)


@pytest.mark.parametrize("cell", CYCLE)
@pytest.mark.parametrize("side", [1, -1])
def test_every_end_is_reached_and_nothing_beyond(view: Hidden, cell: int, side: int) -> None:
    furthest = side * ENDS[cell][side > 0]
    for need in range(1, furthest + 1):
        search = Search(view, (view.low, view.high), None)
        move, _ = search.extreme(cell, side, need)
        assert move is not None and view.possible(move) and side * move[cell] >= need
    move, bound = Search(view, (view.low, view.high), None).extreme(cell, side, furthest + 1)
    assert move is None and bound is not None and side * bound == furthest


def test_large_values_are_moved_in_units(tmp_path: Path) -> None:
    values = [18 * 10**9, 5 * 10**9, 13 * 10**9, 8 * 10**9, 3 * 10**9, 5 * 10**9, 10 * 10**9, 2 * 10**9, 8 * 10**9]
    big = Hidden(load(written(tmp_path / "b.jj", values=values, upper=10**11), "the problem"), CYCLE)
    move, _ = Search(big, (big.low, big.high), None).extreme(4, 1, 1_999_999_999)
    assert move is not None and big.possible(move) and move[4] >= 1_999_999_999


def test_without_time_it_says_nothing(view: Hidden) -> None:
    assert Search(view, (view.low, view.high), 0.0).extreme(4, 1, 1) == (None, None)


def test_a_cell_that_cannot_move_is_not_asked(view: Hidden) -> None:
    assert Search(view, (view.low, view.high), None).extreme(0, 1, 1) == (None, None)
