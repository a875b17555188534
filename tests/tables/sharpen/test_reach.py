"""Counts met on a walk by group moves, against the list of all tables."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import all_tables, consistent

from discreet.tables.sharpen.reach import GroupWalk
from discreet.tables.theory.graph import Axes, reduce_generators
from discreet.tables.theory.lattice import Lattice

SHAPES = st.sampled_from([(2, 2, 2), (3, 2, 2), (4, 3), (2, 1, 3)])


@given(st.data(), SHAPES, st.integers(1, 3))
@settings(max_examples=150)
def test_what_is_met_is_possible_and_nearly_all_that_is_possible_is_met(
    data: st.DataObject, shape: tuple[int, ...], width: int
) -> None:
    k, size = len(shape), int(np.prod(shape))
    counts = np.array(data.draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=size, max_size=size)))
    while counts.sum() > 6:
        counts[np.argmax(counts)] -= 1
    faces = [axes for r in range(1, k + 1) for axes in combinations(range(k), r)]
    margins = data.draw(st.lists(st.sampled_from(faces), min_size=1, max_size=3, unique=True))
    lattice = Lattice(shape, reduce_generators(tuple(margins)))
    walk = GroupWalk(lattice, counts, 100)
    low, high = counts.copy(), counts.copy()
    assert walk.reach(np.arange(size), width, low, high, 20_000, 10_000_000) == size
    fibre = consistent(all_tables(shape, int(counts.sum())), shape, counts, margins)
    least, most = fibre.min(axis=0), fibre.max(axis=0)
    assert (low >= least).all()
    assert (high <= most).all()
    assert (fibre == walk.x).all(axis=1).any()
    # On so small tables the search finds what there is, though it need not.
    assert ((high - low >= width) == (most - least >= width)).all()


def test_the_same_walk_again() -> None:
    counts = np.random.default_rng(3).poisson(0.7, 2**10)
    margins: tuple[Axes, ...] = tuple((a, (a + 1) % 10) for a in range(10))
    lattice = Lattice((2,) * 10, reduce_generators(margins))
    found = []
    for _ in range(2):
        walk = GroupWalk(lattice, counts, 300)
        low, high = counts.copy(), counts.copy()
        cells = np.arange(counts.size)
        while cells.size:
            cells = cells[walk.reach(cells, 3, low, high, 5_000, 50_000) :]
        found.append((walk.x, low, high))
    for first, second in zip(*found):
        assert (first == second).all()
    assert np.mean(found[0][2] - found[0][1] >= 3) > 0.95
    cube = (2,) * 10
    for axes in lattice.generators:
        drop = tuple(a for a in range(10) if a not in axes)
        assert (walk.x.reshape(cube).sum(axis=drop) == counts.reshape(cube).sum(axis=drop)).all()


def test_nothing_to_reach_where_all_is_released() -> None:
    counts = np.array([1, 2, 3, 4])
    walk = GroupWalk(Lattice((2, 2), ((0, 1),)), counts, 10)
    low, high = counts.copy(), counts.copy()
    assert walk.reach(np.arange(4), 1, low, high, 100, 100) == 4
    assert (low == counts).all()
    assert (high == counts).all()
