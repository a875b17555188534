"""Key cells are blank or what they were: by meaning, whatever the type, in order or shuffled."""

from __future__ import annotations

import numpy as np
import pandas as pd

from discreet.verify.blanks.cells import read_cells, read_original
from discreet.verify.readers import open_table

NAMES = ("age", "sex")


def cells(before: pd.DataFrame, after: pd.DataFrame) -> object:
    return read_cells(open_table(before, "the original"), open_table(after, "the published data"), NAMES)


BEFORE = pd.DataFrame({"age": [30, 30, 41, 52], "sex": ["f", "m", None, "f"]})


def test_blanks_are_found_whatever_the_type_became() -> None:
    after = pd.DataFrame({"age": [30.0, np.nan, 41.0, 52.0], "sex": ["f", "m", None, None]})
    found = cells(BEFORE, after)
    assert found.in_order
    assert found.explained
    assert found.blanked.tolist() == [1, 1]
    assert found.failures() == []


def test_a_cell_that_is_something_else_is_counted() -> None:
    after = BEFORE.assign(age=[31, 30, 41, 52], sex=["f", "m", "m", "f"])
    found = cells(BEFORE, after)
    assert not found.explained
    assert found.changed.tolist() == [1, 1]
    assert found.failures() == [
        "in column age, 1 cells are neither blank nor what they were in the original",
        "in column sex, 1 cells are neither blank nor what they were in the original",
    ]


def test_shuffled_rows_are_explained_where_somebody_can_be_everywhere() -> None:
    after = pd.DataFrame({"age": [52.0, 41.0, np.nan, 30.0], "sex": ["f", None, None, "m"]})
    found = cells(BEFORE, after)
    assert not found.in_order
    assert found.explained
    assert found.blanked.tolist() == [1, 1]
    # Two rows that only one person fits.
    twice = pd.DataFrame({"age": [52.0, 52.0, np.nan, 30.0], "sex": ["f", None, None, "m"]})
    assert not cells(BEFORE, twice).explained


def test_the_original_alone() -> None:
    codes = read_original(open_table(BEFORE, "the original"), NAMES)
    assert (codes == 0).tolist() == [[False, False], [False, False], [False, True], [False, False]]
    assert codes[0, 0] == codes[1, 0] != codes[2, 0]
