"""Who stands around a cell, against a plain look at everyone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numba import njit

from discreet.tables.sharpen.persons import NEAREST, Around, People, free_of_both, look, nearest, people_of
from discreet.tables.table import Ints
from discreet.tables.theory.graph import reduce_generators
from discreet.tables.theory.lattice import Lattice


@njit
def _around(x: Ints, hole: int, goal: int, people: People, around: Around) -> tuple[int, int, int]:
    count, near = look(x, hole, goal, people, around)
    return count, near, nearest(x, hole, people)


@njit
def _both(people: People, first: int, second: int) -> int:
    return free_of_both(people, first, second)


@pytest.mark.parametrize("shape", [(2,) * 6, (3, 2, 1, 4, 2)])
def test_sets_what_is_free_beside_them_and_who_is_near(shape: tuple[int, ...]) -> None:
    rng, last = np.random.default_rng(1), len(shape) - 1
    x = rng.poisson(0.4, shape).reshape(-1)
    faces = list(combinations(range(len(shape)), 3))
    chosen = [faces[i] for i in rng.choice(len(faces), 3, replace=False)]
    lattice = Lattice(shape, reduce_generators(tuple(chosen)))
    cells = np.flatnonzero(x)
    people = people_of(lattice.shape, lattice.strides, lattice.generators, cells)
    assert people.binary == (set(shape) == {2})
    wide = {a for a, size in enumerate(shape) if size > 1}

    def free(*sets: set[int]) -> set[int]:
        met = [set(m) for m in lattice.generators if all(set(m) & one for one in sets)]
        return wide - set().union(*sets, *met)

    def mask(axes: set[int]) -> int:
        return sum(1 << (last - a) for a in axes)

    for hole in rng.choice(x.size, 12):
        around = Around(*(np.zeros(max(cells.size, NEAREST), np.int64) for _ in range(5)))
        goal = int(cells[0])
        count, near, least = _around(x, int(hole), goal, people, around)
        here, sets = np.unravel_index(hole, shape), {}
        for i, cell in enumerate(cells):
            there = np.unravel_index(cell, shape)
            sets[i] = {a for a in range(len(shape)) if here[a] != there[a]}
        seen = {i: one for i, one in sets.items() if cells[i] != goal}
        assert {i: int(around.sets[i]) for i in seen} == {i: mask(one) for i, one in seen.items()}
        assert set(around.chosen[:count].tolist()) == {i for i, one in seen.items() if one and free(one)}
        assert all(around.free[i] == mask(free(seen[i])) for i in around.chosen[:count])
        assert least == min(map(len, sets.values()))
        sizes = sorted(len(one) for one in seen.values() if one)
        assert sorted(len(seen[i]) for i in around.near[:near].tolist()) == sizes[:NEAREST]
        for i, j in combinations(list(seen)[:6], 2):
            assert _both(people, mask(sets[i]), mask(sets[j])) == mask(free(sets[i], sets[j]))
