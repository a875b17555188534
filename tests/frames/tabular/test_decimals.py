"""Decimal texts and whole numbers of the smallest unit: exact both ways."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames.tabular.decimals import (
    column_in_smallest_unit,
    decimal_text,
    decimal_texts,
    in_smallest_unit,
)

texts = st.one_of(
    st.decimals(-(10**8), 10**8, places=3, allow_nan=False).map(lambda d: format(d, "f")),
    st.integers(-(10**9), 10**9).map(str),
    st.sampled_from(["-0.00", ".5", "-.25", "+7", "3.", "007.10", "1e3", "-2.5E-2", "0"]),
)


@given(st.lists(texts, min_size=1, max_size=12), st.lists(texts, max_size=4))
def test_exact_and_in_one_unit(first: list[str], second: list[str]) -> None:
    found, decimals = in_smallest_unit({"a": first, "b": second}, where="here")
    for column, given_texts in (("a", first), ("b", second)):
        exact = [Fraction(Decimal(text)) for text in given_texts]
        assert [Fraction(int(one), 10**decimals) for one in found[column]] == exact
    assert decimals == 0 or any((Fraction(Decimal(t)) * 10 ** (decimals - 1)).denominator > 1 for t in first + second)


@given(st.lists(st.integers(-(10**18) + 1, 10**18 - 1), min_size=1, max_size=12), st.integers(0, 9))
def test_there_and_back(values: list[int], decimals: int) -> None:
    written = decimal_texts(np.array(values, np.int64), decimals)
    assert [Fraction(Decimal(text)) for text in written] == [Fraction(value, 10**decimals) for value in values]
    assert all(len(text.partition(".")[2]) == decimals for text in written)
    for value in values[:3]:
        short = decimal_text(value, decimals)
        assert Fraction(Decimal(short)) == Fraction(value, 10**decimals)
        assert not ("." in short and short.endswith("0"))


@pytest.mark.parametrize("text", ["", "x", "1,5", "1 000", "nan", "inf", "0x10", "１", "1e", "--1", "1.2.3", "1e9999"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(InputError, match="amount is not a number 1 time"):
        in_smallest_unit({"amount": ["1", text]}, where="here")


def test_too_large_says_why() -> None:
    with pytest.raises(InputError, match="18 digits"):
        in_smallest_unit({"a": ["1" + "0" * 18]}, where="here")
    with pytest.raises(InputError, match=r"10\^-10"):
        in_smallest_unit({"a": ["1000000000", "0.0000000001"]}, where="here")


@pytest.mark.parametrize(
    ("column", "values", "decimals"),
    [
        (pa.array([1, -2], pa.int8()), [1, -2], 0),
        (pa.array([0.1, 2.5]), [1, 25], 1),
        (pa.array([Decimal("1.50"), Decimal("2.25")]), [150, 225], 2),
        (pa.array(["1.5", "2"]), [15, 20], 1),
        (pa.chunked_array([["1"], ["2.5"]]), [10, 25], 1),
        (pa.array([3, 4], pa.uint64()), [3, 4], 0),
    ],
)
def test_columns_of_frames(column: pa.Array, values: list[int], decimals: int) -> None:
    found, got = column_in_smallest_unit(column, "x")
    assert (found.tolist(), got) == (values, decimals)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([1, None]), "empty in 1 rows"),
        (pa.array([1.0, float("nan")]), "not a number in 1 rows"),
        (pa.array([1.0, float("inf")]), "not a number 1 time"),
        (pa.array([True]), "not numeric"),
        (pa.array([1 << 62]), "2\\^60"),
    ],
)
def test_columns_that_cannot_be_added_up(column: pa.Array, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        column_in_smallest_unit(column, "x")
