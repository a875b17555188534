from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import Faults, InputError
from discreet.frames.values.caps import Cap, as_cap, capped
from discreet.frames.values.kinds import values


def made(given: Any) -> Cap | None:
    faults = Faults()
    found = as_cap(given, "x", faults)
    faults.raise_if_any()
    return found


@pytest.mark.parametrize(
    ("given_", "bottom", "top"),
    [
        (85, None, "85"),
        (85.0, None, "85"),
        (0.5, None, "0.5"),
        ("85", None, "85"),
        (Decimal("1.50"), None, "1.50"),
        ((16, 85), "16", "85"),
        ((16, None), "16", None),
        ({"bottom": 16}, "16", None),
        ({"bottom": 16, "top": "85"}, "16", "85"),
        (datetime.date(1950, 1, 3), None, "1950-01-03"),
        (datetime.datetime(1950, 1, 3), None, "1950-01-03"),
        (datetime.datetime(1950, 1, 3, 4), None, "1950-01-03 04:00:00"),
    ],
)
def test_a_cap_may_be_given_in_several_ways(given_: Any, bottom: str | None, top: str | None) -> None:
    found = made(given_)
    assert found == Cap(bottom, top)
    assert found.named() == {k: v for k, v in (("bottom", bottom), ("top", top)) if v is not None}


@pytest.mark.parametrize("given_", [None, True, {}, {"most": 3}, (1, 2, 3), (None, None), "", float("nan"), [1]])
def test_what_is_no_cap_is_told(given_: Any) -> None:
    with pytest.raises(InputError, match="the cap of 'x'"):
        made(given_)


@given(
    st.lists(st.none() | st.integers(-50, 50), min_size=1, max_size=20),
    st.none() | st.integers(-60, 60),
    st.none() | st.integers(-60, 60),
)
def test_capped_is_the_nearest_value_within(numbers: list[int | None], bottom: int | None, top: int | None) -> None:
    if (bottom is None and top is None) or (bottom is not None and top is not None and bottom > top):
        return
    entries = values(pa.table({"x": pa.array(numbers, pa.int64())}), "x").entries
    faults = Faults()
    found = capped(entries, Cap(*(None if end is None else str(end) for end in (bottom, top))), "x", faults)
    assert not faults
    low, high = (-1000 if bottom is None else bottom), (1000 if top is None else top)
    wanted = [None if number is None else min(max(number, low), high) for number in numbers]
    assert [None if code < 0 else int(found.texts[code]) for code in found.codes] == wanted
    assert [int(text) for text in found.texts] == sorted({number for number in wanted if number is not None})
    assert found.place is not None
    assert list(found.place) == sorted(found.place)


def test_dates_have_caps_and_a_value_keeps_its_spelling() -> None:
    entries = values(pa.table({"x": ["1930-01-01", "1950-01-03T00:00", "1960-02-02"]}), "x").entries
    faults = Faults()
    found = capped(entries, Cap("1950-01-03", None), "x", faults)
    assert found.texts == ["1950-01-03T00:00", "1960-02-02"]
    assert found.codes.tolist() == [0, 0, 1]


@pytest.mark.parametrize(("cap", "words"), [(Cap("9", "2"), "reverse"), (Cap(None, "1950-01-01"), "does not fit")])
def test_a_cap_that_does_not_fit_is_told(cap: Cap, words: str) -> None:
    faults = Faults()
    capped(values(pa.table({"x": [1, 2]}), "x").entries, cap, "x", faults)
    with pytest.raises(InputError, match=words):
        faults.raise_if_any()
