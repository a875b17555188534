"""Cells from records against a recount with dictionaries and fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.tabular.counting import Records, count_cells, with_empty
from discreet.tabular.hierarchy import flat_tree, tree_from_chains
from discreet.tabular.relations import relations_of
from discreet.tabular.weighting import place_weights, weighted
from tests.oracles.tabular import sums, tally

PARENTS = [{"n1": "north", "n2": "north", "s1": "south"}, {}, {}]
LEAVES = [["n1", "n2", "s1", "islands"], ["a", "b"], ["x", "y"]]
TREES = [
    tree_from_chains(
        [[leaf, *([PARENTS[0][leaf]] if leaf in PARENTS[0] else [])] for leaf in LEAVES[0]], name="region"
    ),
    flat_tree(LEAVES[1]),
    flat_tree(LEAVES[2]),
]
SUBSETS = [[[0, 1, 2]], [[0, 1], [0, 2]], [[0], [1], [2]], [[0, 1]]]

records = st.lists(
    st.tuples(
        st.sampled_from(LEAVES[0]),
        st.sampled_from(LEAVES[1]),
        st.sampled_from(LEAVES[2]),
        st.integers(-30, 500),
        st.integers(0, 4500),
        st.integers(-1, 5),
    ),
    min_size=1,
    max_size=25,
)


def leaves_of(rows: list[tuple]) -> np.ndarray:
    return np.array([[tree.number[row[v]] for v, tree in enumerate(TREES)] for row in rows], np.int32)


@given(records, st.sampled_from(SUBSETS), st.booleans(), st.booleans(), st.integers(1, 4))
def test_cells_are_what_a_recount_finds(
    rows: list[tuple], subsets: list[list[int]], holdings: bool, weights: bool, top: int
) -> None:
    value = np.array([row[3] for row in rows], np.int64)
    weight = np.array([row[4] for row in rows], np.int64)
    holding = np.array([row[5] for row in rows], np.int64)
    ones = np.ones(len(rows), np.int64)
    owner = holding if holdings else None
    if weights:  # weights in thousandths
        amount, count = weighted(value, 0, weight, 3), weighted(ones, 0, weight, 3)
        places, unit = place_weights(weight, 3)
        given_records = Records(leaves_of(rows), amount.amount, count.amount, value * 1000, owner, places, unit)
        scale = Fraction(1, 1000)
    else:
        given_records = Records(leaves_of(rows), value, ones, value, owner)
        scale = Fraction(1)
    found = count_cells(given_records, TREES, subsets, top)
    entries = [
        (
            Fraction(row[3]),
            Fraction(row[4], 1000) if weights else Fraction(1),
            str(row[5]) if row[5] >= 0 else f"own {i}",
        )
        for i, row in enumerate(rows)
    ]
    expected = tally([row[:3] for row in rows], entries, PARENTS, subsets)
    names = [tuple(tree.labels[c] for tree, c in zip(TREES, codes)) for codes in found.grid.codes]
    assert sorted(names) == sorted(expected)
    for i, name in enumerate(names):
        cell = expected[name]
        assert found.amount[i] * scale == cell.total
        assert found.counts[i] * scale == cell.count
        assert found.contributors.records[i] == len(cell.entries)
        assert found.contributors.number[i] == len(cell.contributions(holdings))
        assert found.contributors.magnitude[i] * scale == cell.magnitude(holdings)
        assert [one * scale for one in found.contributors.top[i].tolist()] == cell.largest(
            top, holdings, scale, least=1
        )


@given(records, st.sampled_from(SUBSETS), st.booleans())
def test_parts_are_what_each_holding_adds_up_to_in_innermost_cells(
    rows: list[tuple], subsets: list[list[int]], empty: bool
) -> None:
    value, holding = (np.array([row[at] for row in rows], np.int64) for at in (3, 5))
    found = count_cells(Records(leaves_of(rows), value, value * 0 + 1, value, holding), TREES, subsets)
    if empty:
        found = with_empty(found, subsets)
    expected: dict[tuple, int] = {}
    for i, row in enumerate(rows):
        who = f"{row[5]}" if row[5] >= 0 else f"own {i}"
        for subset in subsets:
            cell = tuple(row[v] if v in subset else "Total" for v in range(3))
            expected.setdefault((cell, who), 0)
            expected[cell, who] += row[3]
    parts = found.contributors.parts
    assert parts is not None and found.contributors.who is not None
    names = [tuple(tree.labels[c] for tree, c in zip(TREES, codes)) for codes in found.grid.codes]
    listed = [(names[cell], amount) for cell, amount in zip(parts.cell.tolist(), parts.amount.tolist())]
    assert sorted(listed) == sorted((cell, abs(much)) for (cell, _), much in expected.items() if much)
    assert len({*zip(parts.cell.tolist(), parts.who.tolist())}) == parts.cell.size
    for cell, who, amount in zip(*(column.tolist() for column in parts)):
        at = np.flatnonzero(found.contributors.who[cell] == who)
        assert not at.size or found.contributors.top[cell, at[0]] == amount


def test_too_many_parts_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("n1", "a", "x", 5, 0, at) for at in range(4)]
    given_records = Records(leaves_of(rows), *(np.full(4, 5, np.int64),) * 3, np.arange(4))
    monkeypatch.setattr("discreet.tabular.counting.MOST_PARTS", 4)
    assert count_cells(given_records, TREES, [[0, 1]]).contributors.parts is not None
    monkeypatch.setattr("discreet.tabular.counting.MOST_PARTS", 3)
    found = count_cells(given_records, TREES, [[0, 1]]).contributors
    assert found.parts is None and found.who is not None


@given(records, st.sampled_from(SUBSETS))
def test_relations_are_all_sums_and_hold(rows: list[tuple], subsets: list[list[int]]) -> None:
    value = np.array([row[3] for row in rows], np.int64)
    found = count_cells(Records(leaves_of(rows), value, value * 0 + 1, value), TREES, subsets)
    relations = relations_of(found.grid)
    assert not relations.residuals(found.amount).any()
    names = [tuple(tree.labels[c] for tree, c in zip(TREES, codes)) for codes in found.grid.codes]
    listed = set()
    for r in range(relations.n):
        span = slice(int(relations.start[r]), int(relations.start[r + 1]))
        signs, cells = relations.sign[span].tolist(), [names[c] for c in relations.cell[span]]
        assert signs == [-1] + [1] * (len(cells) - 1)
        listed.add((cells[0], frozenset(cells[1:])))
    assert len(listed) == relations.n
    assert listed == sums(names, PARENTS)


def test_empty_cells_are_zero_and_the_rest_stays() -> None:
    rows = [("n1", "a", "x", 5, 0, 0), ("s1", "b", "x", 7, 0, 0)]
    value = np.array([5, 7], np.int64)
    found = count_cells(Records(leaves_of(rows), value, value * 0 + 1, value), TREES, [[0, 1]])
    every = with_empty(found, [[0, 1]])
    assert every.grid.keys.size == 7 * 3
    assert every.amount.sum() == found.amount.sum()
    at = np.searchsorted(every.grid.keys, found.grid.keys)
    assert np.array_equal(every.contributors.top[at], found.contributors.top)
    assert not relations_of(every.grid).residuals(every.amount).any()


def test_sums_that_would_overflow_are_refused() -> None:
    value = np.array([1 << 60] * 3, np.int64)
    rows = [("n1", "a", "x", 0, 0, 0)] * 3
    with pytest.raises(InputError, match="smallest unit"):
        count_cells(Records(leaves_of(rows), value, value * 0 + 1, value), TREES, [[0]])


def test_the_manual_example_of_weights() -> None:
    """100 (weight 4) and 10 (weight 7): total 470, the two largest are 100 and 100."""
    value, weight = np.array([10, 100], np.int64), np.array([7, 4], np.int64)
    amount = weighted(value, 0, weight, 0).amount
    places, unit = place_weights(weight, 0)
    rows = [("n1", "a", "x", 0, 0, 0)] * 2
    found = count_cells(Records(leaves_of(rows), amount, weight, value, None, places, unit), TREES, [[0]], 5)
    assert found.amount.tolist() == [470] * 3
    assert found.contributors.top[0].tolist() == [100, 100, 100, 100, 10]
