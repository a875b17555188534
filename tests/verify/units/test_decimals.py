"""Numbers on one scale, to the last digit."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.readers import Column, open_table
from discreet.verify.units.decimals import NoNumberError, scaled, written_alike

DECIMALS = st.decimals(-(10**6), 10**6, places=3, allow_nan=False, allow_infinity=False)


def column(values: list[object]) -> Column:
    return open_table(pd.DataFrame({"x": values}), "data").column("x")


@given(st.lists(DECIMALS, min_size=1, max_size=20), st.lists(DECIMALS, min_size=1, max_size=20))
def test_texts_are_scaled_without_rounding(old: list[Decimal], new: list[Decimal]) -> None:
    found = scaled(column([str(x) for x in old]), column([str(x) for x in new]), at_most=20)
    scale = 10**found.decimals
    assert [Fraction(int(v), scale) for v in found.was] == [Fraction(x) for x in old]
    assert [Fraction(int(v), scale) for v in found.now] == [Fraction(x) for x in new]


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=10))
def test_a_float_is_the_shortest_decimal_that_reads_back(values: list[float]) -> None:
    found = scaled(column(list(values)), column(list(values)), at_most=10)
    assert [Fraction(int(v), 10**found.decimals) for v in found.was] == [Fraction(repr(v)) for v in values]
    assert (found.was == found.now).all()


def test_gaps_are_marked_and_count_nothing() -> None:
    found = scaled(column(["1.5", "", "2"]), column(["1.75", "1", None]), at_most=3)
    assert found.gap.tolist() == [False, True, False] and found.blank.tolist() == [False, False, True]
    assert (found.decimals, found.first, found.last) == (2, 1, 2)
    assert found.was.tolist() == [150, 0, 200] and found.now.tolist() == [175, 100, 0]


def test_sums_beyond_machine_numbers_stay_exact() -> None:
    found = scaled(column(["9" * 30, "1"]), column(["9" * 30, "1"]), at_most=2)
    assert found.was.dtype == object and int(found.was.sum()) == int("9" * 30) + 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (["a", "b"], ["1", "2"], "of the original is not numeric"),
        (["1", "2"], ["[1, 2]", "x"], "is not numeric"),
        ([1.0, float("inf")], ["1", "2"], "infinite"),
        (["1", "2"], ["0." + "0" * 420 + "1", "2"], "400 decimals"),
    ],
)
def test_what_cannot_hold_means_is_said(old: list[object], new: list[object], words: str) -> None:
    with pytest.raises(NoNumberError, match=words):
        scaled(column(old), column(new), at_most=2)


def test_a_number_written_in_another_style_is_a_sign() -> None:
    assert written_alike(column(["1.5", "2", "10.25"]))
    assert not written_alike(column(["1.5", "2.0", "2", "10.250"]))
