from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.frames.values.moments import moment, moments_of, stored_moments, text_moments

EPOCH = datetime.datetime(1970, 1, 1)
MOMENTS = st.datetimes(datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31))


def nanoseconds(value: datetime.datetime) -> int:
    """By the library's own calendar."""
    away = value - EPOCH
    return (away.days * 86_400 + away.seconds) * 10**9 + away.microseconds * 1000


@given(MOMENTS, st.sampled_from([" ", "T"]))
def test_a_moment_is_its_distance_from_the_epoch(value: datetime.datetime, between: str) -> None:
    assert moment(value.isoformat(between)) == ("date", nanoseconds(value))
    assert moment(value.date().isoformat()) == ("date", nanoseconds(datetime.datetime.combine(value, datetime.time())))
    clock = nanoseconds(datetime.datetime.combine(EPOCH, value.time()))
    assert moment(value.time().isoformat()) == ("time", clock)


@given(MOMENTS.filter(lambda value: 2 < value.year < 9998), st.integers(-14 * 60, 14 * 60))
def test_zones_are_subtracted(value: datetime.datetime, minutes: int) -> None:
    zone = datetime.timezone(datetime.timedelta(minutes=minutes))
    text = value.replace(tzinfo=zone).isoformat()
    assert moment(text) == ("zoned", nanoseconds(value - datetime.timedelta(minutes=minutes)))


@pytest.mark.parametrize(
    "text",
    ["1950-1-3", "03.01.1950", "1950-13-01", "1950-02-30", "24:00", "12:60", "1950", "195001", "", "1950-01-03 ", "x"],
)
def test_other_text_is_no_moment(text: str) -> None:
    assert moment(text) is None


def test_a_column_is_of_one_kind() -> None:
    assert moments_of(["1950-01-03", "12:30"]) is None
    assert moments_of(["1950-01-03", "1950-01-03 00:00Z"]) is None
    assert moments_of([]) is None
    assert moments_of(["1970-01-02", "1970-01-01 00:00:01"]) == [86_400 * 10**9, 10**9]


@given(st.lists(st.none() | st.dates(), min_size=1, max_size=12).filter(any))
def test_text_and_type_are_read_alike(days: list[datetime.date | None]) -> None:
    texts = pa.array([None if day is None else day.isoformat() for day in days], pa.string())
    said, stored = text_moments(texts), stored_moments(pa.array(days, pa.date32()), "x")
    assert said is not None
    np.testing.assert_array_equal(said.codes, stored.codes)
    assert said.texts == stored.texts == sorted({day.isoformat() for day in days if day is not None})
    np.testing.assert_allclose(said.place, stored.place)
    known = sorted({day.toordinal() for day in days if day is not None})
    span = max(known[-1] - known[0], 1)
    np.testing.assert_allclose(said.place, [(day - known[0]) / span for day in known])


def test_spellings_of_one_moment_are_one_value() -> None:
    found = text_moments(pa.array(["1950-01-03T00:00", "1950-01-03", "", "1950-01-04"]))
    assert found is not None
    assert found.codes.tolist() == [0, 0, -1, 1]
    assert found.texts == ["1950-01-03", "1950-01-04"]
    assert found.respelled
