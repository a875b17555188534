"""When access ends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from discreet.errors import InputError
from discreet.release.people.expiry import parse_expiry

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("90d", datetime(2027, 2, 16, 12, 0, tzinfo=UTC)),
        ("12h", datetime(2026, 11, 19, 0, 0, tzinfo=UTC)),
        ("2027-01-31", datetime(2027, 1, 31, tzinfo=UTC)),
        ("2027-01-31T08:00+02:00", datetime(2027, 1, 31, 6, 0, tzinfo=UTC)),
        ("36525d", datetime(2126, 11, 19, 12, 0, tzinfo=UTC)),
    ],
)
def test_what_is_meant(text: str, moment: datetime) -> None:
    assert parse_expiry(text, NOW) == moment


@pytest.mark.parametrize(
    "text",
    ["", "0d", "-1d", "90", "d", "1.5d", "tomorrow", "2026-11-18", "2026-02-30", "36526d", "9999999d", "9999-12-31"],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="90d"):
        parse_expiry(text, NOW)
