"""What entries mean: numbers to the last digit, texts without disguise, and what is missing."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify import File
from discreet.verify.readers import Column, open_table
from discreet.verify.values.meaning import fold, folded_codes, is_numeric, missing, numbers, profile, texts


def arrow(values: list[Any], kind: Any = None) -> Column:
    return open_table(pa.table({"x": pa.array(values, kind)}), "data").column("x")


def text_file(values: list[str]) -> Column:
    lines = "".join(f'"{value}"\n' for value in values)
    return open_table(File(data=f"x\n{lines}".encode(), delimiter=","), "data").column("x")


def exact(column: Column) -> list[Fraction | None]:
    found = numbers(column)
    out: list[Fraction | None] = []
    for code in column.codes.tolist():
        if not found.valid[code]:
            out.append(None)
        elif found.floats is not None:
            out.append(Fraction(float(found.floats[code])))
        else:
            m, e = found.long.get(code, (int(found.mantissa[code]), int(found.exponent[code])))
            out.append(Fraction(m) * Fraction(10) ** e)
    return out


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8))
def test_whole_numbers_are_exact(values: list[int]) -> None:
    assert exact(arrow(values, pa.int64())) == [Fraction(v) for v in values]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=8))
def test_unsigned_numbers_too(values: list[int]) -> None:
    assert exact(arrow(values, pa.uint64())) == [Fraction(v) for v in values]


@given(st.lists(st.decimals(-(10**9), 10**9, places=5, allow_nan=False), min_size=1, max_size=8))
def test_decimals_and_their_texts_are(values: list[Decimal]) -> None:
    assert exact(arrow(values, pa.decimal128(20, 5))) == [Fraction(v) for v in values]
    assert exact(text_file([str(v) for v in values])) == [Fraction(v) for v in values]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1, max_size=8))
def test_floats_are_what_they_are(values: list[float]) -> None:
    assert exact(arrow(values, pa.float64())) == [Fraction(v) for v in values]


def test_truth_values_are_no_numbers() -> None:
    assert not is_numeric(arrow([True, False])) and texts(arrow([True, None, False])) == ["true", "", "false"]
    mixed = open_table(pd.DataFrame({"x": pd.Series([True, 1, "a"], dtype=object)}), "data").column("x")
    assert not is_numeric(mixed)


@pytest.mark.parametrize("name", ["", "NA", "NaN", "nan", "null", "NULL", " NA "])
def test_names_of_nothing_are_missing_among_numbers_only(name: str) -> None:
    for many in (3, 200):  # few and many distinct entries go different ways
        column = text_file([name, *map(str, range(many))])
        assert missing(column, numeric=True)[column.codes[0]] and is_numeric(column)
        words = text_file([name, *(f"w{i}" for i in range(many))])
        assert missing(words, numeric=False)[words.codes[0]] == (name == "")


def test_a_column_of_nothing_is_not_one_of_numbers() -> None:
    assert not is_numeric(text_file(["NA", "null"])) and is_numeric(text_file(["NA", "1"]))
    assert not is_numeric(text_file(["1", "one"]))


def test_profiles_count_rows() -> None:
    assert profile(text_file(["1", "1", "x", "NA"])) == (2, 1, False)
    assert profile(arrow([1, None, 2])) == (2, 0, False)
    assert profile(text_file(["001", "010", "999"])) == (3, 0, True), (
        "digits of one length with leading zeros are codes"
    )
    assert profile(text_file(["001", "10", "999"])) == (3, 0, False)


def test_moments_as_a_file_shows_them() -> None:
    days = [dt.date(2020, 2, 29), None, dt.date(1899, 12, 31)]
    assert texts(arrow(days, pa.date32())) == ["2020-02-29", "", "1899-12-31"]
    noon = arrow([dt.datetime(2020, 1, 1, 12, 30, 15), dt.datetime(2020, 1, 2)], pa.timestamp("us"))
    assert texts(noon) == ["2020-01-01 12:30:15", "2020-01-02 00:00:00"]
    assert texts(arrow([dt.time(1, 2, 3, 500000)], pa.time64("us"))) == ["01:02:03.5"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Flu", "flu"),
        ("flu", " flu  "),
        ("flu", "f\u200blu"),
        ("flu", "ｆｌｕ"),
        ("straße", "STRASSE"),
        ("a b", "a\u00a0b"),
        ("flu", "flu\ufe0f"),
    ],
)
def test_forms_of_one_word_fold_together(one: str, other: str) -> None:
    assert fold(one) == fold(other)
    codes = folded_codes(text_file([one, other, "else"]))
    assert codes[0] == codes[1] != codes[2]


def test_words_that_differ_stay_apart() -> None:
    codes = folded_codes(text_file(["a b", "ab", "é", "e"]))
    assert len(set(codes.tolist())) == 4


def test_numbers_fold_by_value_and_nothing_is_nothing() -> None:
    assert folded_codes(text_file(["1", "1.0", "2"])).tolist() == [0, 0, 1]
    assert folded_codes(arrow([1.5, float("nan"), 1.5])).tolist() == [0, -1, 0]
    words = folded_codes(text_file(["x", "na", "null", "", "1.0", "1"]))
    assert (words[1:4] == -1).all() and words[4] == words[5] != words[0]
    assert np.unique(folded_codes(arrow([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], pa.date32()))).size == 2
