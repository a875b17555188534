"""Who did what: the events of the server's chain, written down and looked up.

An event is `{"what": "cells at risk viewed", "who": "carla", …}`: a noun phrase of what happened, a name, and never a
value of the data. Answers to requests stand in the chains of their datasets instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from discreet.release.history import store
from discreet.release.history.chain import SERVER, Entry, canonical
from discreet.release.history.scribe import Scribe

# Entries that are read at a time when only some of them are wanted.
CHUNK = 2000


@dataclass(frozen=True)
class Wanted:
    """Events of one person, whose `what` holds a text, from one day (YYYY-MM-DD, UTC) to another; empty is any."""

    who: str = ""
    what: str = ""
    since: str = ""
    until: str = ""

    def fits(self, content: dict[str, Any]) -> bool:
        day = str(content.get("at", ""))[:10]
        return (
            (not self.who or content.get("who") == self.who)
            and self.what.casefold() in str(content.get("what", "")).casefold()
            and (not self.since or day >= self.since)
            and (not self.until or day <= self.until)
        )


def note(scribe: Scribe, who: str, what: str, **more: Any) -> Entry:
    """Write an event down; it is committed when this returns."""
    return scribe.write(SERVER, {"what": what, "who": who, **more})


def find(connection: Connection, wanted: Wanted, *, before: int | None = None) -> Iterator[Entry]:
    """Events, the latest first, below the number `before`."""
    # A name stands in the body exactly so; the database leaves out most others, `fits` decides.
    holding = canonical({"who": wanted.who})[1:-1] if wanted.who else None
    while True:
        chunk = list(store.read_entries(connection, SERVER, before=before, limit=CHUNK, latest=True, holding=holding))
        yield from (entry for entry in chunk if wanted.fits(entry.content))
        if len(chunk) < CHUNK:
            return
        before = chunk[-1].sequence
