"""Numbers in text: whether a column holds them, and which."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.frames.numbers import are_codes, looks_like_codes, parse_numbers


def parsed(values: list[str | None], comma: bool = False) -> tuple[list[Any] | None, str, bool]:
    found, with_comma = parse_numbers(pa.array(values, pa.string()), comma)
    return (None, "", with_comma) if found is None else (found.to_pylist(), str(found.type), with_comma)


@pytest.mark.parametrize(
    ("values", "expected", "kind"),
    [
        (["1", "-2", "3"], [1, -2, 3], "int64"),
        (["1", "+3"], [1.0, 3.0], "double"),
        (["1", "2.0"], [1.0, 2.0], "double"),
        ([" 1 ", "NA", "2"], [1, None, 2], "int64"),
        (["1e3", "inf"], [1000.0, float("inf")], "double"),
        (["9223372036854775808", "1"], [2.0**63, 1.0], "double"),
        (["", "null", "7"], [None, None, 7], "int64"),
        ([None, "7"], [None, 7], "int64"),
    ],
)
def test_columns_of_numbers(values: list[str | None], expected: list[Any], kind: str) -> None:
    assert parsed(values) == (expected, kind, False)


@pytest.mark.parametrize(
    "values", [["1", "x"], ["NA", "null"], [None, None], ["1_000"], ["0x1"], ["1 2"], ["NAN", "1"]]
)
def test_columns_of_words(values: list[str | None]) -> None:
    assert parsed(values)[0] is None


def test_a_decimal_comma_where_it_may_be() -> None:
    assert parsed(["1,5", "2"], comma=True) == ([1.5, 2.0], "double", True)
    assert parsed(["1,5", "2"])[0] is None
    assert parsed(["1,5", "2.5"], comma=True)[0] is None, "both at once are no numbers"


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_floats_come_back(values: list[float]) -> None:
    found, _, _ = parsed([repr(value) for value in values])
    assert found is not None and [float(x) for x in found] == values


@pytest.mark.parametrize("place", [0, 1500, 4999])
def test_one_word_in_thousands_is_seen(place: int) -> None:
    values: list[str | None] = [str(i) for i in range(5000)]
    values[place] = "x"
    assert parsed(values)[0] is None


def test_codes() -> None:
    assert are_codes(pa.array(["001", "210", None])) and not are_codes(pa.array(["001", "21"]))
    assert not are_codes(pa.array(["101", "210"])) and not are_codes(pa.array(["0a1", "210"]))
    assert looks_like_codes(pa.array(["7", " 07"])) and not looks_like_codes(pa.array(["0", "0.5", "10"]))
