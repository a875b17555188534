"""Linked tables are one table: it is the table that records give at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import InputError
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.linking import in_ring, linked
from discreet.tabular.problem import FIXED, FREE, PRIMARY, SECONDARY, Cells
from tests.tabular.test_relations import listed


def named(table: AdditiveTable) -> dict[tuple[tuple[str, str], ...], tuple[int, ...]]:
    """What the table says of each cell, by the labels that are no totals."""
    cells, contributors = table.problem.cells, table.contributors
    assert contributors is not None
    out = {}
    for i in range(table.cells):
        key = tuple(sorted((v, c) for v, c in zip(table.variables, table.labels(i)) if c != "Total"))
        out[key] = (*(int(column[i]) for column in cells), int(contributors.number[i]), *contributors.top[i].tolist())
    return out


def sums(table: AdditiveTable) -> set[frozenset[tuple[tuple[tuple[str, str], ...], int]]]:
    keys = [
        tuple(sorted((v, c) for v, c in zip(table.variables, table.labels(i)) if c != "Total"))
        for i in range(table.cells)
    ]
    return {frozenset((keys[c], sign) for c, sign in row) for _, row in listed(table.problem.relations)}


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("pq"), st.integers(0, 90)),
        min_size=1,
        max_size=15,
    )
)
def test_tables_linked_afterwards_and_at_once(rows: list[tuple[str, str, str, int]]) -> None:
    frame = pd.DataFrame(rows, columns=["one", "two", "three", "x"])
    rules = ["frequency=2", "p=10"]
    both = dc.tabulate(frame, [["one", "two"], ["three", "one"]], value="x", rules=rules).table
    apart = [dc.tabulate(frame, by, value="x", rules=rules).table for by in (["one", "two"], ["three", "one"])]
    joint = linked(apart)
    one, other = named(joint), named(both)
    lower, below = Cells._fields.index("lower"), Cells._fields.index("below")
    assert one.keys() == other.keys()
    for cell, told in one.items():  # each file says of its totals what its own innermost cells say
        assert told[lower] <= other[cell][lower] and told[below] >= other[cell][below]
        assert [*told[:lower], *told[lower + 1 : below], *told[below + 1 :]] == [
            *other[cell][:lower],
            *other[cell][lower + 1 : below],
            *other[cell][below + 1 :],
        ]
    assert sums(joint) == sums(both)
    assert joint.problem.relations.n == both.problem.relations.n
    assert not joint.problem.relations.residuals(joint.problem.cells.value).any()


def test_parts_of_holdings_are_those_of_tables_linked_at_once() -> None:
    rng = np.random.default_rng(3)
    columns = {name: rng.choice(list(labels), 40) for name, labels in (("one", "ab"), ("two", "xyz"), ("three", "pq"))}
    frame = pd.DataFrame(columns | {"x": rng.integers(1, 9, 40), "firm": rng.integers(0, 9, 40)})
    options = {"value": "x", "holding": "firm"}
    both = dc.tabulate(frame, [["one", "two"], ["one", "three"]], **options).table
    apart = [dc.tabulate(frame, by, **options).table for by in (["one", "two"], ["one", "three"])]

    def told(table: AdditiveTable) -> set[tuple]:
        assert table.contributors is not None and table.contributors.parts is not None
        cell, who, amount = table.contributors.parts
        order = [table.variables.index(name) for name in both.variables]
        names = [tuple(table.labels(at)[v] for v in order) for at in cell.tolist()]
        return {*zip(names, who.tolist(), amount.tolist())}

    assert told(linked(apart)) == told(both)
    without = apart[1].contributors
    assert without is not None
    apart[1] = replace(apart[1], contributors=without._replace(parts=None))
    found = linked(apart).contributors
    assert found is not None and found.parts is None and found.who is not None


FRAME = pd.DataFrame({"one": ["a", "a", "b"], "two": ["x", "y", "x"], "three": ["p", "q", "q"], "x": [5, 7, 9]})


def tables() -> list[AdditiveTable]:
    return [dc.tabulate(FRAME, by, value="x").table for by in (["one", "two"], ["one", "three"])]


def test_a_cell_with_two_values_is_named() -> None:
    first, second = tables()
    value = second.problem.cells.value.copy()
    at = [second.labels(i) for i in range(second.cells)].index(("a", "Total"))
    value[at] += 1
    wrong = second.with_problem(second.problem._replace(cells=second.problem.cells._replace(value=value)))
    with pytest.raises(InputError, match="one = a, two = Total, three = Total has two values") as caught:
        linked([first, wrong])
    assert "13" not in str(caught.value)


def test_statuses_of_shared_cells() -> None:
    first, second = tables()
    for one, two, joint in (
        (PRIMARY, FREE, PRIMARY),
        (FREE, SECONDARY, SECONDARY),
        (FIXED, FREE, FIXED),
        (SECONDARY, FIXED, SECONDARY),
    ):
        a = first.with_status(np.full(first.cells, one))
        b = second.with_status(np.full(second.cells, two))
        found = linked([a, b])
        at = [found.labels(i) for i in range(found.cells)].index(("a", "Total", "Total"))
        assert found.problem.cells.status[at] == joint


def test_units_are_brought_together() -> None:
    cents = dc.tabulate(FRAME.assign(x=FRAME["x"] + 0.25), ["one", "two"], value="x").table
    rest = dc.tabulate(FRAME.assign(x=FRAME["x"] + 0.25), ["one", "three"], value="x").table
    found = linked([cents, rest])
    assert (found.decimals, cents.decimals) == (2, 2)
    assert found.problem.cells.value.max() == 2175


def test_what_cannot_be_linked() -> None:
    counts = dc.tabulate(FRAME, ["one"]).table
    with pytest.raises(InputError, match="counts and of amounts"):
        linked([tables()[0], counts])
    assert linked([counts]) is counts


@pytest.mark.parametrize(
    ("by", "ring"),
    [
        (["xy"], False),
        (["xy", "yz"], False),
        (["xy", "z"], False),
        (["xy", "yz", "xz"], True),
        (["xy", "yz", "zw", "xw"], True),
        (["xyz", "xw", "yw"], True),
        (["xyz", "zw", "xz"], False),
        (["xy", "yz", "xz", "xyz"], False),
        (["xy", "yz", "xz", "w"], True),
    ],
)
def test_tables_are_linked_in_a_ring(by: list[str], ring: bool) -> None:
    frame = pd.DataFrame([("a", "b", "a", "b"), ("b", "a", "b", "b"), ("b", "b", "a", "a")], columns=list("xyzw"))
    assert in_ring(dc.tabulate(frame, [list(names) for names in by]).table) == ring
