"""Columns as an intruder reads them: numbers, dates in many spellings, codes, gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from discreet.verify.left.values import Values, read_values
from discreet.verify.readers import File, open_table


def read(values: Any) -> Values:
    return read_values(open_table(pd.DataFrame({"x": values}), "a frame").column("x"))


@pytest.mark.parametrize(
    "written",
    [
        ["1980-05-03", "1979-12-31", "", "1980-05-04"],
        ["03.05.1980", "31.12.1979", "", "04.05.1980"],
        ["5/3/1980", "12/31/1979", "", "5/4/1980"],
        ["1980/5/3", "1979/12/31", "", "1980/5/4"],
        pd.to_datetime(["1980-05-03", "1979-12-31", None, "1980-05-04"]),
    ],
)
def test_dates_are_in_order_however_they_are_spelled(written: Any) -> None:
    found = read(written)
    assert found.kind == "dates" and found.places is not None
    a, b, gone, c = found.places.tolist()
    assert b < a < c and np.isnan(gone) and found.known.tolist() == [True, True, False, True]


def test_numbers_codes_and_words() -> None:
    assert read([3, 1, 3]).codes.tolist() == [0, 1, 0] and read(["3", "1.0", "1"]).kind == "numbers"
    zip_codes = read(["01067", "99425", "01069"])
    assert zip_codes.kind == "words" and zip_codes.places is None
    assert zip_codes.order is not None and zip_codes.order.tolist() == [0.0, 2.0, 1.0]
    assert read([1, 2, 1]).as_words().places is None
    with_gap = read(["a", None, "b", None])
    assert with_gap.size == 3 and with_gap.known.tolist() == [True, False, True, False]


def test_a_file_is_read_like_a_frame() -> None:
    column = open_table(File(data=b"x\n1,5\n", delimiter=";"), "a file").column("x")
    assert read_values(column).codes.tolist() == [0]


def test_some_rows_are_numbered_anew() -> None:
    some = read([5, 7, 7, 9]).take(np.array([1, 2, 3]))
    assert some.codes.tolist() == [0, 0, 1] and some.size == 2 and some.places is not None
