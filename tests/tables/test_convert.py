"""Tables from dataframes against counting rows one by one, and back again."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.tables.convert import frame_of_cells, frame_of_table, table_of_counts, table_of_records
from discreet.tables.table import Table

ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2)), min_size=1, max_size=20)


def cells_of(table: Table) -> Counter[tuple[object, ...]]:
    dense = table.dense()
    found = {
        tuple(levels[i] for levels, i in zip(table.categories, place)): int(dense[place])
        for place in np.ndindex(*dense.shape)
    }
    return +Counter(found)


@given(ROWS)
@settings(max_examples=40, deadline=None)
def test_records_are_counted_as_one_by_one(rows: list[tuple[str, int]]) -> None:
    frame = pd.DataFrame(rows, columns=["letter", "number"])
    table = table_of_records(frame, None)
    assert cells_of(table) == Counter(rows)
    assert table.categories == (tuple(sorted({a for a, _ in rows})), tuple(sorted({b for _, b in rows})))
    assert cells_of(table_of_records(frame, ["number"])) == Counter((b,) for _, b in rows)


@given(ROWS)
@settings(max_examples=40, deadline=None)
def test_a_table_survives_the_way_to_a_frame_and_back(rows: list[tuple[str, int]]) -> None:
    frame = pd.DataFrame(rows, columns=["letter", "number"])
    table = table_of_records(frame, None)
    told = frame_of_table(table, frame)
    assert len(told) == table.size
    back = table_of_counts(told, "count", ["letter", "number"])
    assert back.categories == table.categories
    assert np.array_equal(back.dense(), table.dense())


def test_counts_of_a_cell_that_occurs_twice_are_summed() -> None:
    frame = pd.DataFrame({"v": ["b", "a", "b"], "n": [2, 5, 4]})
    table = table_of_counts(frame, "n", None)
    assert table.categories == (("a", "b"),)
    assert table.dense().tolist() == [5, 6]


def test_a_categorical_column_keeps_its_order_and_its_empty_categories() -> None:
    values = pd.Categorical(["low", "high"], categories=["low", "middle", "high"])
    table = table_of_records(pd.DataFrame({"v": values}), None)
    assert table.categories == (("low", "middle", "high"),)
    assert table.dense().tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("frame", "fault"),
    [
        (pd.DataFrame({"v": ["a", None, None]}), "missing in 2 rows"),
        (pd.DataFrame({"v": ["a", "Total"]}), "totals among its cells"),
        (pd.DataFrame({"v": ["a", "b"], "w": [0.5, 1.0]}), "w holds amounts"),
        (pd.DataFrame({"v": np.zeros(0, np.int64)}), "no rows"),
    ],
)
def test_what_is_no_table_of_counts_is_refused(frame: pd.DataFrame, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        table_of_records(frame, None)


def test_total_is_a_category_for_whoever_names_the_variables() -> None:
    table = table_of_records(pd.DataFrame({"v": ["a", "Total"]}), ["v"])
    assert table.categories == (("Total", "a"),)


def test_a_column_of_counts_is_no_variable_and_not_too_large() -> None:
    frame = pd.DataFrame({"v": ["a", "b"], "n": [1 << 61, (1 << 61) + 1]})
    with pytest.raises(InputError) as found:
        table_of_counts(frame, "n", ["v", "n"])
    assert "2^62" in str(found.value)
    assert "cannot be a variable too" in str(found.value)


def test_a_variable_with_the_name_of_a_figure_is_refused() -> None:
    with pytest.raises(InputError, match="'count'"):
        frame_of_cells(["count"], (("a",),), None, {"count": np.array([1])})
