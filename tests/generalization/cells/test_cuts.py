"""Cells of the space of values: every cut is clean, boxes stay inside, blocks are neither too small nor lost."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization_domains import random_domain

from discreet.generalization import domain as domains
from discreet.generalization.cells.cuts import Cells, Split, cells, cells_from, merged
from discreet.generalization.domain import INTERVAL, TREE, Domain


def gaps_of(domain: Domain) -> list[int]:
    """The code of a missing value in each attribute of intervals."""
    found = []
    for attribute in domain.attributes:
        missing = (
            attribute.kind == INTERVAL and attribute.position is not None and np.isnan(attribute.position[-1:]).any()
        )
        found.append(attribute.size - 1 if missing else -1)
    return found


def walked(tree: Cells, codes: np.ndarray) -> list[int]:
    """The leaf of each record, one at a time, by the definition of a cut."""
    found = []
    for record in codes.tolist():
        node = 0 if tree.cuts else -1
        while node >= 0:
            cut = tree.cuts[node]
            value = record[cut.attribute]
            near = value <= cut.most if cut.among is None else value in cut.among
            node = cut.near if near else cut.far
        found.append(-1 - node)
    return found


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 300), seed=st.integers(0, 10**6), missing=st.booleans(), largest=st.integers(2, 60))
def test_cells_part_values_and_never_equal_records(n: int, seed: int, missing: bool, largest: int) -> None:
    domain = random_domain(n, seed, missing=missing)
    tree = cells(domain.tables, domain.codes, largest, gaps_of(domain))
    leaf = tree.leaves(domain.codes)
    assert leaf.tolist() == walked(tree, domain.codes)
    assert cells_from(json.loads(json.dumps(tree.to_dict()))) == tree
    of_tuple: dict[tuple[int, ...], int] = {}
    for record, at in zip(domain.codes.tolist(), leaf.tolist()):
        assert of_tuple.setdefault(tuple(record), at) == at
    cell = tree.of(domain.codes)
    assert cell.max(initial=0) < tree.count
    for at, runs in enumerate(tree.runs):
        inside = domain.codes[leaf == at]
        if runs > 1:
            assert len(np.unique(inside, axis=0)) == 1
        else:
            assert len(inside) <= largest
    assert np.bincount(cell, minlength=1).max() <= max(largest, 1)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_no_box_of_numbers_and_gaps_lies_across_a_cut(seed: int) -> None:
    """Below a cut of numbers nobody lacks the number, so no box becomes * there."""
    domain = random_domain(300, seed, missing=True)
    gaps = gaps_of(domain)
    tree = cells(domain.tables, domain.codes, 40, gaps)
    leaf = tree.leaves(domain.codes)

    def below(node: int) -> set[int]:
        if node < 0:
            return {-1 - node}
        return below(tree.cuts[node].near) | below(tree.cuts[node].far)

    for node, cut in enumerate(tree.cuts):
        gap = gaps[cut.attribute]
        if gap >= 0 and cut.most != gap - 1:
            inside = np.isin(leaf, list(below(node)))
            assert not (domain.codes[inside, cut.attribute] == gap).any()


def test_hierarchies_are_cut_only_where_nothing_else_can_be() -> None:
    domain = random_domain(400, 3)
    tree = cells(domain.tables, domain.codes, 50, gaps_of(domain))
    assert all(domain.tables.kind[cut.attribute] != TREE for cut in tree.cuts)
    alone = domains.domain([domain.attributes[4]])
    assert cells(alone.tables, alone.codes, 100, [-1]).cuts


def test_records_that_nothing_tells_apart_are_dealt_in_turn() -> None:
    codes = np.zeros((10, 1), np.int32)
    same = domains.domain([domains.categorical("x", codes[:, 0], 2)])
    tree = cells(same.tables, same.codes, 4, [-1])
    assert tree == Cells((), (3,))
    assert np.bincount(tree.of(codes)).tolist() == [4, 3, 3]


def test_small_cells_join_the_next_and_the_last_the_one_before() -> None:
    cut = Split(0, 0, None, -1, -2)
    tree = Cells((cut,), (1, 1, 1, 1, 1))
    assert merged(tree, np.array([3, 9, 0, 8, 2]), 5) == [[0, 1], [3, 4]]
    assert merged(tree, np.array([1, 0, 0, 1, 0]), 5) == [[0, 3]]
    assert merged(tree, np.array([9, 9, 9, 9, 9]), 5) == [[0], [1], [2], [3], [4]]
