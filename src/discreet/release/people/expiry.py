"""When access ends: `90d`, `12h` or a date (UTC), from which on it is refused."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from discreet.errors import InputError

LONGEST = timedelta(days=36525)
RULE = "the expiry must be a time ahead, at most 100 years: 90d, 12h, or a date such as 2030-01-31"


def parse_expiry(text: str, now: datetime | None = None) -> datetime:
    """The moment that a text names, counted from now."""
    present = now or datetime.now(UTC)
    span = re.fullmatch(r"([0-9]{1,7})([dh])", text.strip())
    try:
        if span:
            length = timedelta(days=int(span[1])) if span[2] == "d" else timedelta(hours=int(span[1]))
            moment = present + min(length, 2 * LONGEST)
        else:
            moment = aware(datetime.fromisoformat(text.strip()))
    except (ValueError, OverflowError):
        raise InputError(RULE) from None
    if not present < moment <= present + LONGEST:
        raise InputError(RULE)
    return moment


def aware(moment: datetime) -> datetime:
    """SQLite forgets that times are UTC; a date without a zone is meant so too."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
