from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.tables import clique_separators, is_decomposable

from discreet.tables.theory.graph import (
    decompose,
    independence_graph,
    maximal_cliques,
    minimal_triangulation,
    reduce_generators,
)

sets = st.lists(st.sets(st.integers(0, 6), min_size=1, max_size=4), min_size=1, max_size=7)


def neighbors(variables: int, generators: list[set[int]]) -> list[set[int]]:
    return [{u for u in range(variables) if u != v and any({u, v} <= g for g in generators)} for v in range(variables)]


@given(sets)
@settings(max_examples=300, deadline=None)
def test_decomposable_as_by_grahams_reduction(generators: list[set[int]]) -> None:
    tree = decompose(7, generators)
    covered = set().union(*generators) == set(range(7))
    reduced = [set(g) for g in reduce_generators(generators)]
    assert (tree.decomposable and not tree.uncovered) == (is_decomposable(reduced) and covered)


@given(sets)
@settings(max_examples=300, deadline=None)
def test_atoms_have_no_released_separator_left(generators: list[set[int]]) -> None:
    tree = decompose(7, generators)
    for atom in tree.atoms:
        inside = [g & set(atom) for g in generators]
        position = {v: i for i, v in enumerate(atom)}
        moved = [{position[v] for v in g} for g in inside]
        released = [s for s in clique_separators(neighbors(len(atom), moved)) if any(s <= g for g in moved)]
        assert not released


@given(sets)
@settings(max_examples=200, deadline=None)
def test_atoms_cover_every_margin_and_run_into_one_another(generators: list[set[int]]) -> None:
    tree = decompose(7, generators)
    assert set().union(*map(set, tree.atoms)) == set(range(7))
    assert all(any(g <= set(atom) for atom in tree.atoms) for g in generators)
    seen = set(tree.atoms[0])
    for atom, separator, parent in zip(tree.atoms[1:], tree.separators[1:], tree.parents[1:]):
        assert set(atom) & seen == set(separator) <= set(tree.atoms[parent])
        assert not separator or any(set(separator) <= g for g in generators)
        seen |= set(atom)


@given(sets)
@settings(max_examples=200, deadline=None)
def test_triangulation_is_chordal_and_minimal_in_fill_for_chordal_graphs(generators: list[set[int]]) -> None:
    adjacent = independence_graph(7, generators)
    filled, order, chordal = minimal_triangulation(adjacent)
    place = {v: i for i, v in enumerate(order)}
    for v in order:
        later = [u for u in range(7) if filled[v] >> u & 1 and place[u] > place[v]]
        assert all(filled[a] >> b & 1 for a, b in combinations(later, 2))
    if all(len(c) <= 2 for c in maximal_cliques(adjacent)) and sum(m.bit_count() for m in adjacent) // 2 < 3:
        assert chordal


def test_the_seeds_example() -> None:
    first = decompose(6, [(1, 5), (0, 1, 2, 4), (0, 3, 4)])
    assert first.decomposable
    assert set(first.separators[1:]) == {(1,), (0, 4)}
    pairs = [(1, 5), (1, 2), (1, 4), (0, 1), (0, 2), (0, 4), (2, 4), (3, 4), (0, 3)]
    second = decompose(6, pairs)
    assert second.reducible
    assert not second.decomposable
    assert set(second.atoms) == {(1, 5), (0, 1, 2, 4), (0, 3, 4)}


def test_a_separator_that_is_not_released_is_not_used() -> None:
    # Two triangles of pairs share the edge 1-2, and the third side 0: {0, 1, 2} separates 3 from 4, none releases it.
    pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4)]
    tree = decompose(5, pairs)
    assert tree.unreleased == ((0, 1, 2),)
    assert tree.atoms == ((0, 1, 2, 3, 4),)


def test_maximal_cliques_of_a_cycle_and_its_chord() -> None:
    cycle = independence_graph(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    assert maximal_cliques(cycle) == [(0, 1), (0, 3), (1, 2), (2, 3)]
    assert maximal_cliques(independence_graph(4, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)])) == [(0, 1, 2), (0, 2, 3)]


@pytest.mark.parametrize("seed", range(3))
def test_two_hundred_variables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    generators = [tuple(rng.choice(200, 3, replace=False).tolist()) for _ in range(150)]
    tree = decompose(200, generators)
    assert sum(len(a) for a in tree.atoms) - sum(len(s) for s in tree.separators) == 200
