"""Moments in nanoseconds: as Python's own calendar has them, and to the last digit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.verify.readers.column import DATE, DURATION, TIME, TIMESTAMP
from discreet.verify.values.moments import UNITS, parse_moment

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def nanoseconds(span: timedelta) -> int:
    return span // timedelta(microseconds=1) * 1000


@given(
    st.datetimes(min_value=datetime(1000, 1, 1), max_value=datetime(9999, 12, 31)),
    st.integers(-14 * 60, 14 * 60),
    st.sampled_from(" T"),
)
def test_timestamps_of_any_zone_are_what_the_calendar_says(moment: datetime, minutes: int, between: str) -> None:
    there = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert parse_moment(there.isoformat(between), TIMESTAMP) == nanoseconds(there - EPOCH)
    here = moment.replace(tzinfo=UTC)
    text = moment.isoformat(between)
    assert {parse_moment(text + zone, TIMESTAMP) for zone in ("", "Z", " UTC", "+00:00", "-0000")} == {
        nanoseconds(here - EPOCH)
    }
    assert parse_moment(str(moment.date()), DATE) == nanoseconds(here - EPOCH) // UNITS["day"] * UNITS["day"]


@given(st.timedeltas(min_value=timedelta(days=-(10**6)), max_value=timedelta(days=10**6)))
def test_durations_as_python_writes_them(span: timedelta) -> None:
    assert parse_moment(str(span), DURATION) == nanoseconds(span)


def test_signs_units_and_nine_digits_of_durations() -> None:
    assert parse_moment("-3", DURATION, "ms") == -3_000_000
    assert parse_moment("-0:00:00.000000001", DURATION) == -1
    assert parse_moment("1 day -0:00:01", DURATION) == UNITS["day"] - UNITS["s"]
    assert parse_moment("36:00", DURATION) == 36 * 3600 * UNITS["s"]


def test_times_of_day() -> None:
    assert parse_moment("23:59:59.5", TIME) == (24 * 3600 - 1) * UNITS["s"] + UNITS["s"] // 2
    assert parse_moment("0:01", TIME) == 60 * UNITS["s"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2023-02-29", DATE),
        ("2023-13-01", DATE),
        ("23-01-01", DATE),
        ("2023-01-01 10:60", TIMESTAMP),
        ("2023-01-01 10:00:60", TIMESTAMP),
        ("2023-01-01 10:00:00.1234567890", TIMESTAMP),
        ("٢٠٢٣-01-01", DATE),
        ("1", TIME),
        ("", DURATION),
        ("1 day 0:99", DURATION),
        ("1.5", DURATION),
    ],
)
def test_what_is_no_moment_is_none(text: str, kind: str) -> None:
    assert parse_moment(text, kind) is None
