"""Moves of hidden cells: what is possible, what relations narrow, and what multipliers prove, against all tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verify.tabular.cases import ROWS, VALUES, written

from discreet.verify.tabular.moves import Hidden
from discreet.verify.tabular.problem import Table, load

CYCLE = [4, 5, 7, 8]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    values = [18, 5, 13, 8, 3, 5, 10, 2, 8]
    return load(written(tmp_path_factory.mktemp("p") / "p.jj", values=values, upper=18), "the problem")


def all_moves(hidden: list[int]) -> Iterator[dict[int, int]]:
    """Every table that agrees with what is published, as changes of the hidden cells."""
    inner = [c for c in hidden if c in CYCLE]
    for changes in product(*(range(-VALUES[c], 18 - VALUES[c] + 1) for c in inner)):
        move = dict(zip(inner, changes))
        for row, column in ((3, (4, 5)), (6, (7, 8))):
            if row in hidden:
                move[row] = move[column[0]] + move[column[1]]
        if all(0 <= VALUES[c] + change <= 18 for c, change in move.items()) and all(
            sum(sign * move.get(cell, 0) for cell, sign in row) == 0 for row in ROWS
        ):
            yield move


def test_possible_moves_are_those_of_all_tables(table: Table) -> None:
    view = Hidden(table, CYCLE)
    possible = list(all_moves(CYCLE))
    assert len(possible) == 6, "the cycle turns from -3 to 2"
    assert all(view.possible(move) for move in possible)
    for move in possible:
        for cell in CYCLE:
            assert not view.possible({**move, cell: move[cell] + 1})


def test_a_part_of_a_move_may_be_a_fraction(table: Table) -> None:
    view = Hidden(table, CYCLE)
    half = {4: 1, 5: -1, 7: -1, 8: 1}
    assert view.possible(half, 2) and not view.possible({4: 5, 5: -5, 7: -5, 8: 5}, 2)
    assert not view.possible(half, 0)


def test_what_is_published_or_known_does_not_move(table: Table) -> None:
    assert not Hidden(table, CYCLE).possible({0: 1})
    assert Hidden(table, CYCLE, known=[5]).cells == [4, 7, 8]
    assert not Hidden(table, CYCLE, known=[5]).possible({4: 1, 5: -1, 7: -1, 8: 1})


def test_narrowed_boxes_hold_every_table(table: Table) -> None:
    hidden = [3, 4, 5, 6, 7, 8]
    low, high = Hidden(table, hidden).narrowed()
    for move in all_moves(hidden):
        assert all(low[c] <= move[c] <= high[c] for c in hidden)
    exact_low, exact_high = Hidden(table, CYCLE).narrowed()
    assert [(exact_low[c], exact_high[c]) for c in CYCLE] == [(-3, 2), (-2, 3), (-2, 3), (-3, 2)]


TURNS = list(all_moves(CYCLE))


@given(
    st.sampled_from(CYCLE),
    st.sampled_from([1, -1]),
    st.integers(1, 4),
    st.dictionaries(st.integers(0, len(ROWS) - 1), st.integers(-5, 5)),
)
def test_whatever_the_multipliers_no_table_is_beyond_the_bound(
    table: Table, cell: int, side: int, denominator: int, multipliers: dict[int, int]
) -> None:
    view = Hidden(table, CYCLE)
    bound = view.bound(cell, side, denominator, multipliers, (view.low, view.high))
    assert all(side * move[cell] <= side * bound for move in TURNS)


def test_the_right_multipliers_prove_the_end(table: Table) -> None:
    view = Hidden(table, CYCLE)
    # What 4 gains, 7 gives (relation 1), and 7 is 2.
    assert view.bound(4, 1, 1, {1: 1}, (view.low, view.high)) == 2
    with pytest.raises(ValueError):  # noqa: PT011
        view.bound(4, 1, 0, {}, (view.low, view.high))
