"""The bound of a tree of weights: never above what the cheapest pattern costs, whatever the tree names."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.tabular.cuts import Rejected
from discreet.verify.tabular.problem import FREE, SECONDARY, Table
from discreet.verify.tabular.tree import Tree, reduced


def costs_only(cost: list[int], status: list[int] | None = None) -> Table:
    zeros, none = np.zeros(len(cost), np.int64), np.zeros(0, np.int64)
    kinds = np.array([FREE] * len(cost) if status is None else status, np.int64)
    start = np.zeros(1, np.int64)
    return Table(zeros, zeros, zeros, np.array(cost, np.int64), kinds, zeros, zeros, zeros, start, none, none, none, 0)


def cheapest(cost: list[int], rows: list[dict[int, Fraction]]) -> int | None:
    """The least cost of a pattern that meets every row, by trying all."""
    fits = [
        sum(c for c, x in zip(cost, pattern) if x)
        for pattern in product((0, 1), repeat=len(cost))
        if all(sum(a * pattern[i] for i, a in row.items()) >= 1 for row in rows)
    ]
    return min(fits, default=None)


@given(st.data())
def test_no_tree_proves_more_than_is_true(data: Any) -> None:
    n = data.draw(st.integers(1, 6))
    cost = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    share = st.fractions(0, 1, max_denominator=6)
    rows = data.draw(st.lists(st.dictionaries(st.integers(0, n - 1), share, min_size=1), min_size=1, max_size=5))
    least = cheapest(cost, rows)
    if least is None:
        return
    table = costs_only(cost)

    def proof() -> dict[str, Any]:
        weights = data.draw(st.lists(st.integers(0, 12), min_size=len(rows), max_size=len(rows)))
        return {"denominator": data.draw(st.integers(1, 4)), "duals": {str(k): w for k, w in enumerate(weights)}}

    proofs, nodes = [], []

    def grow(free: list[int]) -> int:
        number = len(nodes)
        nodes.append({})
        if free and len(nodes) < 12 and data.draw(st.booleans()):
            cell = data.draw(st.sampled_from(free))
            rest = [each for each in free if each != cell]
            nodes[number] = {"branch": cell, "zero": grow(rest), "one": grow(rest)}
        else:
            proofs.append(reduced(table, proof(), rows, []))
            nodes[number] = {"proof": len(proofs) - 1}
        return number

    grow(list(range(n)))
    assert Tree(table, nodes, proofs, least).least() <= least


def test_weights_branches_and_fixings_add_up() -> None:
    # Two of three cells of cost 2 must be hidden: x0 + x1 >= 1, x1 + x2 >= 1, x0 + x2 >= 1.
    rows: list[dict[int, Fraction]] = [{0: Fraction(1), 1: Fraction(1)}, {1: Fraction(1), 2: Fraction(1)}]
    rows.append({0: Fraction(1), 2: Fraction(1)})
    table = costs_only([2, 2, 2])
    even = reduced(table, {"denominator": 1, "duals": {"0": 1, "1": 1, "2": 1}}, rows, [])
    assert Tree(table, [{"proof": 0}], [even], 4).least() == 3, "half of each cell, and costs are whole"
    left = reduced(table, {"denominator": 1, "duals": {"0": 2, "2": 2}}, rows, [])  # without cell 0: 1 and 2
    right = reduced(table, {"denominator": 1, "duals": {"1": 2}}, rows, [])  # with cell 0: one of 1 and 2
    nodes = [{"branch": 0, "zero": 1, "one": 2}, {"proof": 0}, {"proof": 1}]
    assert Tree(table, nodes, [left, right], 4).least() == 4
    hidden = costs_only([2, 2, 2, 5], [FREE, FREE, FREE, SECONDARY])
    assert Tree(hidden, [{"proof": 0}], [reduced(hidden, {"denominator": 1, "duals": {}}, rows, [])], 9).least() == 5


def test_a_cell_is_fixed_only_where_its_other_value_is_too_dear() -> None:
    rows: list[dict[int, Fraction]] = [{0: Fraction(1), 1: Fraction(1)}]
    table = costs_only([9, 2])
    weights = reduced(table, {"denominator": 1, "duals": {"0": 2}}, rows, [])  # bound 2; with cell 0 hidden 9
    fixing = [{"proof": 0, "zero": [0], "then": 1}, {"proof": 0}]
    assert Tree(table, fixing, [weights], 3).least() == 2
    with pytest.raises(Rejected, match="does not prove to be fixed"):
        Tree(table, fixing, [weights], 10).least()
    with pytest.raises(Rejected, match="does not prove to be fixed"):
        Tree(table, [{"proof": 0, "one": [1], "then": 1}, {"proof": 0}], [weights], 3).least()


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([], "no nodes"),
        ([7], "a node is no object"),
        ([{"proof": 1}], "a proof that is not there"),
        ([{"proof": -1}], "not a whole number of 0 or more"),
        ([{"branch": 0, "zero": 1, "one": 1}, {"proof": 0}], "names a node twice"),
        ([{"branch": 0, "zero": 1}, {"proof": 0}], "not a whole number"),
        ([{"branch": 5, "zero": 1, "one": 2}, {"proof": 0}, {"proof": 0}], "not free"),
        ([{"branch": 0, "zero": 1, "one": 2}, {"branch": 0, "zero": 3, "one": 4}, *[{"proof": 0}] * 3], "not free"),
        ([{"proof": 0, "then": 0}], "names a node twice"),
    ],
)
def test_malformed_trees_are_rejected(nodes: Any, words: str) -> None:
    table = costs_only([1, 1])
    with pytest.raises(Rejected, match=words):
        Tree(table, nodes, [reduced(table, {"denominator": 1}, [], [])], 2).least()


def test_malformed_proofs_are_rejected() -> None:
    table, rows = costs_only([1, 1]), [{0: 1}]
    for proof, words in (
        ([], "no object"),
        ({"denominator": 0}, "1 or more"),
        ({"denominator": 1, "duals": {"0": -1}}, "below 0"),
        ({"denominator": 1, "duals": {"1": 1}}, "not there"),
        ({"denominator": 1, "duals": {"0": 0.5}}, "not a whole number"),
    ):
        with pytest.raises(Rejected, match=words):
            reduced(table, proof, rows, [])
