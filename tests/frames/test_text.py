"""The text a CSV file shows: one for each value, and it reads back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.frames.text import as_text


def shown(values: list[Any], kind: Any = None) -> list[str | None]:
    return as_text(pa.array(values, kind)).to_pylist()


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20, unique=True))
def test_floats_read_back_and_differ_where_values_do(values: list[float]) -> None:
    texts = shown(values)
    assert [float(text or "") for text in texts] == values and len(set(texts)) == len(values)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1, max_size=10))
def test_narrow_floats_show_what_they_hold(values: list[float]) -> None:
    assert [float(text or "") for text in shown(values, pa.float32())] == values
    halves = np.array(values, np.float64).clip(-6e4, 6e4).astype(np.float16)
    assert [float(t or "") for t in as_text(pa.array(halves)).to_pylist()] == halves.astype(float).tolist()


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([1, None], pa.int64(), ["1", None]),
        ([2.0, float("nan"), None], pa.float64(), ["2", None, None]),
        ([True, False], pa.bool_(), ["true", "false"]),
        ([Decimal("1.50")], pa.decimal128(5, 2), ["1.50"]),
        ([dt.date(2020, 2, 29)], pa.date32(), ["2020-02-29"]),
        ([dt.datetime(2020, 1, 1), None], pa.timestamp("us"), ["2020-01-01", None]),
        (
            [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, 1)],
            pa.timestamp("us"),
            ["2020-01-01 00:00:00", "2020-01-01 01:00:00"],
        ),
        ([dt.timedelta(seconds=2)], pa.duration("s"), ["2"]),
        ([None, None], pa.null(), [None, None]),
        ([["a"]], pa.list_(pa.string()), ["['a']"]),
        (["x", None], pa.string_view(), ["x", None]),
    ],
)
def test_every_type(values: list[Any], kind: Any, expected: list[str | None]) -> None:
    assert shown(values, kind) == expected


def test_categories_show_their_words() -> None:
    assert as_text(pa.array(["b", "a", None]).dictionary_encode()).to_pylist() == ["b", "a", None]


def test_moments_with_a_zone_keep_their_time() -> None:
    (text,) = shown([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], pa.timestamp("us", tz="UTC"))
    assert text is not None and text.startswith("2020-01-01 00:00:00")
