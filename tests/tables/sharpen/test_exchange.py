"""Counts met by exchanges of persons, against the list of all tables."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import all_tables, consistent

from discreet.tables.bounds import chosen_cells
from discreet.tables.bounds.chosen_cells import judge_widths, many_tables
from discreet.tables.sharpen.exchange import Exchange
from discreet.tables.table import Ints, Table
from discreet.tables.theory.graph import Axes, reduce_generators
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline

SHAPES = st.sampled_from([(2, 2, 2), (3, 2, 2), (4, 3), (2, 1, 3), (2, 2, 2, 2)])


def _met(shape: tuple[int, ...], margins: list[Axes], counts: Ints, width: int) -> tuple[Ints, Ints]:
    lattice = Lattice(shape, reduce_generators(tuple(margins)))
    low, high = counts.copy(), counts.copy()
    people = Exchange(lattice, counts)
    done = people.reach(np.arange(counts.size), width, low, high, 20_000, 10_000_000)
    assert done == (counts.size if counts.any() else 0)
    return low, high


@given(st.data(), SHAPES, st.integers(1, 3))
@settings(max_examples=60)
def test_what_is_met_is_possible_and_some_of_what_is_possible_is_met(
    data: st.DataObject, shape: tuple[int, ...], width: int
) -> None:
    size = int(np.prod(shape))
    counts = np.array(data.draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=size, max_size=size)))
    while counts.sum() > 5:
        counts[np.argmax(counts)] -= 1
    faces = [axes for r in range(1, len(shape) + 1) for axes in combinations(range(len(shape)), r)]
    margins = data.draw(st.lists(st.sampled_from(faces), min_size=1, max_size=4, unique=True))
    low, high = _met(shape, margins, counts, width)
    fibre = consistent(all_tables(shape, int(counts.sum())), shape, counts, margins)
    assert (low >= fibre.min(axis=0)).all()
    assert (high <= fibre.max(axis=0)).all()
    if len({a for axes in margins for a in axes}) < len(shape):
        return  # of a variable that no margin has, a person is moved without another
    # One exchange of two persons is always found, at the cells that they leave and at those that they come to.
    for other in fibre:
        change = other - counts
        if np.abs(change).sum() == 4 and change.max() == 1 and change.min() == -1:
            moved = change != 0
            assert (high - low)[moved].all()


def test_a_cube_of_triples_needs_exchanges_of_four() -> None:
    """All pairs of three variables are known: nobody can exchange by two."""
    counts = np.array([1, 0, 0, 1, 0, 1, 1, 0])
    low, high = _met((2, 2, 2), [(0, 1), (0, 2), (1, 2)], counts, 1)
    assert (low == 0).all()
    assert (high == 1).all()


def test_the_same_again_and_the_table_stays() -> None:
    counts = np.random.default_rng(3).poisson(0.1, 2**10)
    lattice = Lattice((2,) * 10, reduce_generators(tuple((a, (a + 1) % 10) for a in range(10))))
    found = []
    for _ in range(2):
        people = Exchange(lattice, counts)
        low, high = counts.copy(), counts.copy()
        cells = np.arange(counts.size)
        while cells.size:
            cells = cells[people.reach(cells, 2, low, high, 5_000, 50_000) :]
        found.append((low, high))
        assert (people._x == counts).all()
    assert all((first == second).all() for first, second in zip(*found))
    assert np.mean(found[0][1] - found[0][0] >= 2) > 0.95


def test_sparse_tables_are_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where moves at random leave cells open, exchanges close them."""
    rng = np.random.default_rng(5)
    persons = rng.random((300, 11)) < rng.beta(1.2, 2.0, (3, 11))[rng.integers(3, size=300)]
    flat = np.ravel_multi_index(tuple(persons.T.astype(int)), (2,) * 11)
    counts = np.bincount(flat, minlength=2**11)
    table = Table.from_array(counts.reshape((2,) * 11))
    triples = list(combinations(range(11), 3))
    public = [triples[i] for i in rng.choice(len(triples), 9, replace=False)]
    cells = np.flatnonzero((counts >= 1) & (counts <= 2))

    def left() -> int:
        made = judge_widths(table, public, cells, 3, {}, Deadline(60.0))
        assert not made.narrow.any()
        return int((~made.wide).sum())

    after = left()
    monkeypatch.setattr(chosen_cells, "EXCHANGED_CELLS", 0)
    monkeypatch.setattr(chosen_cells, "SEARCH_LIMIT", 1)
    monkeypatch.setattr(chosen_cells, "AGAIN", 0)
    assert after < left()
    assert after == 0


@given(st.data(), st.sampled_from([(2, 2, 2), (3, 2, 2), (4, 3)]))
@settings(max_examples=60)
def test_exchanges_without_a_common_cell_are_no_more_than_there_are_tables(
    data: st.DataObject, shape: tuple[int, ...]
) -> None:
    size = int(np.prod(shape))
    counts = np.array(data.draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=size, max_size=size)))
    while counts.sum() > 6:
        counts[np.argmax(counts)] -= 1
    faces = [axes for r in range(1, len(shape) + 1) for axes in combinations(range(len(shape)), r)]
    margins = data.draw(st.lists(st.sampled_from(faces), min_size=1, max_size=3, unique=True))
    fibre = consistent(all_tables(shape, int(counts.sum())), shape, counts, margins)
    found = Exchange(Lattice(shape, reduce_generators(tuple(margins))), counts).apart(10)
    assert 2**found <= len(fibre)
    assert many_tables(Table.from_array(counts.reshape(shape)), margins, len(fibre) + 1) is False


def test_a_large_table_has_many_others() -> None:
    table = Table.from_array(np.random.default_rng(1).poisson(1.0, (2,) * 13))
    ring = [(a, (a + 1) % 13) for a in range(13)]
    assert many_tables(table, ring, 2**40)
    assert not many_tables(table, [tuple(range(13))], 2)
