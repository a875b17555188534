"""Numbers as whole numbers of their last decimal: nothing is rounded on the way in or out."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import Faults
from discreet.frames import adopt
from discreet.instruments.protect.amounts import Amount, decimal_text, read_amount

TEXTS = st.decimals(-(10**20), 10**20, places=3).map(str) | st.integers(-(10**30), 10**30).map(str)


def amount(values: list[object]) -> Amount:
    faults = Faults()
    found = read_amount(adopt(pd.DataFrame({"x": values})), "x", "known", faults)
    faults.raise_if_any()
    assert found is not None
    return found


def test_gaps_are_an_error_where_they_are_not_allowed() -> None:
    faults = Faults()
    read_amount(adopt(pd.DataFrame({"x": [1.0, None]})), "x", "error", faults)
    assert faults
    faults = Faults()
    assert read_amount(adopt(pd.DataFrame({"x": ["a", "b"]})), "x", "error", faults) is None
    assert faults


def test_decimals_as_text() -> None:
    assert [decimal_text(*given) for given in ((-5, 2), (1200, 2), (7, 0), (7, -2), (0, 3))] == [
        "-0.05",
        "12",
        "7",
        "700",
        "0",
    ]


@given(st.lists(TEXTS | st.none(), min_size=1, max_size=9), st.data())
def test_units_are_the_numbers_of_the_text(texts: list[str | None], data: st.DataObject) -> None:
    if all(text is None for text in texts):
        return
    found = amount(texts)
    exact = [Fraction(0) if text is None else Fraction(text) for text in texts]
    assert [Fraction(int(unit), 10**found.decimals) for unit in found.units] == exact
    assert found.gaps.tolist() == [text is None for text in texts]
    without = data.draw(st.lists(st.integers(0, len(texts) - 1), unique=True))
    left = sum(one for place, one in enumerate(exact) if place not in without)
    assert Fraction(found.total(np.array(without, np.int64)), 10**found.decimals) == left
    assert found.text


@given(st.integers(-(10**12), 10**12), st.integers(-3, 9))
def test_units_as_text_are_the_same_number_without_idle_zeros(number: int, decimals: int) -> None:
    text = decimal_text(number, decimals)
    assert Decimal(text) == Decimal(number).scaleb(-decimals)
    assert not ("." in text and text.endswith(("0", ".")))


def test_floats_have_the_digits_of_their_shortest_text() -> None:
    found = amount([0.1, 2.5, 1e-3])
    assert (found.decimals, found.units.tolist(), found.text) == (3, [100, 2500, 1], False)
    assert amount([10, 2000]).decimals == 0


def test_sums_that_leave_64_bits_stay_exact() -> None:
    values = [str(2**61), str(2**61), str(2**61)]
    found = amount(values)
    assert found.units.dtype == object and found.total(np.zeros(0, np.int64)) == 3 * 2**61
