"""Tables brought to one margin more: compared with sums over the whole array."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from oracles.table_cases import random_table
from oracles.tables import margin_of

from discreet.tables.theory.lattice import Lattice
from discreet.tables.theory.margin_moves import lift_table, margin_moves, new_faces


@pytest.mark.parametrize("seed", range(20))
def test_a_lifted_table_has_the_old_and_the_new_margins(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1 if seed % 5 == 0 else 2, 4, 4).tolist())
    first, second = random_table(seed, shape, 4.0), random_table(seed + 100, shape, 4.0)
    old = [(0, 1), (1, 2), (2, 3)]
    new = [*old, tuple(sorted(rng.choice(4, int(rng.integers(2, 4)), replace=False).tolist()))]
    # A table with the old margins of the first, far from its others: what is left of the second goes where it fits.
    lattice = Lattice(shape, tuple(old))
    margins = {g: margin_of(first.dense(), g) for g in lattice.generators}
    x = lattice.complete(second.dense().reshape(-1), lattice.right_side(margins))
    larger = Lattice(shape, tuple(new))
    wanted = {g: margin_of(first.dense(), g) for g in larger.generators}
    lift = margin_moves(larger, lattice, wanted)
    low, high = np.zeros(x.size, np.int64), np.full(x.size, first.total)
    lift_table(x, low, high, lift)
    for g, values in wanted.items():
        assert np.array_equal(margin_of(x.reshape(shape), g), values)


def test_moves_stay_inside_the_bounds_where_they_can() -> None:
    lattice = Lattice((2, 2, 2), ((0, 1), (1, 2)))
    larger = Lattice((2, 2, 2), ((0, 1), (1, 2), (0, 2)))
    x = np.full(8, 5)
    wanted = {g: margin_of(x.reshape(2, 2, 2), g) for g in larger.generators}
    wanted[0, 2] = np.array([[11, 9], [9, 11]])
    low, high = np.zeros(8, np.int64), np.full(8, 20)
    low[0] = high[0] = 5
    lift = margin_moves(larger, lattice, wanted)
    lift_table(x, low, high, lift)
    assert x[0] == 5
    assert np.array_equal(margin_of(x.reshape(2, 2, 2), (0, 2)), wanted[0, 2])
    assert ((x >= low) & (x <= high)).all()


@pytest.mark.parametrize("seed", range(20))
def test_faces_that_no_known_margin_has(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sets = [sorted(rng.choice(6, int(rng.integers(1, 6)), replace=False).tolist()) for _ in range(5)]
    margin, known = sets[0], sets[1 : int(rng.integers(1, 6))]
    wanted = [
        sum(1 << a for a in face)
        for size in range(1, len(margin) + 1)
        for face in combinations(margin, size)
        if not any(set(face) <= set(g) for g in known)
    ]
    masks = np.array([sum(1 << a for a in g) for g in known], np.int64)
    assert new_faces(np.array(margin), masks).tolist() == wanted
