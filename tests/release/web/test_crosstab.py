"""Cross-tabulations: cells against plain sums, percentages that add up, spans that cover every line once."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from discreet.release.engine import Table
from discreet.release.open_dataset import Margin
from discreet.release.web.views.crosstab import (
    SHOWN_COLUMNS,
    SHOWN_ROWS,
    combination,
    cross,
    crosstab_view,
    default_columns,
    numbers,
    spans,
)

LETTERS = "ABCD"


def labels(table: Table) -> dict[str, list[str]]:
    return {name: [str(c) for c in levels] for name, levels in zip(table.names, table.categories)}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=3))
    counts = draw(hnp.arrays(np.int64, shape, elements=st.integers(0, 50)))
    return Table.from_array(counts, LETTERS[: len(shape)])


@given(tables(), st.sets(st.sampled_from(LETTERS)))
def test_each_cell_is_that_of_the_margin(table: Table, columns: set[str]) -> None:
    made = cross(Margin(table, False), sorted(columns), labels(table))
    dense = table.dense()
    for i, j in product(*(range(n) for n in made.counts.shape)):
        place = dict(zip((*made.rows, *made.columns), (*made.heads(i), *made.tops(j))))
        cell = tuple(table.categories[a].index(int(place[name])) for a, name in enumerate(table.names))
        assert made.counts[i, j] == dense[cell]
    assert made.counts.size == dense.size


@given(tables(), st.sets(st.sampled_from(LETTERS)))
def test_percentages_add_up_where_there_is_anybody(table: Table, columns: set[str]) -> None:
    made = cross(Margin(table, False), sorted(columns), labels(table))
    for show, axis in (("row", 1), ("column", 0), ("share", None)):
        sums, people = numbers(made, show).sum(axis=axis), made.counts.sum(axis=axis)
        np.testing.assert_allclose(np.asarray(sums)[np.asarray(people) > 0], 100.0)
        assert np.isnan(np.asarray(sums)[np.asarray(people) == 0]).all()


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_spans_cover_each_line_once(sizes: list[int]) -> None:
    texts = [[f"{level}.{i}" for i in range(size)] for level, size in enumerate(sizes)]
    lines = [combination(texts, number) for number in range(int(np.prod(sizes)))]
    assert lines == list(product(*texts))
    found = spans(lines)
    for level in range(len(sizes)):
        filled: list[str] = []
        for line in found:
            text, span = line[level]
            filled += [text] * span
        assert filled == [line[level] for line in lines]


def test_totals_are_sums_of_what_is_shown() -> None:
    table = Table(("sex", "region"), (("f", "m"), ("N", "S", "E")), np.array([[1, 2, 3], [40, 0, 1000]]))
    made = cross(Margin(table, False), None, labels(table))
    assert (made.rows, made.columns) == (("region",), ("sex",))
    view = crosstab_view(made, "counts")
    assert [row["cells"] for row in view["body"]] == [["1", "40"], ["2", "0"], ["3", "1,000"]]
    assert [row["total"] for row in view["body"]] == ["41", "2", "1,003"]
    assert (view["below"], view["whole"]) == (["6", "1,040"], "1,046")
    by_row = crosstab_view(made, "row")
    assert by_row["body"][1]["cells"] == ["100.0", "0.0"]
    assert [row["base"] for row in by_row["body"]] == ["41", "2", "1,003"]
    by_column = crosstab_view(made, "column")
    assert (by_column["below"], by_column["bases"]) == (["100.0", "100.0"], ["6", "1,040"])


def test_a_percentage_of_nobody_is_a_dash() -> None:
    table = Table(("A", "B"), (("a", "b"), ("x", "y")), np.array([[0, 5], [0, 5]]))
    view = crosstab_view(cross(Margin(table, False), ["A"], labels(table)), "row")
    assert view["body"][0] == {"heads": [("x", 1)], "cells": ["–", "–"], "total": "–", "base": "0"}


def test_one_variable_alone_and_the_total() -> None:
    one = Table(("A",), (("a", "b"),), np.array([3, 4]))
    assert default_columns(one) == ()
    assert crosstab_view(cross(Margin(one, False), None, labels(one)), "counts")["below"] == ["7"]
    total = one.margin([])
    assert crosstab_view(cross(Margin(total, False), None, {}), "counts")["people"] == "7"


def test_no_more_is_shown_than_a_page_holds() -> None:
    table = Table.from_array(np.ones((40, 30, 300), np.int64), "ABC")
    assert default_columns(table) == ()
    view = crosstab_view(cross(Margin(table, False), ["A"], labels(table)), "counts")
    assert (len(view["body"]), view["hidden_rows"]) == (SHOWN_ROWS, 9000 - SHOWN_ROWS)
    assert (view["width"], view["hidden_columns"]) == (SHOWN_COLUMNS, 40 - SHOWN_COLUMNS)
    assert view["body"][0]["total"] == "40"
    assert sum(span for _, span in [head for row in view["body"] for head in row["heads"][:-1]]) <= SHOWN_ROWS


@pytest.mark.parametrize("columns", [["A", "none such"], ["none such"]])
def test_unknown_columns_are_passed_over(columns: list[str]) -> None:
    table = Table.from_array(np.ones((2, 2), np.int64), "AB")
    assert set(cross(Margin(table, False), columns, labels(table)).columns) <= {"A"}


def test_a_hidden_count_leaves_no_total_and_no_percentage_that_tells_it() -> None:
    table = Table(("A", "B"), (("x", "y"), ("p", "q")), np.array([[0, 3], [4, 5]]))
    made = cross(Margin(table, False, np.array([True, False, False, False])), ["A"], labels(table))
    view = crosstab_view(made, "counts")
    assert [row["cells"] for row in view["body"]] == [["hidden", "4"], ["3", "5"]]
    assert [row["total"] for row in view["body"]] == ["–", "8"]
    assert (view["below"], view["whole"], view["people"]) == (["–", "9"], "–", "–")
    view = crosstab_view(made, "row")
    assert [row["cells"] for row in view["body"]] == [["hidden", "–"], ["37.5", "62.5"]]
    for show in ("column", "share"):
        assert "nan" not in str(crosstab_view(made, show))


def test_where_a_count_is_hidden_totals_are_those_that_are_public() -> None:
    """The margin of B is released, that of A is not, nor the total by itself: nothing else is filled in."""
    table = Table(("A", "B"), (("x", "y"), ("p", "q")), np.array([[1, 3], [4, 5]]))
    public = {("B",): np.array([5.0, 8.0]), (): np.array([13.0])}
    hidden = Margin(table, False, np.array([True, False, False, False]))
    made = cross(hidden, ["A"], labels(table), lambda names: public.get(tuple(names)))
    view = crosstab_view(made, "counts")
    assert [row["cells"] for row in view["body"]] == [["hidden", "4"], ["3", "5"]]
    assert [row["total"] for row in view["body"]] == ["5", "8"]
    assert (view["below"], view["whole"], view["people"]) == (["–", "9"], "13", "13")
    view = crosstab_view(made, "row")
    assert [row["cells"] for row in view["body"]] == [["hidden", "80.0"], ["37.5", "62.5"]]
