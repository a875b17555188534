"""Group moves leave every margin alone, and basic moves are among them."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from discreet.kernels.randoms import seeded
from discreet.tables.theory.graph import Axes
from discreet.tables.theory.group_moves import MOST_GROUPS, GroupMoves, group_moves
from discreet.tables.theory.lattice import Lattice

CASES: list[tuple[tuple[int, ...], tuple[Axes, ...]]] = [
    ((2,) * 4, ((0, 1), (1, 2), (2, 3), (0, 3))),
    ((3, 2, 2, 4), ((0, 1, 2), (2, 3))),
    ((2,) * 6, tuple(combinations(range(6), 2))),
    ((2, 1, 3, 2), ((0,), (2, 3))),
]


def groups_of(moves: GroupMoves) -> list[list[Axes]]:
    return [
        [tuple(a for a in range(20) if int(mask) >> a & 1) for mask in moves.masks[first:last]]
        for first, last in zip(moves.starts, moves.starts[1:])
    ]


@pytest.mark.parametrize(("shape", "margins"), CASES)
def test_no_margin_notices(shape: tuple[int, ...], margins: tuple[Axes, ...]) -> None:
    """Each move at a random cell, corner by corner, as its definition says."""
    moves = groups_of(group_moves(Lattice(shape, margins), 60, seeded(1)))
    random = np.random.default_rng(1)
    assert len(moves) == len({tuple(sorted(move)) for move in moves}) > 1
    for groups in moves:
        assert 1 <= len(groups) <= MOST_GROUPS
        axes = [a for group in groups for a in group]
        assert len(set(axes)) == len(axes)
        cell = [int(random.integers(size)) for size in shape]
        other = [(level + 1) % size for level, size in zip(cell, shape)]
        assert all(shape[a] > 1 for a in axes)
        change = np.zeros(shape, np.int64)
        for chosen in product((False, True), repeat=len(groups)):
            flipped = {a for group, turned in zip(groups, chosen) if turned for a in group}
            change[tuple(other[a] if a in flipped else cell[a] for a in range(len(shape)))] += (-1) ** sum(chosen)
        assert change[tuple(cell)] == 1
        for margin in margins:
            assert not change.sum(axis=tuple(a for a in range(len(shape)) if a not in margin)).any()


def test_basic_moves_come_with_the_others() -> None:
    lattice = Lattice((2,) * 6, tuple((a, (a + 1) % 6) for a in range(6)))
    moves = groups_of(group_moves(lattice, 200, seeded(1)))
    assert {tuple(sorted((a,) for a in face)) for face in lattice.nonfaces} <= {tuple(sorted(move)) for move in moves}
    assert any(len(group) > 1 for move in moves for group in move)
    assert [len(move) for move in moves] == sorted(len(move) for move in moves)


def test_there_are_none_where_the_table_is_released() -> None:
    assert not group_moves(Lattice((2, 3), ((0, 1),)), 10, seeded(1)).masks.size
